//! A report as one buffer: numbers in rows of a fixed width, then all texts one after the other, in ASCII.
//! `js/report.js` is the other half.
//!
//! All numbers are little endian. A number that is absent has all bits set.

use alloc::vec::Vec;
use core::arch::wasm32::{
    u8x16_shr, u8x16_shuffle, u8x16_splat, u8x16_swizzle, u64x2, u64x2_extract_lane, v128_and,
};

use crate::light::{InputReport, OutputReport, Report};
use crate::{Encoding, ScriptType, Signatures, UtxoSource};

const HEADER: usize = 64;
const INPUT: usize = 32;
const OUTPUT: usize = 16;

/// Packs a report.
pub(super) fn report(report: &Report<'_>) -> Vec<u8> {
    let rows = HEADER + INPUT * report.inputs.len() + OUTPUT * report.outputs.len();
    let scripts = report.inputs.iter().filter_map(|input| input.script_pubkey);
    let scripts = scripts.chain(report.outputs.iter().map(|output| output.script_pubkey));
    let text = scripts.map(|script| 2 * script.len() + 64).sum::<usize>();
    // Addresses are at most 64 characters, but for witness versions that nobody uses.
    let mut packed = Packed(Vec::with_capacity(
        rows + text + 64 * (1 + report.inputs.len()),
    ));
    packed.header(report);
    // Numbers first, so the texts are made twice rather than kept twice: their lengths stand in the rows.
    packed.0.resize(rows, 0);
    packed.reversed_hex(&report.txid);
    let mut row = HEADER;
    for input in &report.inputs {
        packed.input(report, input, row);
        row += INPUT;
    }
    for output in &report.outputs {
        packed.output(report, output, row);
        row += OUTPUT;
    }
    packed.0
}

struct Packed(Vec<u8>);

impl Packed {
    fn header(&mut self, report: &Report<'_>) {
        let encoding = match report.encoding {
            Encoding::Binary => 0,
            Encoding::Base64 => 1,
            Encoding::Hex => 2,
        };
        self.count(report.inputs.len());
        self.count(report.outputs.len());
        self.0
            .extend([report.psbt_version.unwrap_or(u8::MAX), encoding, 0, 0]);
        self.0.extend(report.transaction_version.to_le_bytes());
        self.0.extend(report.lock_time.to_le_bytes());
        let private = &report.private;
        self.count(private.extended_public_keys);
        self.count(private.derivation_paths);
        self.count(private.proprietary);
        self.count(private.unknown);
        self.count(private.previous_transactions);
        self.sats(report.total_input_sats);
        self.sats(Some(report.total_output_sats));
        self.sats(report.fee_sats);
    }

    fn input(&mut self, report: &Report<'_>, input: &InputReport<'_>, row: usize) {
        self.reversed_hex(input.txid);
        let script = input.script_pubkey.unwrap_or_default();
        self.hex(script);
        let address = self.address(report, script);
        let mut numbers = [0; INPUT];
        numbers[..8].copy_from_slice(&input.value_sats.unwrap_or(u64::MAX).to_le_bytes());
        numbers[8..12].copy_from_slice(&input.vout.to_le_bytes());
        numbers[12..16].copy_from_slice(&input.sequence.to_le_bytes());
        let length = input
            .script_pubkey
            .map_or(u32::MAX, |script| small(script.len()));
        numbers[16..20].copy_from_slice(&length.to_le_bytes());
        numbers[20..24].copy_from_slice(&input.sighash.unwrap_or(u32::MAX).to_le_bytes());
        numbers[24] = address;
        numbers[25] = input.script_type.map_or(u8::MAX, script_type);
        numbers[26] = match input.source {
            None => 0,
            Some(UtxoSource::WitnessUtxo) => 1,
            Some(UtxoSource::PreviousTransaction) => 2,
        };
        numbers[27] = match input.signatures {
            Signatures::None => 0,
            Signatures::Partial => 1,
            Signatures::Final => 2,
        };
        self.0[row..row + INPUT].copy_from_slice(&numbers);
    }

    fn output(&mut self, report: &Report<'_>, output: &OutputReport<'_>, row: usize) {
        self.hex(output.script_pubkey);
        let address = self.address(report, output.script_pubkey);
        let mut numbers = [0; OUTPUT];
        numbers[..8].copy_from_slice(&output.value_sats.to_le_bytes());
        numbers[8..12].copy_from_slice(&small(output.script_pubkey.len()).to_le_bytes());
        numbers[12] = address;
        numbers[13] = script_type(output.script_type);
        self.0[row..row + OUTPUT].copy_from_slice(&numbers);
    }

    /// Appends the address of a script; how long it is.
    fn address(&mut self, report: &Report<'_>, script: &[u8]) -> u8 {
        let before = self.0.len();
        report.address_into(script, &mut self.0);
        // At most 90 characters (BIP-0173).
        u8::try_from(self.0.len() - before).unwrap_or_default()
    }

    #[inline]
    fn hex(&mut self, bytes: &[u8]) {
        let end = self.0.len() + 2 * bytes.len();
        let (rows, rest) = bytes.as_chunks();
        for row in rows {
            self.0.extend_from_slice(&hex(*row));
        }
        if !rest.is_empty() {
            let row = core::array::from_fn(|at| rest.get(at).copied().unwrap_or_default());
            self.0.extend_from_slice(&hex(row));
            self.0.truncate(end);
        }
    }

    /// A txid as people write it.
    fn reversed_hex(&mut self, txid: &[u8; 32]) {
        let mut reversed = *txid;
        reversed.reverse();
        self.hex(&reversed);
    }

    fn count(&mut self, count: usize) {
        self.0.extend(small(count).to_le_bytes());
    }

    fn sats(&mut self, sats: Option<u64>) {
        self.0.extend(sats.unwrap_or(u64::MAX).to_le_bytes());
    }
}

/// Lengths and counts within a file of at most 32 MiB.
fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The place of a name in the list of `js/report.js`.
fn script_type(script_type: ScriptType) -> u8 {
    match script_type {
        ScriptType::P2pk => 0,
        ScriptType::P2pkh => 1,
        ScriptType::P2sh => 2,
        ScriptType::P2wpkh => 3,
        ScriptType::P2wsh => 4,
        ScriptType::P2shP2wpkh => 5,
        ScriptType::P2shP2wsh => 6,
        ScriptType::P2tr => 7,
        ScriptType::P2ms => 8,
        ScriptType::OpReturn => 9,
        ScriptType::P2a => 10,
        ScriptType::Unknown => 11,
    }
}

/// Two digits for each byte, by vectors: a table of pairs takes several times as long.
#[inline]
#[target_feature(enable = "simd128")]
fn hex(bytes: [u8; 16]) -> [u8; 32] {
    let digits = u64x2(
        u64::from_le_bytes(*b"01234567"),
        u64::from_le_bytes(*b"89abcdef"),
    );
    let (halves, _) = bytes.as_chunks();
    let row = u64x2(u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1]));
    let upper = u8x16_swizzle(digits, u8x16_shr(row, 4));
    let lower = u8x16_swizzle(digits, v128_and(row, u8x16_splat(15)));
    let start =
        u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(upper, lower);
    let end =
        u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(upper, lower);
    let words = [
        u64x2_extract_lane::<0>(start),
        u64x2_extract_lane::<1>(start),
        u64x2_extract_lane::<0>(end),
        u64x2_extract_lane::<1>(end),
    ];
    let mut hex = [0; 32];
    for (eight, word) in hex.as_chunks_mut().0.iter_mut().zip(words) {
        *eight = word.to_le_bytes();
    }
    hex
}
