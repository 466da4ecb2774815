//! What a person sees of a file: where the coins are, where they go, and what is private in it.

use bitcoin::{Amount, Network, OutPoint, ScriptBuf, Sequence, Txid};

use psbt_wasm::{Encoding, PrivateFields, ScriptType, Signatures, UtxoSource};

use super::Refused;
use super::describe;
use super::format::{Content, ProofFile};

/// Everything that a file says. Amounts are in satoshis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Report {
    /// The PSBT version that the file states, 0 or 2; none for a final transaction.
    pub(crate) psbt_version: Option<u8>,
    /// How the file held its bytes.
    pub(crate) encoding: Encoding,
    /// The txid of [`ProofFile::unsigned_transaction`]. Signing inputs that are not native segwit changes it.
    pub(crate) txid: Txid,
    /// The transaction's version.
    pub(crate) transaction_version: i32,
    /// The transaction's lock time, as consensus encodes it: a height below 500,000,000, else a Unix time.
    pub(crate) lock_time: u32,
    /// The inputs, in order.
    pub(crate) inputs: Vec<InputReport>,
    /// The outputs, in order.
    pub(crate) outputs: Vec<OutputReport>,
    /// The sum of the inputs' values; none unless all of them are stated.
    pub(crate) total_input_sats: Option<u64>,
    /// The sum of the outputs' values.
    pub(crate) total_output_sats: u64,
    /// Inputs less outputs; none unless all input values are stated.
    pub(crate) fee_sats: Option<u64>,
    /// What [`ProofFile::strip`] removes.
    pub(crate) private: PrivateFields,
}

/// One input, as far as the file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InputReport {
    /// The output that it spends.
    pub(crate) outpoint: OutPoint,
    /// Its sequence number.
    pub(crate) sequence: Sequence,
    /// The value of the output that it spends.
    pub(crate) value_sats: Option<u64>,
    /// The script of the output that it spends.
    pub(crate) script_pubkey: Option<ScriptBuf>,
    /// The address of that script, for the network asked for.
    pub(crate) address: Option<String>,
    /// The kind of that script.
    pub(crate) script_type: Option<ScriptType>,
    /// Where value and script are from; none when the file does not state them.
    pub(crate) source: Option<UtxoSource>,
    /// Whether it carries signatures. Says nothing on whether they are valid.
    pub(crate) signatures: Signatures,
}

/// One output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputReport {
    /// Its value.
    pub(crate) value_sats: u64,
    /// Its script.
    pub(crate) script_pubkey: ScriptBuf,
    /// The script's address, for the network asked for.
    pub(crate) address: Option<String>,
    /// The script's kind.
    pub(crate) script_type: ScriptType,
}

/// Describes a file, with addresses of `network`.
///
pub(crate) fn report(file: &ProofFile, network: Network) -> Result<Report, Refused> {
    let transaction = file.unsigned_transaction();
    let inputs = match &file.content {
        Content::Psbt(psbt) => describe::psbt_inputs(psbt, network)?,
        Content::Transaction(transaction) => describe::final_inputs(transaction),
    };
    let total_input_sats = total_input(&inputs)?;
    let total_output_sats = sum(transaction
        .output
        .iter()
        .map(|output| output.value.to_sat()))?;
    let fee = |total: u64| {
        total
            .checked_sub(total_output_sats)
            .ok_or(Refused::whole("outputs-above-inputs"))
    };
    Ok(Report {
        psbt_version: file.psbt_version,
        encoding: file.encoding,
        txid: transaction.compute_txid(),
        transaction_version: transaction.version.0,
        lock_time: transaction.lock_time.to_consensus_u32(),
        outputs: describe::outputs(transaction, network),
        total_input_sats,
        total_output_sats,
        fee_sats: total_input_sats.map(fee).transpose()?,
        private: describe::private_fields(file),
        inputs,
    })
}

fn total_input(inputs: &[InputReport]) -> Result<Option<u64>, Refused> {
    let values: Option<Vec<u64>> = inputs.iter().map(|input| input.value_sats).collect();
    values.map(sum).transpose()
}

fn sum(values: impl IntoIterator<Item = u64>) -> Result<u64, Refused> {
    let mut total = 0_u64;
    for value in values {
        total = total
            .checked_add(value)
            .filter(|total| *total <= Amount::MAX_MONEY.to_sat())
            .ok_or(Refused::whole("amount-out-of-range"))?;
    }
    Ok(total)
}
