//! PSBT bytes → [`Psbt`], strictly.
//!
//! The `bitcoin` crate parses; this module adds what the crate leaves open: version 2, bytes after the last map, fields of the other
//! version, and extended public keys with other versions than BIP-0032's, such as those of SLIP-0132, which wallets write in
//! spite of BIP-0174.

use std::collections::BTreeSet;

use bitcoin::Psbt;
use bitcoin::bip32::Xpub;

use super::maps::{Field, maps, write};
use super::version2::{self, GLOBAL, INPUT, OUTPUT};

/// `PSBT_GLOBAL_XPUB`.
const XPUB: u8 = 0x01;
/// `PSBT_GLOBAL_VERSION`.
const VERSION: u8 = 0xfb;

/// The versions that the crate knows: `xpub` and `tpub`.
const KNOWN: [[u8; 4]; 2] = [[0x04, 0x88, 0xb2, 0x1e], [0x04, 0x35, 0x87, 0xcf]];

/// What [`read`] finds in a file.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(super) psbt: Psbt,
    /// The version that the file states.
    pub(super) version: u8,
    /// The file as version 0 has it, without the extended public keys that the crate does not know.
    pub(super) maps: Vec<Vec<Field>>,
    /// The file as it was given.
    pub(super) original: Vec<Vec<Field>>,
    /// The number of extended public keys that the crate does not know.
    pub(super) foreign_extended_keys: usize,
}

/// Reads binary PSBT bytes, magic number included.
pub(super) fn read(file: &[u8]) -> Option<Parsed> {
    let mut maps = maps(file)?;
    let original = maps.clone();
    // The version field decides (absent means 0), whatever other fields there are.
    let mut version = [0; 4];
    for (_, value) in maps.first()?.iter().filter(|(key, _)| *key == [VERSION]) {
        version = value[..].try_into().ok()?;
    }
    let version = u8::try_from(u32::from_le_bytes(version)).ok()?;
    if version == 2 {
        maps = version2::to_version_0(maps)?;
    } else if version != 0 {
        return None;
    }
    let foreign_extended_keys = take_foreign_keys(&mut maps[0])?;
    let binary = write(&maps);
    let mut rest = &binary[..];
    let psbt = Psbt::deserialize_from_reader(&mut rest).ok()?;
    // BIP-0370: fields of version 2 must not be in version 0. The crate does not know them.
    let (inputs, outputs) = maps[1..].split_at(psbt.inputs.len());
    let has = |maps: &[Vec<Field>], numbers: &[u8]| {
        let mut fields = maps.iter().flatten();
        fields.any(|(key, _)| numbers.contains(&key[0]))
    };
    let is_mixed = has(&maps[..1], &GLOBAL) || has(inputs, &INPUT) || has(outputs, &OUTPUT);
    // bitcoinjs-lib writes the map of an output where there are none.
    let is_end = rest.is_empty() || psbt.outputs.is_empty() && rest == [0];
    (is_end && !is_mixed).then_some(Parsed {
        psbt,
        version,
        maps,
        original,
        foreign_extended_keys,
    })
}

/// Takes the keys that the crate does not know. They must be extended keys in all but the version.
fn take_foreign_keys(global: &mut Vec<Field>) -> Option<usize> {
    let is_known = |version: Option<&[u8]>| KNOWN.iter().any(|known| version == Some(&known[..]));
    let fields = std::mem::take(global).into_iter();
    let (foreign, kept): (Vec<Field>, Vec<Field>) =
        fields.partition(|(key, _)| key[0] == XPUB && !is_known(key.get(1..5)));
    *global = kept;
    for (key, origin) in &foreign {
        Xpub::decode(&[&KNOWN[0][..], key.get(5..)?].concat()).ok()?;
        // A fingerprint and a path.
        (!origin.is_empty() && origin.len() % 4 == 0).then_some(())?;
    }
    let keys: BTreeSet<_> = foreign.iter().map(|(key, _)| key).collect();
    (keys.len() == foreign.len()).then_some(keys.len())
}
