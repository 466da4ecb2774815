//! PSBT version 2 (BIP-0370): the unsigned transaction is spread over the maps.

mod lock_time;

use alloc::vec::Vec;

use super::checks::{count, require};
use super::cursor::Pair;
use super::fields::{global, input, output};
use super::transaction::MAX_VEC_BYTES;
use crate::Fault;
use lock_time::LockTimes;

/// The fields of one map that only version 2 has; each has been looked at.
#[derive(Debug, Default)]
pub(super) struct Stated<'a> {
    /// No map can have more of them.
    fields: [Option<Pair<'a>>; 5],
}

/// The number of a field that is required, and missing.
type Missing = u8;

impl<'a> Stated<'a> {
    pub(super) fn put(&mut self, pair: &Pair<'a>) {
        if let Some(place) = self.fields.iter_mut().find(|place| place.is_none()) {
            *place = Some(*pair);
        }
    }

    fn get(&self, number: u8) -> Option<&'a [u8]> {
        let mut fields = self.fields.iter().flatten();
        Some(fields.find(|pair| pair.field() == number)?.value)
    }

    fn require(&self, number: u8) -> Result<&'a [u8], Missing> {
        self.get(number).ok_or(number)
    }

    fn u32(&self, number: u8) -> Option<u32> {
        let value = self.get(number)?.try_into();
        Some(u32::from_le_bytes(value.unwrap_or_default()))
    }

    fn count(&self, number: u8) -> Result<usize, Missing> {
        Ok(count(self.require(number)?).unwrap_or_default())
    }
}

/// The transaction, as far as it has been put together.
#[derive(Debug)]
pub(super) struct Assembly {
    unsigned: Vec<u8>,
    fallback_lock_time: u32,
    lock_times: LockTimes,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

impl Assembly {
    /// From what the global map says.
    pub(super) fn new(stated: &Stated<'_>) -> Result<Self, Missing> {
        let mut unsigned = stated.require(global::TX_VERSION)?.to_vec();
        let inputs = stated.count(global::INPUT_COUNT)?;
        push_count(&mut unsigned, inputs);
        Ok(Self {
            unsigned,
            fallback_lock_time: stated.u32(global::FALLBACK_LOCKTIME).unwrap_or_default(),
            lock_times: LockTimes::default(),
            inputs,
            outputs: stated.count(global::OUTPUT_COUNT)?,
        })
    }

    pub(super) fn add_input(&mut self, stated: &Stated<'_>) -> Result<(), Missing> {
        let unsigned = &mut self.unsigned;
        unsigned.extend(stated.require(input::PREVIOUS_TXID)?);
        unsigned.extend(stated.require(input::OUTPUT_INDEX)?);
        unsigned.push(0);
        // BIP-0370: "If omitted, the sequence number is assumed to be the final sequence number".
        unsigned.extend(stated.get(input::SEQUENCE).unwrap_or(&[0xff; 4]));
        self.lock_times.add(
            stated.u32(input::REQUIRED_TIME_LOCKTIME),
            stated.u32(input::REQUIRED_HEIGHT_LOCKTIME),
        );
        Ok(())
    }

    pub(super) fn begin_outputs(&mut self) {
        push_count(&mut self.unsigned, self.outputs);
    }

    pub(super) fn add_output(
        &mut self,
        stated: &Stated<'_>,
        needs_script: bool,
    ) -> Result<(), Missing> {
        self.unsigned.extend(stated.require(output::AMOUNT)?);
        let script = stated.get(output::SCRIPT);
        if script.is_none() && needs_script {
            return Err(output::SCRIPT);
        }
        push_bytes(&mut self.unsigned, script.unwrap_or_default());
        Ok(())
    }

    /// `others` is how many bytes version 0 has in its global map beside the transaction.
    pub(super) fn finish(mut self, others: usize) -> Result<Vec<u8>, Fault> {
        let lock_time = self.lock_times.determine(self.fallback_lock_time)?;
        self.unsigned.extend(lock_time.to_le_bytes());
        // As version 0 the global map would begin with the transaction, its key and the lengths of both.
        let mut length = Vec::new();
        push_count(&mut length, self.unsigned.len());
        let size = 2 + length.len() + self.unsigned.len() + others + 1;
        require(size <= MAX_VEC_BYTES, Fault::Truncated)?;
        Ok(self.unsigned)
    }
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

/// Appends bytes after their length.
pub(crate) fn push_bytes(to: &mut Vec<u8>, bytes: &[u8]) {
    push_count(to, bytes.len());
    to.extend(bytes);
}
