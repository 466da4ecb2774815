//! The report on a file, for people.

use alloc::{string::String, vec::Vec};

use crate::address::{self, Network};
use crate::amount::{MAX_MONEY, add};
use crate::hash::txid::txid;
use crate::read::File;
use crate::read::input::Input;
use crate::read::maps::Psbt;
use crate::read::transaction::{Tx, TxIn, TxOut};
use crate::{
    Encoding, Error, PrivateFields, ScriptType, Signatures, SilentPayment, UtxoSource, script,
};

/// What a file says. Amounts are in satoshis.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Report<'a> {
    /// The PSBT version that the file states, 0 or 2; none for a final transaction.
    pub psbt_version: Option<u8>,
    /// How the file encodes its bytes.
    pub encoding: Encoding,
    /// The txid, in the order of its bytes, which is the reverse of how it is written.
    pub txid: [u8; 32],
    /// The transaction's version.
    pub transaction_version: i32,
    /// A height below 500,000,000, else a Unix time.
    pub lock_time: u32,
    /// The inputs, in order.
    pub inputs: Vec<InputReport<'a>>,
    /// The outputs, in order.
    pub outputs: Vec<OutputReport<'a>>,
    /// The message that a proof of funds signs (BIP-0322), as it is in the file; none for other files.
    pub message: Option<&'a [u8]>,
    /// The sum of the inputs' values; none unless all of them are stated.
    pub total_input_sats: Option<u64>,
    /// The sum of the outputs' values.
    pub total_output_sats: u64,
    /// Inputs less outputs; none unless all input values are stated.
    pub fee_sats: Option<u64>,
    /// The weight of the signed transaction (BIP-0141); none when an input is of an unusual kind, or not described.
    pub weight: Option<usize>,
    /// Whether the weight is exact, because every input is final. Otherwise a signature counts as 72 bytes, and taproot as a key spend.
    pub weight_is_exact: bool,
    /// The silent payment addresses that outputs pay (BIP-0375).
    pub silent_payments: &'a [SilentPayment<'a>],
    /// The fields that [`File::strip`] removes.
    pub private: PrivateFields,
    /// Whether a field has a type that Bitcoin Core does not read, so that it refuses the file.
    pub has_unreadable_type: bool,
    /// The network of the addresses.
    pub network: Network,
    /// The network that derivation paths and extended public keys name: mainnet, or testnet for any test network. None when they name
    /// none, or contradict each other.
    pub network_hint: Option<Network>,
}

/// One input, as far as the file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputReport<'a> {
    /// The txid of the output that it spends, in the order of its bytes.
    pub txid: &'a [u8; 32],
    /// The index of that output.
    pub vout: u32,
    /// Its sequence number.
    pub sequence: u32,
    /// The value of that output.
    pub value_sats: Option<u64>,
    /// The script of that output.
    pub script_pubkey: Option<&'a [u8]>,
    /// The kind of that script.
    pub script_type: Option<ScriptType>,
    /// Where value and script come from; none when the file does not state them.
    pub source: Option<UtxoSource>,
    /// Whether it has signatures. Whether they are valid is not checked.
    pub signatures: Signatures,
    /// The signature hash type that the file requests, or that the signatures of an unfinished input have. If there are several, one
    /// that is neither ALL nor DEFAULT.
    pub sighash: Option<u32>,
}

/// One output.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputReport<'a> {
    /// What the output pays, in sats.
    pub value_sats: u64,
    /// The scriptPubKey.
    pub script_pubkey: &'a [u8],
    /// The script's kind.
    pub script_type: ScriptType,
}

impl Report<'_> {
    /// The size that fees are counted by, in virtual bytes (BIP-0141).
    pub fn vsize(&self) -> Option<usize> {
        self.weight.map(|weight| weight.div_ceil(4))
    }

    /// The address of a silent payment.
    pub fn silent_address(&self, payment: &SilentPayment<'_>) -> String {
        let mut text = Vec::new();
        address::silent_address(payment.keys, self.network, &mut text);
        String::from_utf8(text).unwrap_or_default()
    }

    /// The address of a script, if it has one.
    pub fn address(&self, script: &[u8]) -> Option<String> {
        let mut text = Vec::new();
        address::address(script, self.network, &mut text);
        String::from_utf8(text).ok().filter(|text| !text.is_empty())
    }
}

