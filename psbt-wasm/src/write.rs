//! Writes a PSBT as version 0, field by field.

use alloc::vec::Vec;

use crate::error::Map;
use crate::facts::MAGIC;
use crate::read::cursor::{Cursor, Pair};
use crate::read::fields::{Field, Versions, global};
use crate::read::maps::Psbt;
use crate::read::version2::push_bytes;

/// What becomes of a field: appends as much of it as is to be kept.
type Keep<'k> = &'k dyn Fn(Map, &Field, &Pair<'_>, &mut Vec<u8>);

/// The same PSBT as the `bitcoin` crate reads it: as version 0, and without extended public keys of versions that the crate
/// does not know. The reader has looked at those, and nothing that is decided depends on them.
#[cfg(feature = "bitcoin")]
pub(crate) fn version_0(psbt: &Psbt<'_>) -> Vec<u8> {
    use crate::read::fields::Check;

    write(psbt, &|_, field, pair, file| {
        let foreign = field.check == Check::ExtendedKey && !is_of_bip_32(pair.key_data());
        if field.number != global::VERSION && !foreign {
            file.extend(pair.raw);
        }
    })
}

/// BIP-0032, "Serialization format": `xpub` and `tpub`.
#[cfg(feature = "bitcoin")]
fn is_of_bip_32(extended_key: &[u8]) -> bool {
    const MAINNET: [u8; 4] = [0x04, 0x88, 0xb2, 0x1e];
    const TESTNETS: [u8; 4] = [0x04, 0x35, 0x87, 0xcf];
    extended_key.starts_with(&MAINNET) || extended_key.starts_with(&TESTNETS)
}

/// A PSBT with the fields that `keep` keeps. The transaction that version 2 spreads over the maps is one field again.
pub(crate) fn write(psbt: &Psbt<'_>, keep: Keep<'_>) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    if psbt.version == 2 {
        file.extend([1, global::UNSIGNED_TX]);
        push_bytes(&mut file, &psbt.unsigned);
    }
    let mut cursor = Cursor::new(psbt.maps);
    write_map(&mut cursor, Map::Global, keep, &mut file);
    for index in 0..psbt.inputs.len() {
        write_map(&mut cursor, Map::Input(index), keep, &mut file);
    }
    for index in 0..psbt.output_count {
        write_map(&mut cursor, Map::Output(index), keep, &mut file);
    }
    file
}

fn write_map(maps: &mut Cursor<'_>, map: Map, keep: Keep<'_>, file: &mut Vec<u8>) {
    let fields = map.fields();
    // The maps have been walked over, so there is no error that could end the loop early.
    while let Ok(Some(pair)) = maps.next_pair() {
        let field = fields.of(&pair);
        if field.versions != Versions::Two {
            keep(map, field, &pair, file);
        }
    }
    file.push(0);
}
