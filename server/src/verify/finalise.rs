//! Signatures to the scriptSigs and witnesses of a final transaction (BIP-0174, Input Finalizer).
//!
//! Finalising is not verifying: what comes out is only what the signatures say, put in its place.

use std::sync::LazyLock;

use bitcoin::secp256k1::{Secp256k1, VerifyOnly};
use bitcoin::{Psbt, Transaction};
use miniscript::psbt::{Error, InputError, PsbtExt};
use psbt_wasm::{Content, ProofFile};

use super::Refusal;
use crate::chain::Unspent;

/// The heaviest transaction that is looked at, in weight units: what nodes relay (rule A1).
pub const MAX_WEIGHT: u64 = 400_000;

static SECP: LazyLock<Secp256k1<VerifyOnly>> = LazyLock::new(Secp256k1::verification_only);

/// The final transaction of a file, with the previous outputs from the chain in place of those that
/// the file states.
///
/// # Errors
/// When an input cannot be completed, or the transaction is too heavy.
pub fn finalise(file: ProofFile, coins: &[Unspent]) -> Result<Transaction, Refusal> {
    let transaction = match file.content {
        Content::Transaction(transaction) => transaction,
        Content::Psbt(psbt) => complete(*psbt, coins)?,
        _ => return Err(Refusal::Uncheckable),
    };
    let weight = transaction.weight().to_wu();
    if weight > MAX_WEIGHT {
        return Err(Refusal::TooHeavy {
            weight,
            limit: MAX_WEIGHT,
        });
    }
    Ok(transaction)
}

fn complete(mut psbt: Psbt, coins: &[Unspent]) -> Result<Transaction, Refusal> {
    if psbt.inputs.len() != coins.len() || psbt.unsigned_tx.input.len() != coins.len() {
        return Err(Refusal::Uncheckable);
    }
    for (fields, coin) in psbt.inputs.iter_mut().zip(coins) {
        // The only previous outputs in play are the chain's. It also keeps the finaliser from
        // indexing into a previous transaction.
        fields.non_witness_utxo = None;
        fields.witness_utxo = Some(coin.output.clone());
        // Empty final fields would count as finalised.
        fields.final_script_sig.take_if(|script| script.is_empty());
        fields.final_script_witness.take_if(|witness| witness.is_empty());
    }
    for input in 0..psbt.inputs.len() {
        psbt.finalize_inp_mut(&SECP, input)
            .map_err(|error| refusal(&error, input))?;
    }
    let mut transaction = psbt.unsigned_tx;
    for (input, fields) in transaction.input.iter_mut().zip(psbt.inputs) {
        input.script_sig = fields.final_script_sig.unwrap_or_default();
        input.witness = fields.final_script_witness.unwrap_or_default();
    }
    Ok(transaction)
}

fn refusal(error: &Error, input: usize) -> Refusal {
    use miniscript::Error as Miniscript;
    use miniscript::interpreter::Error as Script;
    match error {
        Error::InputError(InputError::MiniscriptError(Miniscript::CouldNotSatisfy), _)
        | Error::InputError(InputError::CouldNotSatisfyTr, _) => Refusal::Incomplete { input },
        Error::InputError(
            InputError::Interpreter(
                Script::InvalidEcdsaSignature(_)
                | Script::InvalidSchnorrSignature(_)
                | Script::EcdsaSig(_)
                | Script::SchnorrSig(_)
                | Script::InvalidSchnorrSighashType(_),
            ),
            _,
        ) => Refusal::InvalidSignature { input },
        _ => Refusal::CannotFinalise { input },
    }
}
