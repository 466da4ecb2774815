//! The exception to what the `bitcoin` crate says: extended public keys with other versions than BIP-0032's, such as those of
//! SLIP-0132, which wallets write in spite of BIP-0174.

use std::collections::BTreeSet;

use bitcoin::bip32::Xpub;

use super::MAGIC;
use super::maps::{Malformed, next_pair};
use super::version2::require;

/// `PSBT_GLOBAL_XPUB`.
const XPUB: u8 = 0x01;

/// The versions that the crate knows: `xpub` and `tpub`.
const KNOWN: [[u8; 4]; 2] = [[0x04, 0x88, 0xb2, 0x1e], [0x04, 0x35, 0x87, 0xcf]];

/// A version 0 file without such keys, and how many they were. They must be extended keys in all but the version.
pub(super) fn without_foreign(file: &[u8]) -> Result<(Vec<u8>, usize), Malformed> {
    let mut maps = &file[MAGIC.len()..];
    let mut kept = MAGIC.to_vec();
    let mut foreign = BTreeSet::new();
    while let Some(pair) = next_pair(&mut maps)? {
        let version = pair.key.get(1..5);
        if pair.key[0] != XPUB || KNOWN.iter().any(|known| version == Some(known)) {
            kept.extend(pair.raw);
            continue;
        }
        let mut key = pair.key[1..].to_vec();
        require(key.len() == 78)?;
        key[..4].copy_from_slice(&KNOWN[0]);
        Xpub::decode(&key).map_err(|_| Malformed)?;
        // A fingerprint and a path.
        require(!pair.value.is_empty() && pair.value.len() % 4 == 0)?;
        require(foreign.insert(pair.key))?;
    }
    kept.push(0);
    kept.extend(maps);
    Ok((kept, foreign.len()))
}
