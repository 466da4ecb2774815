//! Maps of key-value pairs (BIP-0174), by the numbers of the `bitcoin` crate.

use bitcoin::VarInt;
use bitcoin::consensus::{Decodable, encode::serialize};

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

/// A field of a file that is taken apart: key and value.
pub(crate) type Field = (Vec<u8>, Vec<u8>);

/// The maps of a PSBT; none when it has none.
pub(crate) fn maps(file: &[u8]) -> Option<Vec<Vec<Field>>> {
    let mut rest = file.strip_prefix(b"psbt\xff")?;
    let mut maps = Vec::new();
    while !rest.is_empty() {
        let mut map = Vec::new();
        while let Some(pair) = next_pair(&mut rest).ok()? {
            map.push((pair.key.to_vec(), pair.value.to_vec()));
        }
        maps.push(map);
    }
    Some(maps)
}

/// A PSBT of these maps.
pub(crate) fn write(maps: &[Vec<Field>]) -> Vec<u8> {
    let mut file = b"psbt\xff".to_vec();
    for map in maps {
        for (key, value) in map {
            file.extend([serialize(key), serialize(value)].concat());
        }
        file.push(0);
    }
    file
}
