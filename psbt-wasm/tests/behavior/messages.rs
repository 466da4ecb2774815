//! Signed messages: the official vectors, and signatures that must never be valid.

use psbt_wasm::binding::to_spend;
use strum::VariantArray;

use super::*;

mod bip137;
mod forged;
mod official;
mod other_texts;
mod seeds;

/// An address of one key, or of one of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
enum Kind {
    P2pkh,
    P2wpkh,
    P2shP2wpkh,
    P2wsh,
    P2shP2wsh,
    P2shMultisig,
    P2tr,
}

/// The script of an address of the keys `first` and 2, and the redeem and the witness script behind it.
fn scripts(kind: Kind, first: u8) -> (ScriptBuf, Option<ScriptBuf>, Option<ScriptBuf>) {
    let first = key(first);
    let script = multisig(1, &[first.public(), key(2).public()]);
    match kind {
        Kind::P2pkh => (first.legacy(), None, None),
        Kind::P2wpkh => (first.segwit(), None, None),
        Kind::P2shP2wpkh => (first.nested(), Some(first.segwit()), None),
        Kind::P2wsh => (script.to_p2wsh(), None, Some(script)),
        Kind::P2shP2wsh => {
            let program = script.to_p2wsh();
            (program.to_p2sh(), Some(program), Some(script))
        }
        Kind::P2shMultisig => (script.to_p2sh(), Some(script), None),
        Kind::P2tr => (first.taproot(), None, None),
    }
}

fn address(script: &Script) -> String {
    let address = Address::from_script(script, bitcoin::Network::Bitcoin);
    address.expect("an address").to_string()
}

/// The ways in which a test's signature differs from an ordinary one.
#[derive(Clone, Copy)]
struct Twist {
    sighash: u8,
    high_s: bool,
    version: i32,
    sequence: u32,
    /// The number of the key that signs, whatever the address commits to.
    signer: u8,
}

const PLAIN: Twist = Twist {
    sighash: 1,
    high_s: false,
    version: 0,
    sequence: 0,
    signer: 1,
};

fn to_sign(challenge: &Script, message: &[u8], twist: Twist) -> Psbt {
    let spent = OutPoint::new(to_spend(message, challenge).compute_txid(), 0);
    let mut psbt = unsigned(&[spent], vec![output(0, ScriptBuf::from(vec![0x6a]))]);
    psbt.unsigned_tx.version = Version(twist.version);
    psbt.unsigned_tx.lock_time = LockTime::ZERO;
    psbt.unsigned_tx.input[0].sequence = Sequence(twist.sequence);
    psbt.inputs[0].witness_utxo = Some(output(0, challenge.to_owned()));
    psbt
}

/// The script of an address of the keys `first` and 2, and the signed transaction for it.
fn sign(kind: Kind, first: u8, message: &[u8], twist: Twist) -> (ScriptBuf, Transaction) {
    let (challenge, redeem_script, witness_script) = scripts(kind, first);
    let mut psbt = to_sign(&challenge, message, twist);
    let signer = key(twist.signer);
    // A script with these keys accepts only their signatures.
    let is_script = witness_script.is_some() || kind == Kind::P2shMultisig;
    let place_of = key(if is_script { first } else { twist.signer });
    psbt.inputs[0].redeem_script = redeem_script;
    psbt.inputs[0].witness_script = witness_script;
    let mut signature = signature(&psbt, 0, &signer, twist.sighash);
    if twist.high_s {
        let mut high = ecdsa::Signature::from_slice(&signature).expect("a signature");
        let compact = negated(high.signature.serialize_compact());
        high.signature = bitcoin::secp256k1::ecdsa::Signature::from_compact(&compact).expect("one");
        signature = high.to_vec();
    }
    place(&mut psbt.inputs[0], &place_of, &signature);
    finish(&mut psbt.inputs[0]);
    (challenge, psbt.extract_tx_unchecked_fee_rate())
}

/// The same signature with the other value of S.
fn negated(mut compact: [u8; 64]) -> [u8; 64] {
    let s = SecretKey::from_slice(&compact[32..]).expect("a scalar");
    compact[32..].copy_from_slice(&s.negate().secret_bytes());
    compact
}

fn full(transaction: &Transaction) -> String {
    format!("ful{}", STANDARD.encode(serialize(transaction)))
}

fn simple(transaction: &Transaction) -> String {
    let witness = serialize(&transaction.input[0].witness);
    format!("smp{}", STANDARD.encode(witness))
}
