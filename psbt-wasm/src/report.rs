//! What a person sees of a file: where the coins are, where they go, and what is private in it.

use bitcoin::psbt::Input;
use bitcoin::{
    Address, Amount, Network, OutPoint, Psbt, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid,
};

use crate::strip::is_kept_unknown;
use crate::utxo::spent_output;
use crate::{Content, Encoding, Error, ProofFile, ScriptType, UtxoSource};

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

/// Whether an input carries signatures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signatures {
    /// None at all.
    None,
    /// At least one, and the input is not finalised.
    Partial,
    /// A final script signature or witness.
    Final,
}

/// How many fields a file holds that tell more about a wallet than a verifier needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrivateFields {
    /// Extended public keys: each reveals every address of an account.
    pub extended_public_keys: usize,
    /// Key origins: fingerprints and derivation paths, of inputs and outputs.
    pub derivation_paths: usize,
    /// Vendors' own fields.
    pub proprietary: usize,
    /// Fields of types that BIP-0174 did not define, BIP-0322's message apart.
    pub unknown: usize,
    /// Whole previous transactions.
    pub previous_transactions: usize,
}

/// Describes a file, with addresses of `network`.
///
/// # Errors
///
/// [`Error::AmountOutOfRange`] and [`Error::OutputsAboveInputs`] when its amounts cannot be.
pub fn report(file: &ProofFile, network: Network) -> Result<Report, Error> {
    let transaction = file.unsigned_transaction();
    let inputs = match &file.content {
        Content::Psbt(psbt) => psbt_inputs(psbt, network)?,
        Content::Transaction(transaction) => transaction.input.iter().map(final_input).collect(),
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
        outputs: outputs(transaction, network),
        total_input_sats,
        total_output_sats,
        fee_sats: total_input_sats.map(fee).transpose()?,
        private: private_fields(&file.content),
        inputs,
    })
}

fn psbt_inputs(psbt: &Psbt, network: Network) -> Result<Vec<InputReport>, Error> {
    let pairs = psbt.inputs.iter().zip(&psbt.unsigned_tx.input);
    pairs
        .enumerate()
        .map(|(index, (input, txin))| psbt_input(index, input, txin, network))
        .collect()
}

fn psbt_input(
    index: usize,
    input: &Input,
    txin: &TxIn,
    network: Network,
) -> Result<InputReport, Error> {
    let mut report = bare_input(txin);
    report.signatures = signatures(input);
    if let Some((
        TxOut {
            value,
            script_pubkey,
        },
        source,
    )) = spent_output(input, txin.previous_output)
    {
        if *value > Amount::MAX_MONEY {
            return Err(Error::AmountOutOfRange { input: Some(index) });
        }
        report.value_sats = Some(value.to_sat());
        report.script_type = Some(ScriptType::of_input(script_pubkey, input));
        report.address = address(script_pubkey, network);
        report.script_pubkey = Some(script_pubkey.clone());
        report.source = Some(source);
    }
    Ok(report)
}

/// A final transaction does not state what its inputs spend.
fn final_input(txin: &TxIn) -> InputReport {
    let signed = !txin.script_sig.is_empty() || !txin.witness.is_empty();
    InputReport {
        signatures: if signed {
            Signatures::Final
        } else {
            Signatures::None
        },
        ..bare_input(txin)
    }
}

fn bare_input(txin: &TxIn) -> InputReport {
    InputReport {
        outpoint: txin.previous_output,
        sequence: txin.sequence,
        value_sats: None,
        script_pubkey: None,
        address: None,
        script_type: None,
        source: None,
        signatures: Signatures::None,
    }
}

fn signatures(input: &Input) -> Signatures {
    let script_sig = input
        .final_script_sig
        .as_ref()
        .is_some_and(|script| !script.is_empty());
    let witness = input
        .final_script_witness
        .as_ref()
        .is_some_and(|witness| !witness.is_empty());
    if script_sig || witness {
        return Signatures::Final;
    }
    if input.partial_sigs.is_empty()
        && input.tap_key_sig.is_none()
        && input.tap_script_sigs.is_empty()
    {
        return Signatures::None;
    }
    Signatures::Partial
}

fn outputs(transaction: &Transaction, network: Network) -> Vec<OutputReport> {
    let describe = |output: &TxOut| OutputReport {
        value_sats: output.value.to_sat(),
        address: address(&output.script_pubkey, network),
        script_type: ScriptType::of(&output.script_pubkey),
        script_pubkey: output.script_pubkey.clone(),
    };
    transaction.output.iter().map(describe).collect()
}

fn address(script: &ScriptBuf, network: Network) -> Option<String> {
    Address::from_script(script, network)
        .ok()
        .map(|address| address.to_string())
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

fn private_fields(content: &Content) -> PrivateFields {
    let Content::Psbt(psbt) = content else {
        return PrivateFields::default();
    };
    let mut found = PrivateFields {
        extended_public_keys: psbt.xpub.len(),
        proprietary: psbt.proprietary.len(),
        unknown: psbt
            .unknown
            .keys()
            .filter(|key| !is_kept_unknown(key))
            .count(),
        ..PrivateFields::default()
    };
    for input in &psbt.inputs {
        found.derivation_paths += input.bip32_derivation.len() + input.tap_key_origins.len();
        found.proprietary += input.proprietary.len();
        found.unknown += input
            .unknown
            .keys()
            .filter(|key| !is_kept_unknown(key))
            .count();
        found.previous_transactions += usize::from(input.non_witness_utxo.is_some());
    }
    for output in &psbt.outputs {
        found.derivation_paths += output.bip32_derivation.len() + output.tap_key_origins.len();
        found.proprietary += output.proprietary.len();
        found.unknown += output.unknown.len();
    }
    found
}
