//! PSBT version 2 (BIP-0370): the unsigned transaction is spread over the maps.

mod lock_time;

use alloc::vec::Vec;

use super::{GLOBAL_VERSION, Psbt, UNSIGNED_TX, Walk};
use crate::Malformed;
use crate::cursor::{Cursor, Pair};
use crate::light::fields::require;
use crate::light::psbt::Input;
use crate::light::transaction::MAX_VEC_BYTES;
use lock_time::LockTimes;

/// Global fields that only version 2 has: transaction version, fallback lock time, counts, modifiable flags.
pub(super) const GLOBAL_FIELDS: [u8; 5] = [TX_VERSION, LOCK_TIME, INPUTS, OUTPUTS, MODIFIABLE];
const TX_VERSION: u8 = 0x02;
const LOCK_TIME: u8 = 0x03;
const INPUTS: u8 = 0x04;
const OUTPUTS: u8 = 0x05;
const MODIFIABLE: u8 = 0x06;

/// Input fields that only version 2 has: previous txid, output index, sequence, required time and height.
pub(super) const INPUT_FIELDS: [u8; 5] = [PREVIOUS_TXID, OUTPUT_INDEX, SEQUENCE, TIME, HEIGHT];
const PREVIOUS_TXID: u8 = 0x0e;
const OUTPUT_INDEX: u8 = 0x0f;
const SEQUENCE: u8 = 0x10;
const TIME: u8 = 0x11;
const HEIGHT: u8 = 0x12;

/// Output fields that only version 2 has.
pub(super) const OUTPUT_FIELDS: [u8; 2] = [AMOUNT, SCRIPT];
const AMOUNT: u8 = 0x03;
const SCRIPT: u8 = 0x04;

/// Whether a field of an input map states a part of the transaction.
pub(crate) fn is_input_field(field: u8) -> bool {
    INPUT_FIELDS.contains(&field)
}

impl<'a> Walk<'a> {
    pub(super) fn read_v2(mut self, maps: &'a [u8]) -> Result<Psbt<'a>, Malformed> {
        let global = self.global_v2()?;
        let mut unsigned = global.version.to_vec();
        push_count(&mut unsigned, global.inputs);
        let mut inputs = Vec::with_capacity(global.inputs.min(self.cursor.remaining()));
        let mut lock_times = LockTimes::default();
        for index in 0..global.inputs {
            inputs.push(self.input_v2(index, &mut unsigned, &mut lock_times)?);
        }
        push_count(&mut unsigned, global.outputs);
        for index in 0..global.outputs {
            self.output_v2(index, &mut unsigned)?;
        }
        require(self.cursor.remaining() == 0, Malformed::TrailingData)?;
        let lock_time = lock_times.determine(global.lock_time)?;
        unsigned.extend(lock_time.to_le_bytes());
        // As version 0 the global map would begin with the transaction, its key and the lengths of both.
        let mut length = Vec::new();
        push_count(&mut length, unsigned.len());
        let size = 2 + length.len() + unsigned.len() + global.others + 1;
        let result = require(size <= MAX_VEC_BYTES, Malformed::Truncated);
        self.note(result);
        self.finish(2, unsigned.into(), inputs, global.outputs, maps)
    }

    fn global_v2(&mut self) -> Result<Global, Malformed> {
        let (mut version, mut lock_time, mut inputs, mut outputs) = (None, None, None, None);
        let (mut modifiable, mut psbt_version, mut others) = (None, None, 0);
        while let Some(pair) = self.cursor.next_pair()? {
            match pair.key {
                [UNSIGNED_TX] => return Err(Malformed::MixedVersions),
                [TX_VERSION] => once(&mut version, pair.array("transaction version")?)?,
                [LOCK_TIME] => once(&mut lock_time, pair.u32("lock time")?)?,
                [INPUTS] => once(&mut inputs, count(&pair)?)?,
                [OUTPUTS] => once(&mut outputs, count(&pair)?)?,
                [MODIFIABLE] => once(&mut modifiable, pair.array::<1>("modifiable flags")?)?,
                [GLOBAL_VERSION] => once(&mut psbt_version, ())?,
                _ => {
                    keep(&pair, &GLOBAL_FIELDS)?;
                    others += pair.raw.len();
                    let result = self.other_global_field(&pair);
                    self.note(result);
                }
            }
        }
        let result = require(self.seen.end_of_map(), Malformed::DuplicateField);
        self.note(result);
        Ok(Global {
            version: version.ok_or(Malformed::MissingField("transaction version"))?,
            lock_time: lock_time.unwrap_or(0),
            inputs: inputs.ok_or(Malformed::MissingField("input count"))?,
            outputs: outputs.ok_or(Malformed::MissingField("output count"))?,
            others,
        })
    }

    fn other_global_field(&mut self, pair: &Pair<'a>) -> Result<(), Malformed> {
        require(self.seen.insert(pair.key), Malformed::DuplicateField)?;
        // The key of the unsigned transaction, with more after it.
        require(
            pair.field() != UNSIGNED_TX,
            Malformed::InvalidField("field key"),
        )?;
        self.global_field(pair)
    }

    fn input_v2(
        &mut self,
        index: usize,
        unsigned: &mut Vec<u8>,
        lock_times: &mut LockTimes,
    ) -> Result<Input<'a>, Malformed> {
        let start = self.cursor;
        let mut input = Input::default();
        let (mut txid, mut vout, mut sequence) = (None, None, None);
        let mut lock_time = lock_time::Required::default();
        while let Some(pair) = self.cursor.next_pair()? {
            match pair.key {
                [PREVIOUS_TXID] => once(&mut txid, pair.array::<32>("previous txid")?)?,
                [OUTPUT_INDEX] => once(&mut vout, pair.array::<4>("output index")?)?,
                [SEQUENCE] => once(&mut sequence, pair.array::<4>("sequence number")?)?,
                [TIME] => lock_time.set_time(&pair)?,
                [HEIGHT] => lock_time.set_height(&pair)?,
                _ => {
                    keep(&pair, &INPUT_FIELDS)?;
                    let result = self.input_pair(&pair, &mut input);
                    self.note(result);
                }
            }
        }
        let result = self.end_of_map(start, super::DERIVATION);
        self.note(result);
        input.finish(self.map_since(start));
        let missing = |field| Malformed::MissingInputField {
            input: index,
            field,
        };
        unsigned.extend(txid.ok_or(missing("previous txid"))?);
        unsigned.extend(vout.ok_or(missing("output index"))?);
        unsigned.push(0);
        // BIP-0370: "If omitted, the sequence number is assumed to be the final sequence number".
        unsigned.extend(sequence.unwrap_or([0xff; 4]));
        lock_times.add(lock_time);
        Ok(input)
    }

