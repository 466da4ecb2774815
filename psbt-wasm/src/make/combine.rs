//! Merges the files that several signers give back (BIP-0174, Combiner).

mod finals;

use alloc::vec::Vec;

use super::MakeError;
use crate::error::Map;
use crate::facts::MAGIC;
use crate::read::cursor::{Cursor, Pair};
use crate::read::duplicates::{firsts, start};
use crate::read::fields::{Field, global, input};
use crate::read::maps::Psbt;
use crate::write::{begin, each_field, makes_transaction, put};
use crate::{Error, File, Keys, Signatures, decode};
use finals::Kept;

/// Several files merged into one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Combined {
    /// The file, a PSBT of the first file's version as binary.
    pub psbt: Vec<u8>,
    /// How far each input is signed, in order.
    pub inputs: Vec<CombinedInput>,
}

/// How far an input is signed. Whether its signatures are valid is not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CombinedInput {
    /// Number of signatures, without those in a final script signature or witness.
    pub signatures: usize,
    /// Whether it has a final script signature or witness.
    pub is_final: bool,
}

/// Merges PSBTs over one transaction: version 0 or 2, in any encoding that [`decode`] accepts. The result has the version of the first,
/// and in version 2 its lock times. If several files have a value for
/// one key, the first one counts, also of signatures: "the Combiner may choose arbitrarily" (BIP-0174). Where they have finalized a multisig input
/// with other signatures, the first one's stay, and those of the others are kept as signatures of an input that is not final.
///
/// # Errors
///
/// Those of [`decode`] and of [`Binary::read`](crate::Binary::read) with [`Keys::Curve`], for each file and for the merged one,
/// and [`Error::Make`].
pub fn combine(files: &[&[u8]]) -> Result<Combined, Error> {
    let binaries: Vec<_> = files
        .iter()
        .map(|file| decode(*file))
        .collect::<Result<_, _>>()?;
    let read = binaries.iter().map(|binary| binary.read(Keys::Curve));
    let read: Vec<_> = read.collect::<Result<_, _>>()?;
    let psbts = read.iter().map(File::psbt_to_sign);
    let psbts = psbts.collect::<Result<Vec<_>, _>>()?;
    same_transaction(&psbts)?;
    let psbt = unite(&psbts, &finals::kept(&read)?)?;
    let together = decode(psbt.as_slice())?;
    // Each key is from one of the files, where it has been checked.
    let together = together.read(Keys::Form)?;
    let inputs = together.psbt.as_ref().map(inputs).unwrap_or_default();
    Ok(Combined { psbt, inputs })
}

