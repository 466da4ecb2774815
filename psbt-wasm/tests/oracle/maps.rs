//! Maps of key-value pairs (BIP-0174), by the numbers of the `bitcoin` crate.

use bitcoin::VarInt;
use bitcoin::consensus::{Decodable, encode::serialize};

/// A key-value pair; the key is the type byte and the key data.
pub(crate) type Field = (Vec<u8>, Vec<u8>);

/// The maps of a PSBT: global, inputs, outputs. None when the file is not made of maps.
pub(crate) fn maps(file: &[u8]) -> Option<Vec<Vec<Field>>> {
    let mut rest = file.strip_prefix(b"psbt\xff")?;
    let mut maps = Vec::new();
    while !rest.is_empty() {
        let mut map = Vec::new();
        while *rest.first()? != 0 {
            map.push((bytes(&mut rest)?, bytes(&mut rest)?));
        }
        rest = &rest[1..];
        maps.push(map);
    }
    Some(maps)
}

/// Takes what follows its length.
fn bytes(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let length = VarInt::consensus_decode(rest).ok()?.0;
    let (bytes, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = after;
    Some(bytes.to_vec())
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
