//! The wallet of one sample, whose keys are derived from the account's id: its coins, its file and its signatures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::absolute::LockTime;
use bitcoin::bip32::Xpriv;
use bitcoin::hashes::{Hash, HashEngine, Hmac, HmacEngine, sha256};
use bitcoin::secp256k1::{All, Secp256k1};
use bitcoin::transaction::Version;
use bitcoin::{Amount, Network, OutPoint, Psbt, Sequence, Transaction, TxIn, TxOut, Txid};
use miniscript::Descriptor;
use miniscript::descriptor::{DefiniteDescriptorKey, DescriptorPublicKey};
use miniscript::psbt::PsbtExt;
use psbt_wasm::{MakeOptions, make_proof};

use super::recipes::{Recipe, Signing};
use chain::sources::development::TIP_HEIGHT;
use verify::bip322::to_spend;

/// Public on purpose: the coins exist only in development.
const LABEL: &[u8] = b"Proof of Reserves development samples";

/// Between 2 and 5 sat/vB for these transactions.
const FEE: Amount = Amount::from_sat(600);

/// The account of shared samples.
const EVERYBODY: &str = "everybody";

pub(super) struct Wallet {
    secp: Secp256k1<All>,
    /// The master keys of the multisig's signers. The first one also signs for every other coin.
    signers: [Xpriv; 3],
    /// One for each coin.
    descriptors: Vec<Descriptor<DefiniteDescriptorKey>>,
    /// The transaction that created the coins.
    pub(super) funding: Transaction,
}

/// An output that a wallet can sign for.
pub(super) struct Spendable {
    pub(super) outpoint: OutPoint,
    /// The transaction with the output.
    previous: Transaction,
    /// The coin with the same script.
    index: usize,
}

/// Derives bytes from the account and `parts` with HMAC-SHA256 (RFC 2104).
fn derive(account: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut engine = HmacEngine::<sha256::Hash>::new(LABEL);
    engine.input(account.as_bytes());
    for part in parts {
        // The separator distinguishes ("ab", "c") from ("a", "bc"). No part contains it.
        engine.input(&[0]);
        engine.input(part);
    }
    Hmac::<sha256::Hash>::from_engine(engine).to_byte_array()
}

impl Wallet {
    /// The wallet with the coins that `recipe` spends for `account`.
    pub(super) fn new(recipe: &Recipe, account: &str) -> Self {
        let account = if recipe.shared { EVERYBODY } else { account };
        let name = recipe.wallet.as_bytes();
        let secp = Secp256k1::new();
        let signers = [1, 2, 3].map(|signer| {
            let seed = derive(account, &[b"seed", name, &[signer]]);
            Xpriv::new_master(Network::Regtest, &seed)
                .expect("one seed in 2^127 is no key, and no user chooses seeds")
        });
        let descriptor = |(index, (template, _)): (u32, &(&str, Amount))| {
            let keys = ["@1", "@2", "@3"].into_iter().zip(&signers);
            let text = keys.fold((*template).to_owned(), |text, (name, key)| {
                text.replace(name, &key.to_string())
            });
            let (descriptor, _) = Descriptor::<DescriptorPublicKey>::parse_descriptor(&secp, &text)
                .expect("descriptors of the list are well-formed");
            let descriptor = descriptor.at_derivation_index(index);
            descriptor.expect("descriptors of the list have no hardened index")
        };
        let descriptors: Vec<_> = (0..).zip(recipe.coins).map(descriptor).collect();
        let coins = descriptors.iter().zip(recipe.coins);
        let output = coins.map(|(descriptor, (_, value))| TxOut {
            value: *value,
            script_pubkey: descriptor.script_pubkey(),
        });
        // Never looked up, so any unique outpoint is fine.
        let origin = Txid::from_byte_array(derive(account, &[b"origin", name]));
        let funding = Transaction {
            version: Version::TWO,
            lock_time: LockTime::ZERO,
            input: vec![spend(OutPoint::new(origin, 0))],
            output: output.collect(),
        };
        Self {
            secp,
            signers,
            descriptors,
            funding,
        }
    }

