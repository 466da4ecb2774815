//! Whose a file is, by what it says itself.

use alloc::{string::String, vec::Vec};

use bitcoin::consensus::deserialize;
use bitcoin::{Sequence, Transaction, TxOut};

use super::message::only_output;
use super::still::{Motion, has_form, is_still};
use crate::statement::{self, mentions_statement, without_code};
use crate::{Error, Fault, Keys, decode};

/// What a file says of whose it is. It is for the holder, before anything is sent: the board that takes the file looks up what it does not
/// state. Outputs and inputs count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Binding {
    /// It is a message or a still transaction with the statement.
    Bound,
    /// It is a proof of funds whose message is not in the file.
    MessageNotStated,
    /// It carries the statement, and does not state what all of its inputs spend.
    ValuesNotStated,
    /// It carries a statement for the same name and site with another code.
    OtherCode,
    /// It carries this other statement.
    Foreign(String),
    /// It carries the statement, and is not still: it could be broadcast, or moves something.
    Moving {
        /// Why.
        motion: Motion,
        /// The output with the statement.
        output: usize,
    },
    /// A message with the statement whose first input the signer has made final, which BIP-0322 does not provide for.
    FinalSequence,
    /// It mentions no statement.
    Unbound,
}

/// Judges a PSBT or transaction, signed or not, by the statement of an account. A file without outputs is unbound: a proof can be made of
/// its coins.
///
/// # Errors
/// Those of [`decode`] and of [`Binary::read_in_progress`](crate::Binary::read_in_progress) with [`Keys::Form`].
pub fn binding_of(file: &[u8], line: &str) -> Result<Binding, Error> {
    let binary = decode(file)?;
    let file = match binary.read_in_progress(Keys::Form) {
        Err(Error::NoOutputs) => return Ok(Binding::Unbound),
        read => read?,
    };
    let parsed = deserialize(file.transaction_bytes());
    let transaction: Transaction = parsed.map_err(|_| Fault::Invalid("transaction"))?;
    if transaction.output == [only_output()] {
        let message = file.psbt.as_ref().and_then(|psbt| psbt.message());
        return Ok(of_message(message, &transaction, line));
    }
    let inputs = file.inputs()?.into_iter();
    let spent: Option<Vec<_>> = inputs.map(|(spent, ..)| spent.map(TxOut::from)).collect();
    Ok(of_transaction(&transaction, spent.as_deref(), line))
}

fn of_message(message: Option<&[u8]>, to_sign: &Transaction, line: &str) -> Binding {
    let Some(message) = message else {
        return Binding::MessageNotStated;
    };
    let message = String::from_utf8_lossy(message).into_owned();
    let first = to_sign.input.first();
    if without_code(&message) != without_code(line) {
        Binding::Foreign(message)
    } else if first.is_some_and(|first| first.sequence == Sequence::MAX) {
        Binding::FinalSequence
    } else if message != line {
        Binding::OtherCode
    } else {
        Binding::Bound
    }
}

fn of_transaction(transaction: &Transaction, spent: Option<&[TxOut]>, line: &str) -> Binding {
    let scripts = transaction.output.iter();
    let scripts = scripts.map(|output| output.script_pubkey.as_bytes());
    let mut carried: Option<(usize, &str)> = None;
    let mut foreign = None;
    for (output, script) in scripts.enumerate() {
        if !mentions_statement(script) {
            continue;
        }
        let Some(said) = pushed(script) else {
            // An empty line is in no script.
            let mut windows = script.windows(line.len().max(1));
            if !windows.any(|window| window == line.as_bytes()) {
                return Binding::Foreign(mangled(script));
            }
            let motion = Motion::Form;
            return Binding::Moving { motion, output };
        };
        if without_code(said) != without_code(line) {
            foreign = foreign.or(Some(said));
        }
        carried = carried.or(Some((output, said)));
    }
    if let Some(said) = foreign {
        return Binding::Foreign(said.into());
    }
    let Some((output, said)) = carried else {
        return Binding::Unbound;
    };
    let still = match spent {
        Some(spent) => is_still(transaction, spent.iter(), said),
        None => has_form(transaction, said),
    };
    match still {
        Err(motion) => Binding::Moving { motion, output },
        Ok(()) if said != line => Binding::OtherCode,
        Ok(()) if spent.is_none() => Binding::ValuesNotStated,
        Ok(()) => Binding::Bound,
    }
}

/// The text that an output carries as a statement.
fn pushed(script: &[u8]) -> Option<&str> {
    let said = core::str::from_utf8(script.get(2..)?).ok()?;
    (statement::script(said)? == script).then_some(said)
}

/// A statement in an output of another form, from its first letter on.
fn mangled(script: &[u8]) -> String {
    let mut starts = script.windows(4);
    let second = starts.position(|window| window.eq_ignore_ascii_case(b"roof"));
    let start = second.unwrap_or_default().saturating_sub(1);
    String::from_utf8_lossy(&script[start..]).into_owned()
}
