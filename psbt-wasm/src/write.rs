//! Writes a PSBT field by field, as version 0 (BIP-0174) or 2 (BIP-0370).

use alloc::vec::Vec;

use crate::error::Map;
use crate::facts::MAGIC;
use crate::read::cursor::{Cursor, Pair};
use crate::read::fields::{Field, Versions, global};
use crate::read::maps::Psbt;
use crate::read::version2::{push_bytes, push_count};

/// What becomes of a field: appends as much of it as is to be kept.
type Keep<'k> = &'k mut dyn FnMut(Map, &'static Field, &Pair<'_>, &mut Vec<u8>);

/// The same PSBT as the `bitcoin` crate reads it: as version 0, and without extended public keys of versions that the crate
/// does not know. The reader has looked at those, and nothing that is decided depends on them.
#[cfg(feature = "tools")]
pub(crate) fn version_0(psbt: &Psbt<'_>) -> Vec<u8> {
    use crate::read::fields::Check;
    use crate::read::network_hint::{TPUB, XPUB};

    let mut file = Vec::new();
    if psbt.version == 2 {
        file = begin(&psbt.unsigned);
    } else {
        file.extend(MAGIC);
    }
    write_maps(psbt, &mut file, &mut |_, field, pair, file| {
        let key = pair.key_data();
        let is_known = key.starts_with(&XPUB) || key.starts_with(&TPUB);
        let foreign = field.check == Check::ExtendedKey && !is_known;
        let is_of_version_0 = field.versions != Versions::Two && field.number != global::VERSION;
        if is_of_version_0 && !foreign {
            file.extend(pair.raw);
        }
    });
    file
}

/// A PSBT of the same version with the fields that `keep` keeps. In version 2, those that the transaction is made of stay.
pub(crate) fn write(psbt: &Psbt<'_>, keep: Keep<'_>) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    write_maps(psbt, &mut file, &mut |map, field, pair, file| {
        if psbt.version == 2 && makes_transaction(map, field) {
            file.extend(pair.raw);
        } else {
            keep(map, field, pair, file);
        }
    });
    file
}

/// Whether a field of version 2 is the version, or a part of the transaction: what may be modified is none.
pub(crate) fn makes_transaction(map: Map, field: &Field) -> bool {
    match (map, field.number) {
        (Map::Global, global::VERSION) => true,
        (Map::Global, global::TX_MODIFIABLE) => false,
        _ => field.versions == Versions::Two,
    }
}

fn write_maps(psbt: &Psbt<'_>, file: &mut Vec<u8>, keep: Keep<'_>) {
    let mut cursor = Cursor::new(psbt.maps);
    let mut write_map = |map| {
        each_field(&mut cursor, map, &mut |field, pair| {
            keep(map, field, pair, file);
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
}

/// The start of a file of version 0, as far as its transaction.
pub(crate) fn begin(unsigned: &[u8]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend([1, global::UNSIGNED_TX]);
    push_bytes(&mut file, unsigned);
    file
}

/// Gives each field of the map at whose start the cursor is.
pub(crate) fn each_field<'a>(
    maps: &mut Cursor<'a>,
    map: Map,
    take: &mut dyn FnMut(&'static Field, &Pair<'a>),
) {
    let fields = map.fields();
    // The maps have been walked over, so there is no error that could end the loop early.
    while let Ok(Some(pair)) = maps.next_pair() {
        take(fields.lookup(&pair), &pair);
    }
}

/// Appends a field.
pub(crate) fn put(file: &mut Vec<u8>, number: u8, key_data: &[u8], value: &[u8]) {
    push_count(file, 1 + key_data.len());
    file.push(number);
    file.extend_from_slice(key_data);
    push_bytes(file, value);
}

/// The fields of version 2 that a transaction is made of (BIP-0370). No input requires a lock time, so the fallback counts.
#[cfg(feature = "tools")]
pub(crate) mod version_2 {
    use super::*;
    use crate::read::fields::{input, output};
    use crate::read::transaction::{Tx, TxIn, TxOut};

    /// Appends those of the global map.
    pub(crate) fn put_global(tx: &Tx<'_>, file: &mut Vec<u8>) {
        let count = |count| {
            let mut bytes = Vec::new();
            push_count(&mut bytes, count);
            bytes
        };
        put(file, global::TX_VERSION, &[], &tx.version.to_le_bytes());
        put(
            file,
            global::FALLBACK_LOCKTIME,
            &[],
            &tx.lock_time.to_le_bytes(),
        );
        put(file, global::INPUT_COUNT, &[], &count(tx.input_count));
        put(file, global::OUTPUT_COUNT, &[], &count(tx.output_count));
        // Nothing may be added.
        put(file, global::TX_MODIFIABLE, &[], &[0]);
        put(file, global::VERSION, &[], &2_u32.to_le_bytes());
    }

    /// Appends those of an input.
    pub(crate) fn put_input(txin: &TxIn<'_>, file: &mut Vec<u8>) {
        let (txid, vout) = txin.outpoint.split_at(32);
        put(file, input::PREVIOUS_TXID, &[], txid);
        put(file, input::OUTPUT_INDEX, &[], vout);
        put(file, input::SEQUENCE, &[], &txin.sequence.to_le_bytes());
    }

    /// Appends those of an output.
    pub(crate) fn put_output(txout: &TxOut<'_>, file: &mut Vec<u8>) {
        put(file, output::AMOUNT, &[], &txout.value.to_le_bytes());
        put(file, output::SCRIPT, &[], txout.script);
    }

    /// A file of version 0 as version 2, whose maps without the transaction are `maps`.
    pub(crate) fn spread(unsigned: &Tx<'_>, mut maps: Cursor<'_>) -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        let mut copy_map = |map, file: &mut Vec<u8>| {
            each_field(&mut maps, map, &mut |field, pair| {
                let is_written = matches!(field.number, global::UNSIGNED_TX | global::VERSION);
                if map != Map::Global || !is_written {
                    file.extend(pair.raw);
                }
            });
            file.push(0);
        };
        put_global(unsigned, &mut file);
        copy_map(Map::Global, &mut file);
        for (index, txin) in unsigned.inputs().enumerate() {
            put_input(&txin, &mut file);
            copy_map(Map::Input(index), &mut file);
        }
        for (index, txout) in unsigned.outputs().enumerate() {
            put_output(&txout, &mut file);
            copy_map(Map::Output(index), &mut file);
        }
        file
    }
}
