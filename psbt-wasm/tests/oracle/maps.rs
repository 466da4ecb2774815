//! Key-value pairs (BIP-0174), by the numbers of the `bitcoin` crate.

use bitcoin::VarInt;
use bitcoin::consensus::Decodable;

/// Anything that is wrong with the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// A key-value pair; `key` is the type byte and the key data.
pub(crate) struct Pair<'a> {
    pub(crate) key: &'a [u8],
    pub(crate) value: &'a [u8],
    /// Both with their lengths, as they are in the file.
    pub(crate) raw: &'a [u8],
}

impl Pair<'_> {
    pub(crate) fn u32(&self) -> Result<u32, Malformed> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn array<const N: usize>(&self) -> Result<[u8; N], Malformed> {
        self.value.try_into().map_err(|_| Malformed)
    }
}

/// Takes the next pair of a map, or none at its end.
pub(crate) fn next_pair<'a>(rest: &mut &'a [u8]) -> Result<Option<Pair<'a>>, Malformed> {
    let start = *rest;
    let key = bytes(rest)?;
    if key.is_empty() {
        return Ok(None);
    }
    let value = bytes(rest)?;
    let raw = &start[..start.len() - rest.len()];
    Ok(Some(Pair { key, value, raw }))
}

fn bytes<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], Malformed> {
    let length = usize::try_from(number(rest)?).map_err(|_| Malformed)?;
    let (bytes, after) = rest.split_at_checked(length).ok_or(Malformed)?;
    *rest = after;
    Ok(bytes)
}

/// Takes a compact size.
pub(crate) fn number(rest: &mut &[u8]) -> Result<u64, Malformed> {
    let number = VarInt::consensus_decode(rest).map_err(|_| Malformed)?;
    Ok(number.0)
}
