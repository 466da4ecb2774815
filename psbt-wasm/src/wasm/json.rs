//! A [`Report`] as JSON, with the names of `js/index.d.ts`.
//!
//! By hand, because a serialisation framework would add 4 kB to the download. No text in a report has a
//! character that JSON would escape: hexadecimal digits, addresses, and words from fixed lists.

use std::fmt::Write;

use bitcoin::Script;

use crate::{Encoding, InputReport, OutputReport, PrivateFields, Report, Signatures, UtxoSource};

/// The report as JSON text.
pub(super) fn report(report: &Report) -> String {
    // An input takes about 350 characters, an output 200.
    let size = 512 + 384 * report.inputs.len() + 256 * report.outputs.len();
    let mut text = String::with_capacity(size);
    report.write(&mut text);
    text
}

trait Json {
    fn write(&self, out: &mut String);
}

/// Writes `{"name":value,…}`.
macro_rules! object {
    ($out:ident, $first:literal: $first_value:expr, $($name:literal: $value:expr),* $(,)?) => {
        $out.push_str(concat!("{\"", $first, "\":"));
        $first_value.write($out);
        $(
            $out.push_str(concat!(",\"", $name, "\":"));
            $value.write($out);
        )*
        $out.push('}');
    };
}

/// Anything whose `Display` is a number.
struct Number<T>(T);
/// Anything whose `Display` needs no escapes.
struct Text<T>(T);

impl<T: std::fmt::Display> Json for Number<T> {
    fn write(&self, out: &mut String) {
        write!(out, "{}", self.0).expect("a string takes every write");
    }
}

impl<T: std::fmt::Display> Json for Text<T> {
    fn write(&self, out: &mut String) {
        write!(out, "\"{}\"", self.0).expect("a string takes every write");
    }
}

impl Json for &Script {
    fn write(&self, out: &mut String) {
        write!(out, "\"{self:x}\"").expect("a string takes every write");
    }
}

impl<T: Json> Json for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: Json> Json for Vec<T> {
    fn write(&self, out: &mut String) {
        for (index, item) in self.iter().enumerate() {
            out.push(if index == 0 { '[' } else { ',' });
            item.write(out);
        }
        out.push_str(if self.is_empty() { "[]" } else { "]" });
    }
}

impl Json for Report {
    fn write(&self, out: &mut String) {
        object!(out,
            "format": Text(if self.psbt_version.is_some() { "psbt" } else { "transaction" }),
            "version": self.psbt_version.map(Number),
            "encoding": Text(match self.encoding {
                Encoding::Binary => "binary",
                Encoding::Base64 => "base64",
                Encoding::Hex => "hex",
            }),
            "txid": Text(self.txid),
            "transactionVersion": Number(self.transaction_version),
            "lockTime": Number(self.lock_time),
            "inputs": self.inputs,
            "outputs": self.outputs,
            "totalInputSats": self.total_input_sats.map(Number),
            "totalOutputSats": Number(self.total_output_sats),
            "feeSats": self.fee_sats.map(Number),
            "private": self.private,
        );
    }
}

impl Json for InputReport {
    fn write(&self, out: &mut String) {
        object!(out,
            "txid": Text(self.outpoint.txid),
            "vout": Number(self.outpoint.vout),
            "sequence": Number(self.sequence.0),
            "valueSats": self.value_sats.map(Number),
            "scriptPubKey": self.script_pubkey.as_deref(),
            "address": self.address.as_ref().map(Text),
            "scriptType": self.script_type.map(|script_type| Text(script_type.name())),
            "source": Text(match self.source {
                Some(UtxoSource::WitnessUtxo) => "witness-utxo",
                Some(UtxoSource::PreviousTransaction) => "previous-transaction",
                None => "none",
            }),
            "signatures": Text(match self.signatures {
                Signatures::None => "none",
                Signatures::Partial => "partial",
                Signatures::Final => "final",
            }),
        );
    }
}

impl Json for OutputReport {
    fn write(&self, out: &mut String) {
        object!(out,
            "valueSats": Number(self.value_sats),
            "scriptPubKey": self.script_pubkey.as_script(),
            "address": self.address.as_ref().map(Text),
            "scriptType": Text(self.script_type.name()),
        );
    }
}

impl Json for PrivateFields {
    fn write(&self, out: &mut String) {
        object!(out,
            "extendedPublicKeys": Number(self.extended_public_keys),
            "derivationPaths": Number(self.derivation_paths),
            "proprietary": Number(self.proprietary),
            "unknown": Number(self.unknown),
            "previousTransactions": Number(self.previous_transactions),
        );
    }
}
