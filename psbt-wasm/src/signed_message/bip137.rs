//! Signatures of one key, which is recovered from them (BIP-137).

use bitcoin::consensus::serialize;
use bitcoin::secp256k1::ecdsa::{RecoverableSignature, RecoveryId};
use bitcoin::secp256k1::{Message, PublicKey};
use bitcoin::{Script, VarInt, secp256k1};

use super::{MessageReason, strict};
use crate::hash::{hash160, sha256d};
use crate::signatures::verifier;
use crate::{ScriptType, script};

/// None when these bytes are no such signature, or when the address is of a kind that never has one. Otherwise whether a key of the
/// address has signed; true when the header byte names another kind of address.
pub(super) fn verify(
    script: &Script,
    message: &[u8],
    signature: &[u8],
) -> Option<Result<bool, MessageReason>> {
    let (header, compact) = signature.split_first()?;
    let kind = script::kind(script.as_bytes());
    let exact = match kind {
        ScriptType::P2pkh => 27..=34,
        ScriptType::P2sh => 35..=38,
        ScriptType::P2wpkh => 39..=42,
        ScriptType::P2tr => 0..=0,
        _ => return None,
    };
    if compact.len() != 64 || !(27..=42).contains(header) {
        return None;
    }
    if kind == ScriptType::P2tr {
        return Some(Err(MessageReason::Bip137Taproot));
    }
    if !strict::is_low_s(compact) {
        return Some(Err(MessageReason::NotStrict));
    }
    let Some(key) = recover(*header, compact, message) else {
        return Some(Err(MessageReason::WrongSignature));
    };
    let compressed = hash160(&key.serialize());
    let fits = match kind {
        ScriptType::P2pkh if *header < 31 => {
            hash160(&key.serialize_uncompressed()) == script.as_bytes()[3..23]
        }
        ScriptType::P2pkh => compressed == script.as_bytes()[3..23],
        ScriptType::P2wpkh => compressed == script.as_bytes()[2..22],
        _ => hash160(&[&[0, 20], &compressed[..]].concat()) == script.as_bytes()[2..22],
    };
    Some(if fits {
        Ok(!exact.contains(header))
    } else {
        Err(MessageReason::WrongSignature)
    })
}

fn recover(header: u8, compact: &[u8], message: &[u8]) -> Option<PublicKey> {
    let id = RecoveryId::from_i32(i32::from(header - 27) & 3).ok()?;
    let signature = RecoverableSignature::from_compact(compact, id).ok()?;
    let length = serialize(&VarInt::from(message.len()));
    let digest = sha256d(&[b"\x18Bitcoin Signed Message:\n", &length, message]);
    let verifier = verifier();
    let recovered: Result<_, secp256k1::Error> =
        verifier.recover_ecdsa(&Message::from_digest(digest), &signature);
    recovered.ok()
}
