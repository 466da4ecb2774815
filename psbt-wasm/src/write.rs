//! Writes a PSBT as version 0, field by field.

use alloc::vec::Vec;

use crate::error::Map;
use crate::facts::MAGIC;
use crate::read::cursor::{Cursor, Pair};
use crate::read::fields::{Field, Versions, global};
use crate::read::maps::Psbt;
use crate::read::version2::{push_bytes, push_count};

/// What becomes of a field: appends as much of it as is to be kept.
type Keep<'k> = &'k mut dyn FnMut(Map, &Field, &Pair<'_>, &mut Vec<u8>);

/// The same PSBT as the `bitcoin` crate reads it: as version 0, and without extended public keys of versions that the crate
/// does not know. The reader has looked at those, and nothing that is decided depends on them.
#[cfg(feature = "tools")]
pub(crate) fn version_0(psbt: &Psbt<'_>) -> Vec<u8> {
    use crate::read::fields::Check;
    use crate::read::network_hint::{TPUB, XPUB};

    write(psbt, &mut |_, field, pair, file| {
        let key = pair.key_data();
        let is_known = key.starts_with(&XPUB) || key.starts_with(&TPUB);
        let foreign = field.check == Check::ExtendedKey && !is_known;
        if field.number != global::VERSION && !foreign {
            file.extend(pair.raw);
        }
    })
}

/// A PSBT with the fields that `keep` keeps. The transaction that version 2 spreads over the maps is one field again.
pub(crate) fn write(psbt: &Psbt<'_>, keep: Keep<'_>) -> Vec<u8> {
    let mut file = if psbt.version == 2 {
        begin(&psbt.unsigned)
    } else {
        MAGIC.to_vec()
    };
    let mut cursor = Cursor::new(psbt.maps);
    let mut write_map = |map| {
        each_field(&mut cursor, map, &mut |field, pair| {
            keep(map, field, pair, &mut file);
        });
        file.push(0);
    };
    write_map(Map::Global);
    for index in 0..psbt.inputs.len() {
        write_map(Map::Input(index));
    }
    for index in 0..psbt.output_count {
        write_map(Map::Output(index));
    }
    file
}

/// The start of a file of version 0, as far as its transaction.
pub(crate) fn begin(unsigned: &[u8]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend([1, global::UNSIGNED_TX]);
    push_bytes(&mut file, unsigned);
    file
}

/// Gives each field of the map at whose start the cursor is, but those that only version 2 has.
pub(crate) fn each_field<'a>(
    maps: &mut Cursor<'a>,
    map: Map,
    take: &mut dyn FnMut(&'static Field, &Pair<'a>),
) {
    let fields = map.fields();
    // The maps have been walked over, so there is no error that could end the loop early.
    while let Ok(Some(pair)) = maps.next_pair() {
        let field = fields.lookup(&pair);
        if field.versions != Versions::Two {
            take(field, &pair);
        }
    }
}

/// Appends a field.
pub(crate) fn put(file: &mut Vec<u8>, number: u8, key_data: &[u8], value: &[u8]) {
    push_count(file, 1 + key_data.len());
    file.push(number);
    file.extend_from_slice(key_data);
    push_bytes(file, value);
}