    fn output_v2(&mut self, index: usize, unsigned: &mut Vec<u8>) -> Result<(), Malformed> {
        let start = self.cursor;
        let (mut amount, mut script) = (None, None);
        while let Some(pair) = self.cursor.next_pair()? {
            match pair.key {
                [AMOUNT] => once(&mut amount, pair.array::<8>("amount")?)?,
                [SCRIPT] => once(&mut script, pair.value)?,
                _ => {
                    keep(&pair, &OUTPUT_FIELDS)?;
                    let result = self.output_field(&pair);
                    self.note(result);
                }
            }
        }
        let result = self.end_of_map(start, super::OUTPUT_DERIVATION);
        self.note(result);
        let missing = |field| Malformed::MissingOutputField {
            output: index,
            field,
        };
        unsigned.extend(amount.ok_or(missing("amount"))?);
        let script = script.ok_or(missing("script"))?;
        push_count(unsigned, script.len());
        unsigned.extend(script);
        Ok(())
    }
}

/// What the global map says about the transaction.
struct Global {
    version: [u8; 4],
    lock_time: u32,
    inputs: usize,
    outputs: usize,
    /// The bytes of all fields that version 0 has as well.
    others: usize,
}

/// Fields of version 2 have no key data, and the exact keys have been dealt with.
fn keep(pair: &Pair<'_>, fields: &[u8]) -> Result<(), Malformed> {
    require(
        !fields.contains(&pair.field()),
        Malformed::InvalidField("field key"),
    )
}

/// BIP-0174: no key may appear twice in a map.
fn once<T>(field: &mut Option<T>, value: T) -> Result<(), Malformed> {
    require(field.replace(value).is_none(), Malformed::DuplicateField)
}

fn count(pair: &Pair<'_>) -> Result<usize, Malformed> {
    let mut value = Cursor::new(pair.value);
    let count = value.compact_size()?;
    require(value.remaining() == 0, Malformed::InvalidField("count"))?;
    usize::try_from(count).map_err(|_| Malformed::Truncated)
}

/// Appends a compact size.
pub(crate) fn push_count(bytes: &mut Vec<u8>, count: usize) {
    let digits = (count as u64).to_le_bytes();
    match count {
        0..=0xfc => bytes.push(digits[0]),
        0xfd..=0xffff => {
            bytes.push(0xfd);
            bytes.extend(&digits[..2]);
        }
        _ => {
            // Files are far below 4 GiB.
            bytes.push(0xfe);
            bytes.extend(&digits[..4]);
        }
    }
}
