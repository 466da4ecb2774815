//! What an input spends, according to the file.
//!
//! A file's word about its coins is a hint; what this module guarantees is that the hints of one input do
//! not contradict each other.

use bitcoin::psbt::Input;
use bitcoin::{OutPoint, Psbt, TxOut};

use psbt_wasm::UtxoSource;

use super::Refused;

/// The output that an input spends: the witness UTXO, else that of the previous transaction.
///
/// [`check`] has already compared the two.
pub(crate) fn spent_output(input: &Input, outpoint: OutPoint) -> Option<(&TxOut, UtxoSource)> {
    let witness = input
        .witness_utxo
        .as_ref()
        .map(|output| (output, UtxoSource::WitnessUtxo));
    witness.or_else(|| {
        let output = input
            .non_witness_utxo
            .as_ref()?
            .output
            .get(usize::try_from(outpoint.vout).ok()?);
        Some((output?, UtxoSource::PreviousTransaction))
    })
}

/// Compares everything that each input says about what it spends.
pub(crate) fn check(psbt: &Psbt) -> Result<(), Refused> {
    for (index, (input, txin)) in psbt.inputs.iter().zip(&psbt.unsigned_tx.input).enumerate() {
        check_input(index, input, txin.previous_output)?;
    }
    Ok(())
}

fn check_input(index: usize, input: &Input, outpoint: OutPoint) -> Result<(), Refused> {
    let Some(previous) = &input.non_witness_utxo else {
        return Ok(());
    };
    // BIP-0174: "the hash of the non-witness UTXO must match the hash specified in the prevout". The txid
    // authenticates the outputs; without this check a file could state any value.
    if previous.compute_txid() != outpoint.txid {
        return Err(Refused::at("previous-transaction-mismatch", index));
    }
    let output = usize::try_from(outpoint.vout)
        .ok()
        .and_then(|vout| previous.output.get(vout))
        .ok_or(Refused::at("previous-output-missing", index))?;
    match &input.witness_utxo {
        Some(witness) if witness != output => Err(Refused::at("utxo-mismatch", index)),
        _ => Ok(()),
    }
}
