//! A proof of funds over a message (BIP-0322, version 2.0.0).

use alloc::vec;

use bitcoin::absolute::LockTime;
use bitcoin::opcodes::OP_0;
use bitcoin::opcodes::all::OP_RETURN;
use bitcoin::script::Builder;
use bitcoin::transaction::Version;
use bitcoin::{Amount, OutPoint, Script, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Witness};

use crate::hash::sha256;

/// Longest script that can be run, in bytes (Core's `MAX_SCRIPT_SIZE`): a longer one signs nothing, and would be hashed once for
/// every message.
const MAX_SCRIPT_BYTES: usize = 10_000;

/// The hash of a message, tagged as in BIP-0340.
#[must_use]
pub fn message_hash(message: &[u8]) -> [u8; 32] {
    let tag = sha256(&[b"BIP0322-signed-message"]);
    sha256(&[&tag, &tag, message])
}

/// The virtual transaction whose only output, number 0, the first input of `to_sign` spends.
#[must_use]
pub fn to_spend(message: &[u8], challenge: &Script) -> Transaction {
    Transaction {
        version: Version(0),
        lock_time: LockTime::ZERO,
        input: vec![TxIn {
            previous_output: OutPoint::null(),
            script_sig: Builder::new()
                .push_opcode(OP_0)
                .push_slice(message_hash(message))
                .into_script(),
            sequence: Sequence::ZERO,
            witness: Witness::new(),
        }],
        output: vec![TxOut {
            value: Amount::ZERO,
            script_pubkey: challenge.into(),
        }],
    }
}

/// Whether an outpoint is that of the message for this script. The txid commits to both.
#[must_use]
pub fn spends_message(outpoint: OutPoint, message: &[u8], challenge: &Script) -> bool {
    challenge.len() <= MAX_SCRIPT_BYTES
        && outpoint == OutPoint::new(to_spend(message, challenge).compute_txid(), 0)
}

/// A rule of the form of `to_sign`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MessageFault {
    /// Its only output is a bare `OP_RETURN` of value 0.
    #[error("its only output must be an OP_RETURN without value")]
    Outputs,
    /// Its first input spends the message.
    #[error("its first input must spend the message, and the coins come after it")]
    FirstInput,
    /// Its first input spends output 0.
    #[error("its first input must spend output 0")]
    OutputIndex,
    /// Its version is 0 or 2 (the "upgradeable rules").
    #[error("its transaction version must be 0 or 2")]
    Version,
    /// A proof of funds has at least one more input.
    #[error("it needs a coin to prove beside the message")]
    NoCoins,
}

/// The only output of `to_sign`.
pub(crate) fn only_output() -> TxOut {
    TxOut {
        value: Amount::ZERO,
        script_pubkey: ScriptBuf::from(vec![OP_RETURN.to_u8()]),
    }
}

/// The rule of the form that `to_sign` breaks, if any (BIP-0322, "Verification Process", 1.3 and 4.1). Lock time and sequence
/// numbers are free in the full format.
#[must_use]
pub fn message_fault(to_sign: &Transaction) -> Option<MessageFault> {
    let first = to_sign.input.first();
    if to_sign.output != [only_output()] {
        Some(MessageFault::Outputs)
    } else if first.is_none_or(|first| first.previous_output.vout != 0) {
        Some(MessageFault::OutputIndex)
    } else if ![Version(0), Version(2)].contains(&to_sign.version) {
        Some(MessageFault::Version)
    } else if to_sign.input.len() < 2 {
        Some(MessageFault::NoCoins)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BIP-0322, "Message hashing".
    #[test]
    fn hashes_are_those_of_the_standard() {
        let hex = |message: &[u8]| {
            let hash = message_hash(message);
            hash.map(|byte| format!("{byte:02x}")).concat()
        };
        assert_eq!(
            hex(b""),
            "c90c269c4f8fcbe6880f72a721ddfbf1914268a794cbb21cfafee13770ae19f1"
        );
        assert_eq!(
            hex(b"Hello World"),
            "f0eb03b1a75ac6d9847f55c624a99169b5dccba2a31f5b23bea77ba270de0a7a"
        );
    }
}
