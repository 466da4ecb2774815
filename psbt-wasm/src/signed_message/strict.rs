//! The rules of BIP-322 that concern the form of what satisfies a script ("Verification Process", 3).

use alloc::vec::Vec;

use bitcoin::secp256k1::ecdsa::Signature;
use bitcoin::{TxIn, TxOut};

use super::MessageReason;
use crate::read::is_der;
use crate::script::{Instruction, instructions, push_prefix};
use crate::signatures::is_signature;
use crate::signatures::template::CODESEPARATOR;

/// The first byte of an annex (BIP-341).
const ANNEX: u8 = 0x50;

/// The rule that an input breaks, whatever its signatures are worth.
pub(super) fn broken_rule(input: &TxIn, coin: &TxOut) -> Option<MessageReason> {
    let script_sig = input.script_sig.as_bytes();
    if !pushes_are_minimal(script_sig) {
        return Some(MessageReason::NotStrict);
    }
    let witness: Vec<&[u8]> = input.witness.iter().collect();
    if coin.script_pubkey.is_p2tr() {
        return match witness[..] {
            [_, .., annex] if annex.first() == Some(&ANNEX) => Some(MessageReason::UnknownVersion),
            [.., leaf, _] if separates(leaf) => Some(MessageReason::CodeSeparator),
            _ => None,
        };
    }
    let pushed = instructions(script_sig).filter_map(|instruction| instruction?.pushed());
    let elements: Vec<&[u8]> = pushed.chain(witness).collect();
    // A key is 33 or 65 bytes and never begins as a signature does.
    let has_script = |script: &&[u8]| script.len() != 33 && script.len() != 65 && separates(script);
    if elements.last().is_some_and(has_script) {
        return Some(MessageReason::CodeSeparator);
    }
    let mut signatures = elements.iter().filter(|element| is_signature(element));
    let is_strict = signatures.all(|signature| is_strict(signature));
    (!is_strict).then_some(MessageReason::NotStrict)
}

/// Strict DER (BIP-66) with the lower of the two values that S can have, and the type.
fn is_strict(signature: &[u8]) -> bool {
    let Some((_, der)) = signature.split_last() else {
        return false;
    };
    // Bytes that do not parse as a signature fail the signature check. Here only the form of the others matters.
    let Ok(parsed) = Signature::from_der(der) else {
        return true;
    };
    is_der(der).is_some() && is_normalized(parsed)
}

/// Whether a signature of 64 bytes has the lower of the two values that S can have.
pub(super) fn is_low_s(compact: &[u8]) -> bool {
    Signature::from_compact(compact).is_ok_and(is_normalized)
}

fn is_normalized(signature: Signature) -> bool {
    let mut normalized = signature;
    normalized.normalize_s();
    normalized == signature
}

fn separates(script: &[u8]) -> bool {
    instructions(script).any(|instruction| instruction == Some(Instruction::Op(CODESEPARATOR)))
}

/// Whether each push of a script takes as few bytes as it can (`MINIMALDATA`).
fn pushes_are_minimal(script: &[u8]) -> bool {
    let mut length = 0;
    for instruction in instructions(script) {
        length += match instruction {
            Some(Instruction::Op(_)) => 1,
            Some(Instruction::Push([1..=16 | 0x81])) | None => return false,
            Some(Instruction::Push(bytes)) => push_prefix(bytes.len()) + bytes.len(),
        };
    }
    length == script.len()
}