    /// The sample's file.
    pub(super) fn file(&self, recipe: &Recipe, statement: Option<&str>) -> Vec<u8> {
        let mut psbt = self.ordinary();
        if let Some((form, statement)) = recipe.form.zip(statement) {
            let options = MakeOptions::new(statement, form);
            let proof = make_proof(psbt.serialize(), &options).expect("the wallet has coins");
            psbt = Psbt::deserialize(&proof.psbt).expect("a proof is a PSBT");
        }
        if recipe.signing != Signing::None {
            self.sign(&mut psbt);
        }
        if recipe.signing == Signing::Final {
            psbt.finalize_mut(&self.secp)
                .expect("two signers are enough for every coin");
        }
        match recipe.base64 {
            true => STANDARD.encode(psbt.serialize()).into_bytes(),
            false => psbt.serialize(),
        }
    }

    /// An ordinary transfer to the first script.
    fn ordinary(&self) -> Psbt {
        let total: Amount = self.funding.output.iter().map(|coin| coin.value).sum();
        let coins: Vec<_> = self.spendable(None).collect();
        let transaction = Transaction {
            version: Version::TWO,
            // Wallets set the lock time to the tip height against fee sniping.
            lock_time: LockTime::from_consensus(TIP_HEIGHT),
            input: coins.iter().map(|coin| spend(coin.outpoint)).collect(),
            output: vec![TxOut {
                value: total - FEE,
                script_pubkey: self.descriptors[0].script_pubkey(),
            }],
        };
        let mut psbt = Psbt::from_unsigned_tx(transaction).expect("nothing is signed yet");
        for (input, coin) in coins.iter().enumerate() {
            self.describe(&mut psbt, input, coin);
        }
        psbt
    }

    /// The outputs that this wallet can sign for: its coins and, with a message, those that the first input of a proof of funds may spend
    /// (BIP-0322).
    pub(super) fn spendable(&self, message: Option<&[u8]>) -> impl Iterator<Item = Spendable> {
        (0..)
            .zip(&self.funding.output)
            .flat_map(move |(index, coin)| {
                let signed = message.map(|message| (to_spend(message, &coin.script_pubkey), 0));
                let outputs = [(self.funding.clone(), index)].into_iter().chain(signed);
                outputs.map(move |(previous, vout)| Spendable {
                    outpoint: OutPoint::new(previous.compute_txid(), vout),
                    previous,
                    index: index as usize,
                })
            })
    }

    /// Adds the fields that a signer needs to the input, which spends this output.
    pub(super) fn describe(&self, psbt: &mut Psbt, input: usize, spent: &Spendable) {
        let descriptor = &self.descriptors[spent.index];
        let script = descriptor.script_pubkey();
        let fields = &mut psbt.inputs[input];
        // BIP-0371: a Taproot signature covers every amount, so the output is enough. Other signers need the previous
        // transaction.
        if !script.is_p2tr() {
            fields.non_witness_utxo = Some(spent.previous.clone());
        }
        if !script.is_p2pkh() {
            let vout = spent.outpoint.vout as usize;
            fields.witness_utxo = Some(spent.previous.output[vout].clone());
        }
        psbt.update_input_with_descriptor(input, descriptor)
            .expect("the coin was made from this descriptor");
        if script.is_p2wsh() {
            // A coordinator writes these into a multisig's file (BIP-0174, `PSBT_GLOBAL_XPUB`).
            let keys = descriptor.iter_pk();
            psbt.xpub.extend(keys.filter_map(|key| match key.into() {
                DescriptorPublicKey::XPub(key) => Some((key.xkey, key.origin?)),
                _ => None,
            }));
        }
    }

    /// Signs the described inputs of this wallet, with as many signers as they need.
    pub(super) fn sign(&self, psbt: &mut Psbt) {
        let [first, _, last] = &self.signers;
        for signer in [first, last] {
            psbt.sign(signer, &self.secp)
                .expect("the file says all that a signer needs to know");
        }
    }
}

fn spend(previous_output: OutPoint) -> TxIn {
    TxIn {
        previous_output,
        sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
        ..TxIn::default()
    }
}
