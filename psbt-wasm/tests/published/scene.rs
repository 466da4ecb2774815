//! A person's signed proofs, as the board publishes them.

use bitcoin::consensus::encode::serialize;
use bitcoin::sighash::SighashCache;
use bitcoin::{Psbt, Transaction, TxOut};
use psbt_wasm::statement::Person;
use psbt_wasm::{
    Carrier, Dated, Error, Form, MakeOptions, ProofCheck, PublishedCoin, PublishedProof,
    check_proof, make_proof,
};

use crate::finalize::finalize;
use crate::kind::{Coin, Kind};
use crate::wallet::{self, Wanted, secp, spent};

pub(crate) const ORIGIN: &str = "https://board.example";
pub(crate) const NAME: &str = "@satoshi";

pub(crate) const PERSON: Person<'_> = Person {
    origin: ORIGIN,
    provider: "twitter",
    subject: "783214",
    account: "0190d0c2-0000-7000-8000-000000000001",
};

/// A proof for one reader: the words, and the name that the holder chose.
pub(crate) const READER_WORDS: &str = "Acme Bank, loan 4711 k3v9q2";
pub(crate) const HOLDER: &str = "Mira Kowal";

pub(crate) const NONCE: [u8; 16] = [7; 16];

/// A published proof with its parts in the hand.
#[derive(Clone)]
pub(crate) struct Published {
    pub(crate) person: Person<'static>,
    pub(crate) nonce: [u8; 16],
    pub(crate) name: &'static str,
    pub(crate) header: Option<[u8; 80]>,
    pub(crate) line: String,
    pub(crate) carrier: Carrier,
    pub(crate) transaction: Transaction,
    /// What the inputs spend.
    pub(crate) coins: Vec<TxOut>,
}

impl Published {
    pub(crate) fn check(&self) -> Result<ProofCheck, Error> {
        self.check_bytes(&serialize(&self.transaction), ORIGIN)
    }

    pub(crate) fn check_bytes(&self, transaction: &[u8], asked: &str) -> Result<ProofCheck, Error> {
        let outpoints: Vec<[u8; 36]> = (self.transaction.input.iter())
            .map(|input| {
                let bytes = serialize(&input.previous_output);
                bytes.try_into().expect("an outpoint")
            })
            .collect();
        let coins = self.coins.iter().zip(&outpoints);
        let proof = PublishedProof {
            person: self.person,
            nonce: self.nonce,
            dated: self.header.as_ref().map(|header| Dated {
                name: self.name,
                header,
            }),
            statement: &self.line,
            carrier: self.carrier,
            transaction,
            coins: coins
                .map(|(coin, outpoint)| PublishedCoin {
                    outpoint,
                    value: coin.value.to_sat(),
                    script: coin.script_pubkey.as_bytes(),
                })
                .collect(),
        };
        check_proof(&proof, asked)
    }
}

/// The header of the first block of mainnet, and its hash.
pub(crate) fn header() -> ([u8; 80], [u8; 32]) {
    let header = bitcoin::constants::genesis_block(bitcoin::Network::Bitcoin).header;
    let bytes = serialize(&header).try_into().expect("80 bytes");
    (bytes, *header.block_hash().as_ref())
}

/// A proof of [`PERSON`] over a coin of each of these kinds.
pub(crate) fn published(kinds: &[Kind], form: Form) -> Published {
    signed_by(PERSON, NAME, kinds, form)
}

/// A proof for one reader over a coin of each of these kinds.
pub(crate) fn for_reader(kinds: &[Kind], form: Form) -> Published {
    let person = Person::for_reader(READER_WORDS, HOLDER);
    signed_by(person, HOLDER, kinds, form)
}

fn signed_by(person: Person<'static>, name: &'static str, kinds: &[Kind], form: Form) -> Published {
    let (header, hash) = header();
    let coins = wallet::make(&Wanted {
        kinds: kinds.to_vec(),
        inputs: u32::try_from(kinds.len()).expect("few"),
        previous: Some(0),
        derivations: false,
        signed: true,
    });
    let line = person.statement(name, &NONCE, &hash).expect("it fits");
    let made = make_proof(coins.serialize(), &MakeOptions::new(&line, form)).expect("made");
    let mut psbt = Psbt::deserialize(&made.psbt).expect("a PSBT");
    let coins: Vec<TxOut> = spent(&psbt).into_iter().map(|(_, coin)| coin).collect();
    let unsigned = psbt.unsigned_tx.clone();
    let mut transaction = unsigned.clone();
    let mut cache = SighashCache::new(&unsigned);
    // The first input of a message is signed with the keys of the first coin.
    let extra = coins.len() - kinds.len();
    for index in 0..coins.len() {
        let number = index.saturating_sub(extra);
        let coin = Coin::new(&SECP, kinds[number], u32::try_from(number).expect("few"));
        coin.sign(&mut psbt.inputs[index], &mut cache, index, &coins);
        let input = &mut transaction.input[index];
        (input.script_sig, input.witness) =
            finalize(&psbt.inputs[index], &coins[index].script_pubkey);
    }
    Published {
        person,
        nonce: NONCE,
        name,
        header: Some(header),
        line,
        carrier: match form {
            Form::Message => Carrier::Message,
            Form::Transaction => Carrier::Transaction,
        },
        transaction,
        coins,
    }
}

static SECP: std::sync::LazyLock<bitcoin::secp256k1::Secp256k1<bitcoin::secp256k1::All>> =
    std::sync::LazyLock::new(secp);
