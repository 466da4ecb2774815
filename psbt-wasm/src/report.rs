//! What a person sees of a file: where the coins are, where they go, and what is private in it.

mod describe;

use bitcoin::{Amount, Network, OutPoint, ScriptBuf, Sequence, Txid};

use crate::{
    Content, Encoding, Error, PrivateFields, ProofFile, ScriptType, Signatures, UtxoSource,
};

/// Everything that a file says. Amounts are in satoshis.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The PSBT version that the file states, 0 or 2; none for a final transaction.
    pub psbt_version: Option<u8>,
    /// How the file held its bytes.
    pub encoding: Encoding,
    /// The txid of [`ProofFile::unsigned_transaction`]. Signing inputs that are not native segwit changes it.
    pub txid: Txid,
    /// The transaction's version.
    pub transaction_version: i32,
    /// The transaction's lock time, as consensus encodes it: a height below 500,000,000, else a Unix time.
    pub lock_time: u32,
    /// The inputs, in order.
    pub inputs: Vec<InputReport>,
    /// The outputs, in order.
    pub outputs: Vec<OutputReport>,
    /// The sum of the inputs' values; none unless all of them are stated.
    pub total_input_sats: Option<u64>,
    /// The sum of the outputs' values.
    pub total_output_sats: u64,
    /// Inputs less outputs; none unless all input values are stated.
    pub fee_sats: Option<u64>,
    /// What [`ProofFile::strip`] removes.
    pub private: PrivateFields,
}

/// One input, as far as the file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputReport {
    /// The output that it spends.
    pub outpoint: OutPoint,
    /// Its sequence number.
    pub sequence: Sequence,
    /// The value of the output that it spends.
    pub value_sats: Option<u64>,
    /// The script of the output that it spends.
    pub script_pubkey: Option<ScriptBuf>,
    /// The address of that script, for the network asked for.
    pub address: Option<String>,
    /// The kind of that script.
    pub script_type: Option<ScriptType>,
    /// Where value and script are from; none when the file does not state them.
    pub source: Option<UtxoSource>,
    /// Whether it carries signatures. Says nothing on whether they are valid.
    pub signatures: Signatures,
}

/// One output.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputReport {
    /// Its value.
    pub value_sats: u64,
    /// Its script.
    pub script_pubkey: ScriptBuf,
    /// The script's address, for the network asked for.
    pub address: Option<String>,
    /// The script's kind.
    pub script_type: ScriptType,
}

/// Describes a file, with addresses of `network`.
///
/// # Errors
///
/// [`Error::AmountOutOfRange`] and [`Error::OutputsAboveInputs`] when its amounts cannot be.
pub fn report(file: &ProofFile, network: Network) -> Result<Report, Error> {
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
            .ok_or(Error::OutputsAboveInputs)
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
        private: describe::private_fields(&file.content),
        inputs,
    })
}

fn total_input(inputs: &[InputReport]) -> Result<Option<u64>, Error> {
    let values: Option<Vec<u64>> = inputs.iter().map(|input| input.value_sats).collect();
    values.map(sum).transpose()
}

fn sum(values: impl IntoIterator<Item = u64>) -> Result<u64, Error> {
    let mut total = 0_u64;
    for value in values {
        total = total
            .checked_add(value)
            .filter(|total| *total <= Amount::MAX_MONEY.to_sat())
            .ok_or(Error::AmountOutOfRange { input: None })?;
    }
    Ok(total)
}
