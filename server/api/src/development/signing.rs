//! The development wallet, which signs files over an account's coins as a holder's wallet does.

use std::collections::{BTreeSet, HashMap};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::Psbt;
use bitcoin::psbt::Input;
use bitcoin::secp256k1::Secp256k1;
use miniscript::psbt::PsbtExt;

use super::transfer::Transfer;
use verify::bip322::message_key;

/// Why nothing was signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// It is not a PSBT that can be signed.
    #[error(
        "The development wallet cannot sign this file: {0}. Send it the file to sign that the upload page makes, in base64."
    )]
    Unusable(String),
    /// An input spends a coin that is not in the wallet, or one that an earlier input spends.
    #[error(
        "Input {} spends no coin of your development wallet, or the same one again. Choose the unsigned sample on the upload page, and have \
         the file that is made of it signed.",
        .input + 1
    )]
    NotOurs {
        /// The input, counted from 0.
        input: usize,
    },
}

/// Signs and finalizes every input of a file over the coins of these transfers, in either form.
///
/// Only the transaction and the message are read from the file. The wallet knows its coins itself, so that files without
/// input fields can be signed too.
pub(super) fn sign(transfers: &[Transfer], psbt_base64: &str) -> Result<Psbt, SignError> {
    let bytes = STANDARD
        .decode(psbt_base64)
        .map_err(|_| SignError::Unusable("it is not base64".to_owned()))?;
    let mut psbt = Psbt::deserialize(&bytes).map_err(unusable)?;
    let message = psbt.unknown.get(&message_key()).cloned();
    let mut spendable = HashMap::new();
    for (owner, transfer) in transfers.iter().enumerate() {
        for (outpoint, previous, index) in transfer.spendable(message.as_deref()) {
            spendable.insert(outpoint, (owner, previous, index));
        }
    }
    let mut owners = BTreeSet::new();
    for input in 0..psbt.inputs.len() {
        let outpoint = psbt.unsigned_tx.input[input].previous_output;
        let (owner, previous, index) = spendable
            .remove(&outpoint)
            .ok_or(SignError::NotOurs { input })?;
        psbt.inputs[input] = Input::default();
        transfers[owner].describe(&mut psbt, input, &previous, index);
        owners.insert(owner);
    }
    for owner in owners {
        transfers[owner].sign(&mut psbt);
    }
    psbt.finalize_mut(&Secp256k1::verification_only())
        .map_err(|errors| {
            unusable(
                errors
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join("; "),
            )
        })?;
    Ok(psbt)
}

fn unusable(reason: impl ToString) -> SignError {
    SignError::Unusable(reason.to_string())
}
