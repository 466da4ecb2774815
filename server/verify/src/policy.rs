//! The third layer: who signed, for what, and which locks the script has (rules A6, A7, A9, B4).
//!
//! The first two layers look at an input as a whole. This one looks at each signature: of two
//! signatures one may commit to everything, which hides from the other layers that the second one leaves
//! the transaction open and was copied from another transaction.
//!
//! This layer does not check again whether signatures are valid. The engine has accepted the input, the
//! oracle has shown that some signature in it commits to the transaction, and in a script that the
//! interpreter can read, every signature is checked with a key of the script. So it
//! remains to check that the interpreter can read the script, that no signature is of a type that
//! leaves anything open, and that every absolute lock on the path through the script is over: the engine
//! compares those with the transaction's lock time, which the signer chose.

use bitcoin::absolute::LockTime;
use bitcoin::sighash::{EcdsaSighashType, TapSighashType};
use bitcoin::{ScriptBuf, Transaction, TxIn, TxOut};
use miniscript::interpreter::{Interpreter, KeySigPair, SatisfiedConstraint};

mod elements;

use super::limits::{MAX_LEAF_BYTES, MAX_SCRIPT_BYTES, Work};
use super::{Refusal, locktime};
use chain::Tip;
use elements::Elements;

/// Checks that the scripts of all inputs can be read without much work (rule C8).
///
/// # Errors
/// [`Refusal::ScriptTooComplex`] for the first input whose script is too long, by itself or together with those before it.
pub fn lengths(transaction: &Transaction, previous_outputs: &[TxOut]) -> Result<(), Refusal> {
    let mut work = Work::default();
    let inputs = transaction.input.iter().zip(previous_outputs);
    for (input, (fields, coin)) in inputs.enumerate() {
        let elements = Elements::new(fields, &coin.script_pubkey);
        let most = match elements.taproot {
            true => MAX_LEAF_BYTES,
            false => MAX_SCRIPT_BYTES,
        };
        // Here the order of the signatures says for which key each is.
        work.add(input, elements.script, most, 0)?;
    }
    Ok(())
}

/// Checks the type of everything that has the form of a signature, whether or not the script uses it. The type is
/// read from the signature itself, not from a field of the file.
///
/// # Errors
/// [`Refusal::ForeignSighash`] for a type other than ALL, or DEFAULT in Taproot.
pub fn signature_types(input: usize, fields: &TxIn, script: &ScriptBuf) -> Result<(), Refusal> {
    let elements = Elements::new(fields, script);
    let foreign = if elements.taproot {
        let types = elements.stack.iter().copied();
        types
            .filter_map(elements::schnorr_type)
            .find(|byte| *byte != TapSighashType::All as u8)
    } else {
        let types = elements.all(fields);
        types
            .filter_map(elements::ecdsa_type)
            .find(|byte| *byte != EcdsaSighashType::All as u8)
    };
    match foreign {
        None => Ok(()),
        Some(byte) => Err(Refusal::ForeignSighash {
            input,
            sighash: elements::type_name(byte),
        }),
    }
}

/// Checks each signature and lock that the script uses, with the miniscript interpreter. Branches that are not
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
    if Elements::new(fields, script).is_single_key {
        // There is no script to read, and parsing the key again would cost as much as everything else.
        return signature_types(input, fields, script);
    }
    let unreadable = || {
        if Elements::new(fields, script).name_a_key() {
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
    // Of several, the latest. All are heights or all are times, because one lock time satisfies them.
    let mut locked = None;
    for constraint in interpreter.iter_assume_sigs() {
        let signature = match constraint.map_err(|_| unreadable())? {
            SatisfiedConstraint::PublicKey { key_sig }
            | SatisfiedConstraint::PublicKeyHash { key_sig, .. } => key_sig,
            SatisfiedConstraint::AbsoluteTimelock { n: lock } => {
                if !locktime::is_over(lock, tip) {
                    locked = locked.max(Some(lock.to_consensus_u32()));
                }
                continue;
            }
            // The engine compares it with the sequence number, and [`locktime::relative`] compares that with the coin's age.
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
            until: locktime::in_words(LockTime::from_consensus(lock)),
        })
    })
}

/// The type of the signature, if it does not commit to everything.
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