impl File<'_> {
    /// Describes the file, with addresses of `network`.
    ///
    /// # Errors
    ///
    /// [`Error::AmountOutOfRange`] and [`Error::OutputsAboveInputs`] when the amounts are impossible.
    pub fn report(&self, network: Network) -> Result<Report<'_>, Error> {
        let mut report = self.report_without_outputs(network)?;
        let outputs = self.transaction()?.outputs().map(|output| OutputReport {
            value_sats: output.value,
            script_pubkey: output.script,
            script_type: script::kind(output.script),
        });
        report.outputs = outputs.collect();
        Ok(report)
    }

    /// For callers who take the outputs from the transaction: a list of millions of them takes 90 MB.
    #[inline(never)]
    pub(crate) fn report_without_outputs(&self, network: Network) -> Result<Report<'_>, Error> {
        let tx = self.transaction()?;
        let (inputs, private, message, silent_payments) = match &self.psbt {
            Some(psbt) => {
                let inputs = psbt_inputs(psbt, &tx)?;
                (inputs, psbt.private, psbt.message(), &psbt.silent[..])
            }
            None => (final_inputs(&tx), PrivateFields::default(), None, &[][..]),
        };
        let total_input_sats = total_input(&inputs)?;
        let mut values = tx.outputs().map(|output| output.value);
        let total_output_sats = values.try_fold(0, add)?;
        let fee_sats = match total_input_sats {
            Some(total) if total >= total_output_sats => Some(total - total_output_sats),
            // Inputs may be missing still.
            Some(_) if self.in_progress && !silent_payments.is_empty() => None,
            Some(_) => return Err(Error::OutputsAboveInputs),
            None => None,
        };
        let weight = self.weight(&tx, &inputs);
        Ok(Report {
            psbt_version: self.psbt_version(),
            encoding: self.encoding,
            txid: self.txid.unwrap_or_else(|| txid(&tx)),
            transaction_version: tx.version,
            lock_time: tx.lock_time,
            outputs: Vec::new(),
            message,
            total_input_sats,
            total_output_sats,
            fee_sats,
            weight,
            weight_is_exact: (inputs.iter()).all(|input| input.signatures == Signatures::Final),
            silent_payments,
            inputs,
            private,
            has_unreadable_type: (self.psbt.as_ref()).is_some_and(|psbt| psbt.has_unreadable_type),
            network,
            network_hint: (self.psbt.as_ref()).and_then(|psbt| psbt.network_hint.network()),
        })
    }
}

fn psbt_inputs<'a>(psbt: &'a Psbt<'_>, tx: &Tx<'a>) -> Result<Vec<InputReport<'a>>, Error> {
    let mut reports = Vec::with_capacity(psbt.inputs.len());
    for (index, (input, txin)) in psbt.inputs.iter().zip(tx.inputs()).enumerate() {
        let report = psbt_input(psbt, input, &txin);
        reports.push(report.ok_or(Error::AmountOutOfRange { input: Some(index) })?);
    }
    Ok(reports)
}

/// None if the value is above all that there can be.
#[inline(never)]
fn psbt_input<'a>(psbt: &Psbt<'a>, input: &Input<'a>, txin: &TxIn<'a>) -> Option<InputReport<'a>> {
    let mut report = bare_input(txin);
    report.signatures = input.signatures();
    report.sighash = input.sighash;
    if let Some((TxOut { value, script }, source)) = psbt.spent_output(input, txin.vout()) {
        if value > MAX_MONEY {
            return None;
        }
        report.value_sats = Some(value);
        report.script_type = Some(input.script_type(script));
        report.script_pubkey = Some(script);
        report.source = Some(source);
    }
    Some(report)
}

/// A final transaction does not state what its inputs spend.
fn final_inputs<'a>(tx: &Tx<'a>) -> Vec<InputReport<'a>> {
    let mut reports = Vec::with_capacity(tx.input_count);
    for (txin, is_signed) in tx.inputs().zip(tx.signed_inputs()) {
        let mut report = bare_input(&txin);
        if is_signed {
            report.signatures = Signatures::Final;
        }
        reports.push(report);
    }
    reports
}

fn bare_input<'a>(txin: &TxIn<'a>) -> InputReport<'a> {
    const NO_TXID: [u8; 32] = [0; 32];
    InputReport {
        txid: txin.outpoint.first_chunk().unwrap_or(&NO_TXID),
        vout: txin.vout(),
        sequence: txin.sequence,
        value_sats: None,
        script_pubkey: None,
        script_type: None,
        source: None,
        signatures: Signatures::None,
        sighash: None,
    }
}

fn total_input(inputs: &[InputReport<'_>]) -> Result<Option<u64>, Error> {
    if inputs.iter().any(|input| input.value_sats.is_none()) {
        return Ok(None);
    }
    let mut values = inputs.iter().filter_map(|input| input.value_sats);
    values.try_fold(0, add).map(Some)
}
