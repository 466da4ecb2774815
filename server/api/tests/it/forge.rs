//! A forger's workshop: coins with any script on a real node, and signatures of any type.

use bitcoin::absolute::LockTime;
use bitcoin::hashes::Hash;
use bitcoin::key::Keypair;
use bitcoin::opcodes::Opcode;
use bitcoin::script::Builder;
use bitcoin::secp256k1::{All, Secp256k1, SecretKey};
use bitcoin::transaction::Version;
use bitcoin::{
    Address, Amount, Network, OutPoint, PublicKey, ScriptBuf, Sequence, Transaction, TxIn, TxOut,
    WPubkeyHash, Witness, XOnlyPublicKey,
};

use crate::support::node::Node;

mod carrier;
mod digest;
mod lock;
mod script;

pub(crate) use carrier::{FAR, MESSAGE, message, still};
pub(crate) use digest::{Sighash, der, schnorr};
pub(crate) use lock::{Lock, Single};
pub(crate) use script::{Container, Leaf, in_p2sh, in_p2wsh, p2sh, p2wsh, push_all};

/// What every coin is worth.
pub(crate) const VALUE: Amount = Amount::from_sat(100_000);

/// The types of signature that have a name, ALL and DEFAULT aside.
pub(crate) const FOREIGN: [u8; 5] = [0x02, 0x03, 0x81, 0x82, 0x83];

thread_local! {
    static SECP: Secp256k1<All> = Secp256k1::new();
}

pub(crate) fn with_secp<T>(work: impl FnOnce(&Secp256k1<All>) -> T) -> T {
    SECP.with(work)
}

/// A key of its own for every test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key(pub(crate) Keypair);

impl Key {
    pub(crate) fn random() -> Self {
        let seed = [
            *uuid::Uuid::new_v4().as_bytes(),
            *uuid::Uuid::new_v4().as_bytes(),
        ];
        let secret = SecretKey::from_slice(&seed.concat()).expect("nearly every number is a key");
        Self(with_secp(|secp| Keypair::from_secret_key(secp, &secret)))
    }

    pub(crate) fn public(&self) -> PublicKey {
        PublicKey::new(self.0.public_key())
    }

    pub(crate) fn x_only(&self) -> XOnlyPublicKey {
        self.0.x_only_public_key().0
    }
}

/// A coin as the chain has it.
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

/// Confirmed coins of one transaction with these scripts, standard or not.
pub(crate) async fn coins(node: &Node, scripts: &[ScriptBuf]) -> Vec<Coin> {
    coins_of(node, scripts.iter().cloned().map(worth_value).collect()).await
}

/// The same worth anything, also nothing.
pub(crate) async fn coins_of(node: &Node, outputs: Vec<TxOut>) -> Vec<Coin> {
    let funder = Single::new(Lock::Wpkh);
    let address = Address::from_script(&funder.script_pubkey(), Network::Regtest);
    let paid: Amount = outputs.iter().map(|output| output.value).sum();
    let total = paid + Amount::from_sat(50_000);
    let payment = (address.expect("an address").to_string(), total);
    let source = Coin {
        outpoint: node.pay(&[payment]).await[0],
        output: TxOut {
            value: total,
            script_pubkey: funder.script_pubkey(),
        },
    };
    let mut funding = spend(std::slice::from_ref(&source));
    funding.output = outputs;
    funder.sign(&mut funding, &[source], 0, 0x01);
    node.confirm_raw(std::slice::from_ref(&funding)).await;
    let txid = funding.compute_txid();
    (0..)
        .zip(funding.output)
        .map(|(vout, output)| Coin {
            outpoint: OutPoint { txid, vout },
            output,
        })
        .collect()
}

/// One confirmed coin with this script.
pub(crate) async fn coin(node: &Node, script: ScriptBuf) -> Coin {
    coins(node, &[script]).await.remove(0)
}

fn worth_value(script_pubkey: ScriptBuf) -> TxOut {
    TxOut {
        value: VALUE,
        script_pubkey,
    }
}

/// An unsigned transaction of these coins with as many outputs.
pub(crate) fn spend(coins: &[Coin]) -> Transaction {
    let output = |index: u64| TxOut {
        value: Amount::from_sat(90_000 + index),
        script_pubkey: ScriptBuf::new_p2wpkh(&WPubkeyHash::hash(b"the forger")),
    };
    Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: coins.iter().map(|coin| input(coin.outpoint)).collect(),
        output: (0..).take(coins.len()).map(output).collect(),
    }
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

/// The outputs that the coins are.
pub(crate) fn outputs(coins: &[Coin]) -> Vec<TxOut> {
    coins.iter().map(|coin| coin.output.clone()).collect()
}
