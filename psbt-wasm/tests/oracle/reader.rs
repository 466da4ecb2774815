//! PSBT bytes → [`Psbt`], strictly.
//!
//! The `bitcoin` crate parses; this module adds what the crate leaves open: version 2, bytes after the last
//! map, and fields of the other version.

use bitcoin::Psbt;
use bitcoin::psbt::raw::Key;

use super::MAGIC;
use super::extended_keys;
use super::maps::{Malformed, next_pair};
use super::version2 as v2;

/// BIP-0174: `PSBT_GLOBAL_VERSION`.
pub(super) const GLOBAL_VERSION: u8 = 0xfb;

/// What [`read`] finds in a file.
pub(super) struct Parsed {
    pub(super) psbt: Psbt,
    /// The version that the file states.
    pub(super) version: u8,
    /// The bytes as version 0 has them.
    pub(super) binary: Vec<u8>,
    /// The number of extended public keys that the crate does not know, and that are in neither.
    pub(super) foreign_extended_keys: usize,
}

/// Reads binary PSBT bytes, magic number included.
pub(super) fn read(bytes: Vec<u8>) -> Result<Parsed, Malformed> {
    let maps = bytes.get(MAGIC.len()..).ok_or(Malformed)?;
    let version = version(maps)?;
    let bytes = match version {
        0 => bytes,
        2 => v2::to_v0(maps)?,
        _ => return Err(Malformed),
    };
    let (binary, foreign_extended_keys) = extended_keys::without_foreign(&bytes)?;
    Ok(Parsed {
        psbt: if version == 0 {
            read_v0(&binary)?
        } else {
            parse(&binary)?
        },
        version: u8::try_from(version).map_err(|_| Malformed)?,
        binary,
        foreign_extended_keys,
    })
}

/// The version field decides (absent means 0), whatever other fields there are.
fn version(maps: &[u8]) -> Result<u32, Malformed> {
    let mut maps = maps;
    let mut version = 0;
    while let Some(pair) = next_pair(&mut maps)? {
        if pair.key == [GLOBAL_VERSION] {
            version = pair.u32()?;
        }
    }
    Ok(version)
}

fn read_v0(bytes: &[u8]) -> Result<Psbt, Malformed> {
    let psbt = parse(bytes)?;
    // BIP-0370: these fields must not be in version 0. The crate does not know them.
    let has = |unknown: &std::collections::BTreeMap<Key, Vec<u8>>, types: &[u8]| {
        unknown.keys().any(|key| types.contains(&key.type_value))
    };
    if has(&psbt.unknown, &v2::GLOBAL_FIELDS)
        || psbt
            .inputs
            .iter()
            .any(|input| has(&input.unknown, &v2::INPUT_FIELDS))
        || psbt
            .outputs
            .iter()
            .any(|output| has(&output.unknown, &v2::OUTPUT_FIELDS))
    {
        return Err(Malformed);
    }
    Ok(psbt)
}

fn parse(bytes: &[u8]) -> Result<Psbt, Malformed> {
    let mut rest = bytes;
    let psbt = Psbt::deserialize_from_reader(&mut rest).map_err(|_| Malformed)?;
    if rest.is_empty() {
        Ok(psbt)
    } else {
        Err(Malformed)
    }
}
