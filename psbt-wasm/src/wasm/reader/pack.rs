//! A report as one buffer, by [`layout`](super::layout). `js/report.js` is the other half.
//!
//! An object that is built property by property takes several times as long.

use alloc::vec::Vec;

use super::layout::{Header, Input, Output, Warning};
use crate::address::{self, silent_address};
use crate::read::transaction::{Tx, TxOut};
use crate::{Error, InputReport, Keys, Network, Report, SilentPayment, decode, script};

/// The report on a file, and what to look at twice in it at the time `now`.
pub(in crate::wasm) fn packed(
    bytes: Vec<u8>,
    network: Network,
    now: u32,
) -> Result<Vec<u8>, Error> {
    let binary = decode(bytes)?;
    let file = binary.read_in_progress(Keys::Form)?;
    let report = file.report_without_outputs(network)?;
    Ok(pack(&report, &file.transaction()?, now))
}

#[inline(never)]
fn pack(report: &Report<'_>, tx: &Tx<'_>, now: u32) -> Vec<u8> {
    let warnings = report.warnings(now);
    let indices: usize = warnings.iter().map(|warning| warning.inputs.len()).sum();
    let rows = Header::BYTES
        + Input::BYTES * report.inputs.len()
        + Output::BYTES * tx.output_count
        + Warning::BYTES * warnings.len();
    let scripts = report.inputs.iter().filter_map(|input| input.script_pubkey);
    let scripts = scripts.chain(tx.outputs().map(|output| output.script));
    let text = scripts.map(|script| 2 * script.len() + 64).sum::<usize>();
    // Addresses are at most 64 characters, but for witness versions that nobody uses; messages are below 128.
    let texts = text + 64 * (1 + report.inputs.len()) + 128 * warnings.len();
    let mut packed = Packed {
        bytes: Vec::with_capacity(rows + 4 * indices + texts),
        row: 0,
    };
    // The rows come first, and have the lengths of the texts, which come while they are made.
    packed.bytes.resize(rows, 0);
    for warning in &warnings {
        for index in &warning.inputs {
            packed.bytes.extend(small(*index).to_le_bytes());
        }
    }
    packed.put(&header(report, tx, warnings.len(), rows + 4 * indices).bytes());
    packed.reversed_hex(&report.txid);
    for input in &report.inputs {
        packed.input(report, input);
    }
    let mut silent = report.silent_payments.iter().peekable();
    for (index, output) in tx.outputs().enumerate() {
        let payment = silent.next_if(|payment| payment.output == index);
        packed.output(report, output, payment);
    }
    for warning in &warnings {
        packed.bytes.extend_from_slice(warning.message.as_bytes());
        let row = Warning {
            inputs: small(warning.inputs.len()),
            message_length: u8::try_from(warning.message.len()).unwrap_or_default(),
            code: warning.code as u8,
        };
        packed.put(&row.bytes());
    }
    packed.bytes.extend(report.message.unwrap_or_default());
    packed.bytes
}

#[inline(never)]
fn header(report: &Report<'_>, tx: &Tx<'_>, warnings: usize, texts: usize) -> Header {
    let private = &report.private;
    Header {
        total_input_sats: report.total_input_sats.unwrap_or(u64::MAX),
        total_output_sats: report.total_output_sats,
        fee_sats: report.fee_sats.unwrap_or(u64::MAX),
        inputs: small(report.inputs.len()),
        outputs: small(tx.output_count),
        transaction_version: report.transaction_version,
        lock_time: report.lock_time,
        extended_public_keys: small(private.extended_public_keys),
        derivation_paths: small(private.derivation_paths),
        proprietary: small(private.proprietary),
        unknown: small(private.unknown),
        previous_transactions: small(private.previous_transactions),
        message_bytes: length(report.message),
        weight: report.weight.map_or(u32::MAX, small),
        texts: small(texts),
        weight_is_exact: report.weight_is_exact.into(),
        psbt_version: report.psbt_version.unwrap_or(u8::MAX),
        encoding: report.encoding as u8,
        warnings: u8::try_from(warnings).unwrap_or_default(),
        network_hint: report.network_hint.map_or(u8::MAX, |network| network as u8),
    }
}

