//! Addresses whose keys are known, and what signs messages for them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::absolute::LockTime;
use bitcoin::consensus::serialize;
use bitcoin::hashes::Hash;
use bitcoin::key::{Keypair, TapTweak, TweakedKeypair};
use bitcoin::opcodes::all::{OP_CHECKMULTISIG, OP_RETURN};
use bitcoin::script::Builder;
use bitcoin::secp256k1::ecdsa::Signature;
use bitcoin::secp256k1::{Message, Secp256k1, SecretKey};
use bitcoin::sighash::{EcdsaSighashType, Prevouts, SighashCache, TapSighashType};
use bitcoin::transaction::Version;
use bitcoin::{
    Address, Amount, CompressedPublicKey, Network, OutPoint, PublicKey, Script, ScriptBuf,
    Sequence, Transaction, TxIn, TxOut, Witness,
};
use psbt_wasm::binding::to_spend;

use crate::finalize::pushes;

/// The kinds of address that a test covers.
pub(crate) const KINDS: [Kind; 7] = [
    Kind::P2pkh,
    Kind::P2wpkh,
    Kind::P2shP2wpkh,
    Kind::P2wsh,
    Kind::P2shP2wsh,
    Kind::P2shMultisig,
    Kind::P2tr,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    P2pkh,
    P2wpkh,
    P2shP2wpkh,
    P2wsh,
    P2shP2wsh,
    P2shMultisig,
    P2tr,
}

/// A key that is not secret.
pub(crate) fn key(number: u8) -> Keypair {
    let secret = SecretKey::from_slice(&[number; 32]).expect("a key");
    Keypair::from_secret_key(&Secp256k1::new(), &secret)
}

pub(crate) fn public(key: &Keypair) -> PublicKey {
    PublicKey::new(key.public_key())
}

/// One of two keys.
pub(crate) fn multisig(first: &Keypair, second: &Keypair) -> ScriptBuf {
    Builder::new()
        .push_int(1)
        .push_key(&public(first))
        .push_key(&public(second))
        .push_int(2)
        .push_opcode(OP_CHECKMULTISIG)
        .into_script()
}

fn wpkh_program(key: &Keypair) -> ScriptBuf {
    ScriptBuf::new_p2wpkh(&CompressedPublicKey(key.public_key()).wpubkey_hash())
}

pub(crate) fn script_pubkey(kind: Kind, key: &Keypair, other: &Keypair) -> ScriptBuf {
    let script = multisig(key, other);
    match kind {
        Kind::P2pkh => ScriptBuf::new_p2pkh(&public(key).pubkey_hash()),
        Kind::P2wpkh => wpkh_program(key),
        Kind::P2shP2wpkh => wpkh_program(key).to_p2sh(),
        Kind::P2wsh => script.to_p2wsh(),
        Kind::P2shP2wsh => script.to_p2wsh().to_p2sh(),
        Kind::P2shMultisig => script.to_p2sh(),
        Kind::P2tr => ScriptBuf::new_p2tr(&Secp256k1::new(), key.x_only_public_key().0, None),
    }
}

pub(crate) fn address(script: &Script) -> String {
    let address = Address::from_script(script, Network::Bitcoin).expect("an address");
    address.to_string()
}

/// How a signature differs from an ordinary one.
#[derive(Clone, Copy)]
pub(crate) struct Twist {
    pub(crate) sighash: u8,
    pub(crate) high_s: bool,
    pub(crate) version: i32,
    pub(crate) sequence: u32,
}

pub(crate) const PLAIN: Twist = Twist {
    sighash: 1,
    high_s: false,
    version: 0,
    sequence: 0,
};

pub(crate) fn to_sign(challenge: &Script, message: &[u8], twist: Twist) -> Transaction {
    Transaction {
        version: Version(twist.version),
        lock_time: LockTime::ZERO,
        input: vec![TxIn {
            previous_output: OutPoint::new(to_spend(message, challenge).compute_txid(), 0),
            script_sig: ScriptBuf::new(),
            sequence: Sequence(twist.sequence),
            witness: Witness::new(),
        }],
        output: vec![TxOut {
            value: Amount::ZERO,
            script_pubkey: Builder::new().push_opcode(OP_RETURN).into_script(),
        }],
    }
}

