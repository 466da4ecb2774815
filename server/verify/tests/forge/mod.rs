//! Tools for forgeries: coins with any script, and signatures of any type. They need no node.

use bitcoin::absolute::LockTime;
use bitcoin::hashes::Hash;
use bitcoin::key::Keypair;
use bitcoin::opcodes::Opcode;
use bitcoin::script::Builder;
use bitcoin::secp256k1::{All, Secp256k1, SecretKey};
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, PublicKey, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid, WPubkeyHash,
    Witness, XOnlyPublicKey,
};

mod carrier;
mod digest;
mod file;
mod judge;
mod lock;
mod script;
#[path = "../../../../psbt-wasm/examples/fixtures/version2.rs"]
mod version2;

pub(crate) use carrier::{FAR, MESSAGE, message, still};
pub(crate) use digest::{Sighash, der, schnorr};
pub(crate) use file::{finished, stated, text};
pub(crate) use judge::{Verdict, assert_accepted, assert_refused, assert_verdict};
pub(crate) use lock::{Lock, Single};
pub(crate) use script::{Container, Leaf, in_p2sh, in_p2wsh, push_all};
pub(crate) use version2::as_version_2;

/// The value of every coin.
pub(crate) const VALUE: Amount = Amount::from_sat(100_000);

/// The named signature types, except ALL and DEFAULT.
pub(crate) const FOREIGN: [u8; 5] = [0x02, 0x03, 0x81, 0x82, 0x83];

thread_local! {
    static SECP: Secp256k1<All> = Secp256k1::new();
}

pub(crate) fn with_secp<T>(work: impl FnOnce(&Secp256k1<All>) -> T) -> T {
    SECP.with(work)
}

/// A new key for every test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key(pub(crate) Keypair);

impl Key {
    pub(crate) fn random() -> Self {
        let seed = [(); 2].map(|()| uuid::Uuid::new_v4().into_bytes()).concat();
        let secret = SecretKey::from_slice(&seed).expect("nearly every number is a key");
        Self(with_secp(|secp| Keypair::from_secret_key(secp, &secret)))
    }

    pub(crate) fn public(&self) -> PublicKey {
        PublicKey::new(self.0.public_key())
    }

    pub(crate) fn x_only(&self) -> XOnlyPublicKey {
        self.0.x_only_public_key().0
    }
}

/// A coin on the chain.
#[derive(Clone, Debug)]
pub(crate) struct Coin {
    pub(crate) outpoint: OutPoint,
    pub(crate) output: TxOut,
}

/// A script of these opcodes.
pub(crate) fn script_of(opcodes: &[Opcode]) -> ScriptBuf {
    let push = |script: Builder, opcode: &Opcode| script.push_opcode(*opcode);
    opcodes.iter().fold(Builder::new(), push).into_script()
}

/// Coins of one transaction with these scripts.
pub(crate) fn coins(scripts: &[ScriptBuf]) -> Vec<Coin> {
    coins_of(&funding(scripts.iter().cloned().map(worth_value).collect()))
}

/// Coins of one key with these values, in sats.
pub(crate) fn worth(owner: &Single, values: &[u64]) -> Vec<Coin> {
    let output = |value: &u64| pay(*value, owner.script_pubkey());
    coins_of(&funding(values.iter().map(output).collect()))
}

/// A unique transaction that pays these outputs.
pub(crate) fn funding(output: Vec<TxOut>) -> Transaction {
    let source = OutPoint::new(Txid::hash(uuid::Uuid::new_v4().as_bytes()), 0);
    transaction([source].into_iter(), output)
}

/// The coins created by a transaction's outputs.
pub(crate) fn coins_of(transaction: &Transaction) -> Vec<Coin> {
    let txid = transaction.compute_txid();
    let coins = (0..).zip(transaction.output.clone());
    let coins = coins.map(|(vout, output)| (OutPoint { txid, vout }, output));
    let coins = coins.map(|(outpoint, output)| Coin { outpoint, output });
    coins.collect()
}

pub(crate) fn worth_value(script: ScriptBuf) -> TxOut {
    pay(VALUE.to_sat(), script)
}

/// An output of this many sats.
pub(crate) fn pay(sats: u64, script: impl Into<ScriptBuf>) -> TxOut {
    TxOut {
        value: Amount::from_sat(sats),
        script_pubkey: script.into(),
    }
}

/// An unsigned transaction of these coins, without a lock time.
pub(crate) fn transaction(spent: impl Iterator<Item = OutPoint>, paid: Vec<TxOut>) -> Transaction {
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: spent.map(input).collect(),
        output: paid,
    }
}

/// An unsigned transaction of these coins with as many outputs.
pub(crate) fn spend(coins: &[Coin]) -> Transaction {
    let forger = ScriptBuf::new_p2wpkh(&WPubkeyHash::hash(b"the forger"));
    let output = |index: u64| pay(90_000 + index, forger.clone());
    let output = (0..).take(coins.len()).map(output).collect();
    transaction(coins.iter().map(|coin| coin.outpoint), output)
}

/// An unsigned input.
pub(crate) fn input(previous_output: OutPoint) -> TxIn {
    TxIn {
        previous_output,
        script_sig: ScriptBuf::new(),
        sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
        witness: Witness::new(),
    }
}

pub(crate) fn outputs(coins: &[Coin]) -> Vec<TxOut> {
    coins.iter().map(|coin| coin.output.clone()).collect()
}

/// A transaction of single-key coins of one owner, signed with the type ALL.
pub(crate) fn signed(owner: &Single, transaction: Transaction, coins: &[Coin]) -> Transaction {
    signed_by_each(&vec![*owner; coins.len()], transaction, coins)
}

/// The same of several owners, each of whom has one coin.
pub(crate) fn signed_by_each(
    owners: &[Single],
    mut transaction: Transaction,
    coins: &[Coin],
) -> Transaction {
    for (input, owner) in owners.iter().enumerate() {
        owner.sign(&mut transaction, coins, input, 0x01);
    }
    transaction
}