struct Packed {
    bytes: Vec<u8>,
    /// Where the next row begins.
    row: usize,
}

impl Packed {
    #[inline]
    fn put(&mut self, row: &[u8]) {
        self.bytes[self.row..][..row.len()].copy_from_slice(row);
        self.row += row.len();
    }

    #[inline(never)]
    fn input(&mut self, report: &Report<'_>, input: &InputReport<'_>) {
        self.reversed_hex(input.txid);
        let script = input.script_pubkey.unwrap_or_default();
        self.hex(script);
        let address_length = self.address(report, script);
        let row = Input {
            value_sats: input.value_sats.unwrap_or(u64::MAX),
            vout: input.vout,
            sequence: input.sequence,
            script_bytes: length(input.script_pubkey),
            sighash: input.sighash.unwrap_or(u32::MAX),
            address_length,
            script_type: input.script_type.map_or(u8::MAX, |kind| kind as u8),
            source: input.source.map_or(u8::MAX, |source| source as u8),
            signatures: input.signatures as u8,
        };
        self.put(&row.bytes());
    }

    #[inline(never)]
    fn output(
        &mut self,
        report: &Report<'_>,
        output: TxOut<'_>,
        payment: Option<&SilentPayment<'_>>,
    ) {
        self.hex(output.script);
        let address_length = self.address(report, output.script);
        let mut silent_address_length = 0;
        if let Some(payment) = payment {
            self.hex(payment.keys);
            let before = self.bytes.len();
            silent_address(payment.keys, report.network, &mut self.bytes);
            silent_address_length = u8::try_from(self.bytes.len() - before).unwrap_or_default();
        }
        let row = Output {
            value_sats: output.value,
            script_bytes: small(output.script.len()),
            // All bits set stand for no label; no label is that high (BIP-0352).
            label: payment
                .and_then(|payment| payment.label)
                .unwrap_or(u32::MAX),
            silent_address_length,
            address_length,
            script_type: script::kind(output.script) as u8,
        };
        self.put(&row.bytes());
    }

    /// Appends the address of a script; how long it is.
    fn address(&mut self, report: &Report<'_>, script: &[u8]) -> u8 {
        let before = self.bytes.len();
        address::address(script, report.network, &mut self.bytes);
        // At most 90 characters (BIP-0173).
        u8::try_from(self.bytes.len() - before).unwrap_or_default()
    }

    #[inline]
    fn hex(&mut self, bytes: &[u8]) {
        let end = self.bytes.len() + 2 * bytes.len();
        let mut rest = bytes;
        while let Some((row, after)) = rest.split_first_chunk() {
            self.bytes.extend_from_slice(&hex(*row));
            rest = after;
        }
        if !rest.is_empty() {
            let row = core::array::from_fn(|at| rest.get(at).copied().unwrap_or_default());
            self.bytes.extend_from_slice(&hex(row));
            self.bytes.truncate(end);
        }
    }

    /// A txid as people write it.
    fn reversed_hex(&mut self, txid: &[u8; 32]) {
        let mut reversed = *txid;
        reversed.reverse();
        self.hex(&reversed);
    }
}

fn length(bytes: Option<&[u8]>) -> u32 {
    bytes.map_or(u32::MAX, |bytes| small(bytes.len()))
}

/// Lengths and counts within a file of at most 32 MiB.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Two digits for each byte. The compiler makes vectors of the loop: a table of pairs takes several times as long.
#[inline]
#[target_feature(enable = "simd128")]
fn hex(bytes: [u8; 16]) -> [u8; 32] {
    let digit = |value: u8| value + if value < 10 { b'0' } else { b'a' - 10 };
    let mut hex = [0; 32];
    for (at, byte) in bytes.into_iter().enumerate() {
        hex[2 * at] = digit(byte >> 4);
        hex[2 * at + 1] = digit(byte & 15);
    }
    hex
}
