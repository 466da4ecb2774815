//! The third layer: who signed, for what, and which locks the script has (rules A6, A7, A9, B4).
//!
//! The first two layers look at an input as a whole. This one looks at each signature: one of two
//! signatures may commit to everything, and so hide that the other one leaves
//! the transaction open and was taken from another one.
//!
//! Whether signatures are valid is already known. The engine has accepted the input, the
//! oracle has seen that some signature in it commits to the transaction, and in a script that the
//! interpreter can read, every key that a signature is checked with is the script's own. So what is
//! left to check is that the interpreter can read the script, that no signature has a type that
//! leaves anything open, and that every absolute lock on the executed path is over: the engine
//! compares those with the transaction's lock time, which the signer chose.

use bitcoin::absolute::LockTime;
use bitcoin::sighash::{EcdsaSighashType, TapSighashType};
use bitcoin::{ScriptBuf, Transaction, TxIn, TxOut};
use miniscript::interpreter::{Interpreter, KeySigPair, SatisfiedConstraint};

mod elements;
mod signature_type;

use super::limits::{Allowance, MAX_LEAF_BYTES, MAX_SCRIPT_BYTES};
use super::{Refusal, locktime};
use chain::Tip;
use elements::Elements;

/// Checks that the scripts of all inputs can be read without much work (rule C8).
///
/// # Errors
/// [`Refusal::ScriptTooComplex`] for the first input whose script exceeds its own limit or the total.
pub fn lengths(transaction: &Transaction, previous_outputs: &[TxOut]) -> Result<(), Refusal> {
    let mut allowance = Allowance::default();
    let inputs = transaction.input.iter().zip(previous_outputs);
    for (input, (fields, coin)) in inputs.enumerate() {
        let elements = Elements::of(fields, &coin.script_pubkey);
        let most = match elements.taproot {
            true => MAX_LEAF_BYTES,
            false => MAX_SCRIPT_BYTES,
        };
        // The order of signatures says which one belongs to which key.
        allowance.script(input, elements.script, most, 0)?;
    }
    Ok(())
}

/// Checks every element that has the form of a signature, used by the script or not: the type is
/// read from the signature itself, not from a field of the file.
///
/// # Errors
/// [`Refusal::ForeignSighash`] for a type other than ALL, or DEFAULT in Taproot.
pub fn signature_types(input: usize, fields: &TxIn, script: &ScriptBuf) -> Result<(), Refusal> {
    let elements = Elements::of(fields, script);
    let foreign = if elements.taproot {
        let types = elements.stack.iter().copied();
        types
            .filter_map(signature_type::schnorr)
            .find(|byte| *byte != TapSighashType::All as u8)
    } else {
        let types = elements.all(fields);
        types
            .filter_map(signature_type::ecdsa)
            .find(|byte| *byte != EcdsaSighashType::All as u8)
    };
    match foreign {
        None => Ok(()),
        Some(byte) => Err(Refusal::ForeignSighash {
            input,
            sighash: signature_type::name(byte),
        }),
    }
}

/// Checks the signatures and locks that the script uses, one by one, with the miniscript interpreter. Branches that are not
/// taken do not count.
///
/// # Errors
/// [`Refusal::KeyNotCommitted`] when no key of the script has signed, [`Refusal::ForeignSighash`]
/// for a signature that leaves something open, [`Refusal::AbsoluteLock`] for a lock that is not over at `tip`,
/// [`Refusal::Inconclusive`] when the interpreter cannot read the script or does not agree with the engine about it.
pub fn conditions(
    input: usize,
    transaction: &Transaction,
    script: &ScriptBuf,
    tip: &Tip,
) -> Result<(), Refusal> {
    let fields = transaction.input.get(input).ok_or(Refusal::Uncheckable)?;
    if Elements::of(fields, script).of_one_key {
        // There is no script to read, and reading the key again would cost as much as everything else.
        return signature_types(input, fields, script);
    }
    let unreadable = || {
        if Elements::of(fields, script).name_a_key() {
            Refusal::Inconclusive { input }
        } else {
            Refusal::KeyNotCommitted { input }
        }
    };
    let interpreter = Interpreter::from_txdata(
        script,
        &fields.script_sig,
        &fields.witness,
        fields.sequence,
        transaction.lock_time,
    )
    .map_err(|_| unreadable())?;
    let mut signed = false;
    let mut locked: Option<LockTime> = None;
    for constraint in interpreter.iter_assume_sigs() {
        let signature = match constraint.map_err(|_| unreadable())? {
            SatisfiedConstraint::PublicKey { key_sig }
            | SatisfiedConstraint::PublicKeyHash { key_sig, .. } => key_sig,
            SatisfiedConstraint::AbsoluteTimelock { n: lock } => {
                if !locktime::is_over(lock, tip) {
                    locked = Some(latest(lock, locked));
                }
                continue;
            }
            // The engine has compared it with the sequence number, which `locktime` compares with the coin's age.
            SatisfiedConstraint::RelativeTimelock { .. } | SatisfiedConstraint::HashLock { .. } => {
                continue;
            }
        };
        if let Some(sighash) = foreign(&signature) {
            return Err(Refusal::ForeignSighash { input, sighash });
        }
        signed = true;
    }
    if !signed {
        return Err(Refusal::KeyNotCommitted { input });
    }
    locked.map_or(Ok(()), |lock| {
        Err(Refusal::AbsoluteLock {
            input,
            until: locktime::in_words(lock),
        })
    })
}

/// The later of two locks, both heights or both times: one lock time has satisfied them.
fn latest(lock: LockTime, other: Option<LockTime>) -> LockTime {
    other
        .filter(|other| other.to_consensus_u32() > lock.to_consensus_u32())
        .unwrap_or(lock)
}

/// The name of a signature's type when it does not commit to everything.
fn foreign(signature: &KeySigPair) -> Option<String> {
    match signature {
        KeySigPair::Ecdsa(_, signature) => (signature.sighash_type != EcdsaSighashType::All)
            .then(|| signature.sighash_type.to_string()),
        KeySigPair::Schnorr(_, signature) => match signature.sighash_type {
            TapSighashType::Default | TapSighashType::All => None,
            other => Some(other.to_string()),
        },
    }
}
