//! Proofs as boards publish them, checked by a stranger: right ones of every kind, and what is wrong with others.

use super::*;

mod false_ones;
mod keys;
mod node_fixtures;
mod right_ones;

const ORIGIN: &str = "https://board.example";
const NAME: &str = "@satoshi";

const PERSON: Person<'_> = Person {
    network: CoinNetwork::Mainnet,
    origin: ORIGIN,
    provider: "twitter",
    subject: "783214",
    account: "0190d0c2-0000-7000-8000-000000000001",
};

/// A published proof whose parts a test can change.
#[derive(Clone)]
struct Published {
    person: Person<'static>,
    nonce: [u8; 16],
    name: &'static str,
    header: [u8; 80],
    line: String,
    form: Form,
    transaction: Transaction,
    /// What the inputs spend.
    coins: Vec<TxOut>,
    /// Signatures that no input needs.
    further: Vec<FurtherSignature>,
}

impl Published {
    fn check(&self) -> Result<ProofCheck, Error> {
        self.check_bytes(&serialize(&self.transaction), ORIGIN)
    }

    fn check_bytes(&self, transaction: &[u8], asked: &str) -> Result<ProofCheck, Error> {
        let outpoint = |input: &TxIn| serialize(&input.previous_output).try_into();
        let outpoints = self.transaction.input.iter().map(outpoint);
        let outpoints: Vec<[u8; 36]> = outpoints.collect::<Result<_, _>>().expect("36 bytes");
        let coins = self.coins.iter().zip(&outpoints);
        let coins = coins.map(|(coin, outpoint)| PublishedCoin {
            outpoint,
            value: coin.value.to_sat(),
            script: coin.script_pubkey.as_bytes(),
        });
        let proof = PublishedProof {
            person: self.person,
            nonce: self.nonce,
            profile: None,
            name: self.name,
            header: &self.header,
            statement: &self.line,
            carrier: match self.form {
                Form::Message => Carrier::Message,
                Form::Transaction => Carrier::Transaction,
            },
            transaction,
            coins: coins.collect(),
            further: &self.further,
        };
        check_proof(&proof, asked)
    }

    /// The verdict, also when it is a refusal.
    fn is_complete(&self) -> bool {
        self.check().is_ok_and(|check| check.is_complete())
    }
}

/// A proof of [`PERSON`] over a coin of each of these kinds.
fn published(kinds: &[Kind], form: Form) -> Published {
    signed_by(PERSON, NAME, kinds, form)
}

/// Dated by the first block of mainnet.
fn signed_by(person: Person<'static>, name: &'static str, kinds: &[Kind], form: Form) -> Published {
    let block = bitcoin::constants::genesis_block(bitcoin::Network::Bitcoin);
    let nonce = [7; 16];
    let wallet = file(kinds, u32::try_from(kinds.len()).expect("few"));
    let line = person.statement(name, &nonce, block.block_hash().as_ref());
    let line = line.expect("it fits");
    let made = make_proof(wallet.serialize(), &MakeOptions::new(&line, form)).expect("made");
    let mut psbt = Psbt::deserialize(&made.psbt).expect("a PSBT");
    let coins: Vec<TxOut> = spent(&psbt).into_iter().map(|(_, coin)| coin).collect();
    let unsigned = psbt.unsigned_tx.clone();
    let mut transaction = unsigned.clone();
    let (secp, mut cache) = (secp(), SighashCache::new(&unsigned));
    // The first input of a message is signed with the keys of the first coin.
    let extra = coins.len() - kinds.len();
    for (index, input) in psbt.inputs.iter_mut().enumerate() {
        let number = index.saturating_sub(extra);
        let coin = Coin::new(&secp, kinds[number], u32::try_from(number).expect("few"));
        coin.sign(input, &mut cache, index, &coins);
        let txin = &mut transaction.input[index];
        (txin.script_sig, txin.witness) = finalize(input, &coins[index].script_pubkey);
    }
    Published {
        person,
        nonce,
        name,
        header: serialize(&block.header).try_into().expect("80 bytes"),
        line,
        form,
        transaction,
        coins,
        further: Vec::new(),
    }
}

/// The list that the command and the pages read, against the crate `bitcoin`.
#[test]
fn every_network_has_its_first_block_in_the_list() {
    use bitcoin::{Network, constants::genesis_block};
    let list: serde_json::Value =
        serde_json::from_str(include_str!("../../js/networks.json")).expect("JSON");
    let known = CoinNetwork::ALL.map(|network| {
        let of_crate = match network {
            CoinNetwork::Mainnet => Network::Bitcoin,
            CoinNetwork::Testnet3 => Network::Testnet,
            CoinNetwork::Testnet4 => Network::Testnet4,
            CoinNetwork::Signet => Network::Signet,
            CoinNetwork::Regtest => Network::Regtest,
        };
        let genesis = genesis_block(of_crate).block_hash().to_string();
        serde_json::json!({"network": network.name(), "genesis": genesis})
    });
    assert_eq!(list, serde_json::Value::from(known.to_vec()));
}