/// BIP-0174: "The Combiner must not combine two different PSBTs".
fn same_transaction(psbts: &[&Psbt<'_>]) -> Result<(), MakeError> {
    let first = psbts.first().ok_or(MakeError::NoFiles)?;
    let other = (psbts.iter()).position(|psbt| psbt.unsigned != first.unsigned);
    other.map_or(Ok(()), |file| Err(MakeError::OtherTransaction { file }))
}

fn unite(psbts: &[&Psbt<'_>], kept: &[Kept]) -> Result<Vec<u8>, MakeError> {
    let first = psbts.first().ok_or(MakeError::NoFiles)?;
    let mut together = match first.version {
        2 => MAGIC.to_vec(),
        _ => begin(&first.unsigned),
    };
    put_modifiable(psbts, &mut together);
    let mut cursors: Vec<_> = psbts.iter().map(|psbt| Cursor::new(psbt.maps)).collect();
    let mut unite_map = |map: Map| {
        let own = map.index().filter(|_| matches!(map, Map::Input(_)));
        let own = own.and_then(|index| kept.binary_search_by_key(&index, |it| it.input).ok());
        let own = own.map_or(&[][..], |at| &kept[at].fields);
        unite_maps(&mut cursors, first.version == 2, map, own, &mut together)
    };
    unite_map(Map::Global)?;
    for index in 0..first.inputs.len() {
        unite_map(Map::Input(index))?;
    }
    for index in 0..first.output_count {
        unite_map(Map::Output(index))?;
    }
    Ok(together)
}

/// What may be modified where every file lets it be, and whether any has a signature that keeps inputs and outputs in pairs
/// (BIP-0370, `PSBT_GLOBAL_TX_MODIFIABLE`).
fn put_modifiable(psbts: &[&Psbt<'_>], together: &mut Vec<u8>) {
    const HAS_SINGLE: u8 = 4;
    let of = |psbt: &&Psbt<'_>| {
        let value = Cursor::new(psbt.maps).find(global::TX_MODIFIABLE);
        value.and_then(|value| value.first()).copied()
    };
    if psbts.first().and_then(of).is_some() {
        let flags = || psbts.iter().map(|psbt| of(psbt).unwrap_or_default());
        let all = flags().fold(u8::MAX, |all, flags| all & flags);
        let any = flags().fold(0, |any, flags| any | flags);
        let flags = all & !HAS_SINGLE | any & HAS_SINGLE;
        put(together, global::TX_MODIFIABLE, &[], &[flags]);
    }
}

fn unite_maps(
    cursors: &mut [Cursor<'_>],
    is_v2: bool,
    map: Map,
    kept: &[(Vec<u8>, Vec<u8>)],
    together: &mut Vec<u8>,
) -> Result<(), MakeError> {
    let mut pairs: Vec<(&'static Field, Pair<'_>)> = Vec::new();
    for (file, cursor) in cursors.iter_mut().enumerate() {
        each_field(cursor, map, &mut |field, pair| {
            let is_kept = match field.number {
                // The start of the file says it.
                global::UNSIGNED_TX | global::TX_MODIFIABLE if map == Map::Global => false,
                _ if makes_transaction(map, field) => is_v2 && file == 0,
                // Bitcoin Core would refuse the whole file.
                _ => pair.check_type().is_ok(),
            };
            if is_kept {
                pairs.push((field, *pair));
            }
        });
    }
    let keys: Vec<&[u8]> = pairs.iter().map(|(_, pair)| pair.key).collect();
    for (at, first) in firsts(&keys, start).into_iter().enumerate() {
        let (field, pair) = &pairs[at];
        if first == at {
            together.extend_from_slice(pair.raw);
        } else if pair.value != pairs[first].1.value && has_one_value(map, field, pair) {
            if is_final(field) && !kept.is_empty() {
                continue;
            }
            let field = field.name;
            return Err(MakeError::Conflict { map, field });
        }
    }
    for (at, (key, field)) in kept.iter().enumerate() {
        let is_there = keys.contains(&&key[..]) || kept[..at].iter().any(|(other, _)| other == key);
        if !is_there {
            together.extend_from_slice(field);
        }
    }
    together.push(0);
    Ok(())
}

/// Whether a field of an input is one that finalizing it writes.
fn is_final(field: &Field) -> bool {
    matches!(
        field.number,
        input::FINAL_SCRIPTSIG | input::FINAL_SCRIPTWITNESS
    )
}

/// Whether files cannot say different things in a field and both be right.
fn has_one_value(map: Map, field: &Field, pair: &Pair<'_>) -> bool {
    // Its txid has been checked, so that it can differ only in witnesses.
    let is_previous = matches!(map, Map::Input(_)) && field.number == input::NON_WITNESS_UTXO;
    pair.key.len() == 1 && !is_previous
}

fn inputs(psbt: &Psbt<'_>) -> Vec<CombinedInput> {
    let mut inputs = Vec::with_capacity(psbt.inputs.len());
    for (index, input) in psbt.inputs.iter().enumerate() {
        let mut signatures = 0;
        let mut map = Cursor::new(input.map);
        each_field(&mut map, Map::Input(index), &mut |field, _| {
            let is_signature = matches!(
                field.number,
                input::PARTIAL_SIG | input::TAP_KEY_SIG | input::TAP_SCRIPT_SIG
            );
            signatures += usize::from(is_signature);
        });
        inputs.push(CombinedInput {
            signatures,
            is_final: input.signatures() == Signatures::Final,
        });
    }
    inputs
}