/// The signed transaction for an address of `key`, signed by `signer`.
pub(crate) fn sign(
    kind: Kind,
    (key, other): (&Keypair, &Keypair),
    signer: &Keypair,
    message: &[u8],
    twist: Twist,
) -> Transaction {
    let challenge = script_pubkey(kind, key, other);
    let mut signed = to_sign(&challenge, message, twist);
    let script = multisig(key, other);
    let (code, is_segwit) = match kind {
        Kind::P2pkh => (challenge.clone(), false),
        Kind::P2wpkh | Kind::P2shP2wpkh => (ScriptBuf::new_p2pkh(&public(key).pubkey_hash()), true),
        Kind::P2wsh | Kind::P2shP2wsh => (script.clone(), true),
        Kind::P2shMultisig => (script.clone(), false),
        Kind::P2tr => {
            signed.input[0].witness = taproot(&signed, &challenge, signer, twist);
            return signed;
        }
    };
    let signature = ecdsa(&signed, &code, is_segwit, signer, twist);
    let elements = match kind {
        Kind::P2pkh | Kind::P2wpkh | Kind::P2shP2wpkh => {
            vec![signature, public(signer).to_bytes()]
        }
        // The element too many that OP_CHECKMULTISIG takes.
        _ => vec![vec![], signature, script.to_bytes()],
    };
    let input = &mut signed.input[0];
    if is_segwit {
        input.witness = Witness::from_slice(&elements);
    } else {
        input.script_sig = pushes(elements);
    }
    match kind {
        Kind::P2shP2wpkh => input.script_sig = pushes(vec![wpkh_program(key).into_bytes()]),
        Kind::P2shP2wsh => input.script_sig = pushes(vec![script.to_p2wsh().into_bytes()]),
        _ => {}
    }
    signed
}

pub(crate) fn ecdsa(
    transaction: &Transaction,
    script: &Script,
    segwit: bool,
    signer: &Keypair,
    twist: Twist,
) -> Vec<u8> {
    let mut cache = SighashCache::new(transaction);
    let digest = if segwit {
        let sighash = EcdsaSighashType::from_consensus(twist.sighash.into());
        let hash = cache.p2wsh_signature_hash(0, script, Amount::ZERO, sighash);
        hash.expect("an input").to_byte_array()
    } else {
        let hash = cache.legacy_signature_hash(0, script, twist.sighash.into());
        hash.expect("an input").to_byte_array()
    };
    let secp = Secp256k1::new();
    let signature = secp.sign_ecdsa(&Message::from_digest(digest), &signer.secret_key());
    let compact = signature.serialize_compact();
    let compact = if twist.high_s {
        negated(compact)
    } else {
        compact
    };
    let signature = Signature::from_compact(&compact).expect("a signature");
    let mut bytes = signature.serialize_der().to_vec();
    bytes.push(twist.sighash);
    bytes
}

/// The same signature with the other value of S.
pub(crate) fn negated(mut compact: [u8; 64]) -> [u8; 64] {
    let s = SecretKey::from_slice(&compact[32..]).expect("a scalar");
    compact[32..].copy_from_slice(&s.negate().secret_bytes());
    compact
}

fn taproot(
    transaction: &Transaction,
    challenge: &Script,
    signer: &Keypair,
    twist: Twist,
) -> Witness {
    let secp = Secp256k1::new();
    let spent = [TxOut {
        value: Amount::ZERO,
        script_pubkey: challenge.into(),
    }];
    let sighash = TapSighashType::from_consensus_u8(twist.sighash).expect("a type");
    let hash = SighashCache::new(transaction)
        .taproot_key_spend_signature_hash(0, &Prevouts::All(&spent), sighash)
        .unwrap_or_else(|_| bitcoin::TapSighash::from_byte_array([1; 32]));
    let tweaked: TweakedKeypair = signer.tap_tweak(&secp, None);
    let message = Message::from_digest(hash.to_byte_array());
    let signature = secp.sign_schnorr_no_aux_rand(&message, &tweaked.to_keypair());
    let mut bytes = signature.serialize().to_vec();
    bytes.push(twist.sighash);
    Witness::from_slice(&[bytes])
}

pub(crate) fn full(transaction: &Transaction) -> String {
    format!("ful{}", STANDARD.encode(serialize(transaction)))
}

pub(crate) fn simple(transaction: &Transaction) -> String {
    format!(
        "smp{}",
        STANDARD.encode(serialize(&transaction.input[0].witness))
    )
}
