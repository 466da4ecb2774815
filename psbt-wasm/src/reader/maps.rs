//! The outer shape of every PSBT: key-value maps, each ended by a zero byte (BIP-0174).

use crate::Malformed;

/// A key-value pair; `key` is the type byte and the key data.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) key: &'a [u8],
    pub(crate) value: &'a [u8],
    /// Both with their lengths, as they are in the file.
    pub(crate) raw: &'a [u8],
}

impl Pair<'_> {
    /// The value as a 32-bit little endian number; `name` is for the message.
    pub(crate) fn u32(&self, name: &'static str) -> Result<u32, Malformed> {
        Ok(u32::from_le_bytes(self.array(name)?))
    }

    /// The value as exactly `N` bytes; `name` is for the message.
    pub(crate) fn array<const N: usize>(&self, name: &'static str) -> Result<[u8; N], Malformed> {
        self.value
            .try_into()
            .map_err(|_| Malformed::InvalidField(name))
    }
}

/// Walks over the maps of a PSBT without copying.
#[derive(Debug)]
pub(crate) struct Maps<'a> {
    rest: &'a [u8],
}

impl<'a> Maps<'a> {
    /// Starts after the magic number.
    pub(crate) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Bytes that have not been walked over.
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// The next pair of the current map, or none at its end; the call after that starts the next map.
    pub(crate) fn next_pair(&mut self) -> Result<Option<Pair<'a>>, Malformed> {
        let start = self.rest;
        let key = self.bytes()?;
        if key.is_empty() {
            return Ok(None);
        }
        let value = self.bytes()?;
        let raw = &start[..start.len() - self.rest.len()];
        Ok(Some(Pair { key, value, raw }))
    }

    fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(self.compact_size()?).map_err(|_| Malformed::Truncated)?;
        self.take(length)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(Malformed::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    /// A compact size; like consensus code, only in its shortest form.
    pub(crate) fn compact_size(&mut self) -> Result<u64, Malformed> {
        let (size, minimum) = match self.take(1)?[0] {
            0xfd => (self.little_endian(2)?, 0xfd),
            0xfe => (self.little_endian(4)?, 0x1_0000),
            0xff => (self.little_endian(8)?, 0x1_0000_0000),
            small => (small.into(), 0),
        };
        if size < minimum {
            Err(Malformed::InvalidField("length"))
        } else {
            Ok(size)
        }
    }

    fn little_endian(&mut self, length: usize) -> Result<u64, Malformed> {
        Ok(self
            .take(length)?
            .iter()
            .rev()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}
