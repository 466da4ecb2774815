//! The outer shape of every PSBT: key-value maps, each ended by a zero byte (BIP-0174). Transactions are made of
//! the same numbers and lengths, so they are walked with the same cursor.

use crate::Fault;

/// A key-value pair; `key` is the type byte and the key data.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) key: &'a [u8],
    pub(crate) value: &'a [u8],
    /// Both with their lengths, as they are in the file.
    pub(crate) raw: &'a [u8],
}

impl<'a> Pair<'a> {
    /// The type byte of the key.
    #[inline]
    pub(crate) fn field(&self) -> u8 {
        // `next_pair` takes an empty key for the end of the map.
        self.key[0]
    }

    /// What follows the type byte in the key.
    #[inline]
    pub(crate) fn key_data(&self) -> &'a [u8] {
        &self.key[1..]
    }

    /// The whole type, a compact size (BIP-0174), and what follows it in the key: as far as they are written, whether or not Bitcoin Core
    /// reads the type.
    #[cfg(feature = "tools")]
    pub(crate) fn whole_type(&self) -> (Option<u64>, &'a [u8]) {
        let mut cursor = Cursor::new(self.key);
        let number = cursor.any_compact_size();
        (number, cursor.rest())
    }

    /// Bitcoin Core reads no file with a type that is cut short, not written in the shortest way, or above its limit of lengths.
    pub(crate) fn has_readable_type(&self) -> bool {
        let mut cursor = Cursor::new(self.key);
        cursor.is_at_type()
            && (self.field() != super::fields::global::PROPRIETARY
                // After the prefix of a vendor comes a type of its own.
                || cursor.bytes().is_ok() && cursor.is_at_type())
    }

    /// Refuses what Core cannot read, with the type that is meant.
    #[cfg(feature = "tools")]
    pub(crate) fn check_type(&self) -> Result<(), Fault> {
        if self.has_readable_type() {
            return Ok(());
        }
        let mut cursor = Cursor::new(self.key);
        if !cursor.is_at_type() {
            return Err(Fault::FieldType(self.whole_type().0));
        }
        let subtype = cursor.bytes().ok().and_then(|_| cursor.any_compact_size());
        Err(Fault::FieldType(subtype))
    }

    /// The value as a 32-bit little endian number.
    pub(crate) fn u32(&self) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The value as exactly `N` bytes.
    pub(crate) fn array<const N: usize>(&self) -> Result<[u8; N], Fault> {
        self.value.try_into().map_err(|_| LENGTH)
    }
}

/// A length that is not written in the shortest way, or not that of what has it.
pub(crate) const LENGTH: Fault = Fault::Invalid("length");

/// Walks over bytes without copying.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// For a PSBT: starts after the magic number.
    pub(crate) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Bytes that have not been walked over.
    pub(crate) fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// The bytes that are not read yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next pair of the current map, or none at its end; the call after that starts the next map.
    #[inline]
    pub(crate) fn next_pair(&mut self) -> Result<Option<Pair<'a>>, Fault> {
        let start = self.rest;
        let key = self.bytes()?;
        if key.is_empty() {
            return Ok(None);
        }
        let value = self.bytes()?;
        let raw = &start[..start.len() - self.rest.len()];
        Ok(Some(Pair { key, value, raw }))
    }

    /// The value of the field without key data that has this number, in the current map. The map has been walked over, so there is no
    /// error that could end the loop early.
    pub(crate) fn find(mut self, number: u8) -> Option<&'a [u8]> {
        while let Ok(Some(pair)) = self.next_pair() {
            if pair.key == [number] {
                return Some(pair.value);
            }
        }
        None
    }

    /// Bytes after their length.
    #[inline]
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Fault> {
        let length = usize::try_from(self.compact_size()?).map_err(|_| Fault::Truncated)?;
        self.take(length)
    }

    /// The next `length` bytes.
    #[inline]
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Fault> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Fault::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    /// The next `N` bytes.
    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<&'a [u8; N], Fault> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Fault::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    /// A compact size; like consensus code, only in its shortest form.
    #[inline]
    pub(crate) fn compact_size(&mut self) -> Result<u64, Fault> {
        let [first] = *self.array()?;
        if first < 0xfd {
            return Ok(first.into());
        }
        self.long_compact_size(first)
    }

    /// Whether a type follows that Bitcoin Core reads.
    fn is_at_type(&mut self) -> bool {
        /// Core's `MAX_SIZE`.
        const MAX_TYPE: u64 = 0x0200_0000;
        matches!(self.compact_size(), Ok(..=MAX_TYPE))
    }

    /// A compact size in any form; none if it is cut short.
    #[cfg(feature = "tools")]
    fn any_compact_size(&mut self) -> Option<u64> {
        let [first] = *self.array().ok()?;
        Some(match first {
            0xfd => u16::from_le_bytes(*self.array().ok()?).into(),
            0xfe => u32::from_le_bytes(*self.array().ok()?).into(),
            0xff => u64::from_le_bytes(*self.array().ok()?),
            number => number.into(),
        })
    }

    #[cold]
    #[inline(never)]
    fn long_compact_size(&mut self, first: u8) -> Result<u64, Fault> {
        let (size, minimum) = match first {
            0xfd => (u64::from(u16::from_le_bytes(*self.array()?)), 0xfd),
            0xfe => (u64::from(u32::from_le_bytes(*self.array()?)), 0x1_0000),
            _ => (u64::from_le_bytes(*self.array()?), 0x1_0000_0000),
        };
        if size < minimum {
            Err(LENGTH)
        } else {
            Ok(size)
        }
    }
}
