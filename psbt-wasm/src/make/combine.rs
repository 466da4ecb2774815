//! Merges the files that several signers give back (BIP-0174, Combiner).

use alloc::vec::Vec;

use super::MakeError;
use crate::error::Map;
use crate::read::cursor::{Cursor, Pair};
use crate::read::duplicates::{firsts, start};
use crate::read::fields::{Field, global, input};
use crate::read::maps::Psbt;
use crate::write::{begin, each_field};
use crate::{Error, Keys, Signatures, decode};

/// Several files merged into one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Combined {
    /// The file, a PSBT of version 0 (BIP-0174) as binary.
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

/// Merges PSBTs over one transaction: version 0 or 2, in any encoding that [`decode`] accepts. If several files have a value for
/// one key, the first one counts, also of signatures: "the Combiner may choose arbitrarily" (BIP-0174).
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
    let psbts = (read.iter()).map(|file| file.psbt.as_ref().ok_or(MakeError::FinalTransaction));
    let psbt = unite(&psbts.collect::<Result<Vec<_>, _>>()?)?;
    let together = decode(psbt.as_slice())?;
    // Each key is from one of the files, where it has been checked.
    let together = together.read(Keys::Form)?;
    let inputs = together.psbt.as_ref().map(inputs).unwrap_or_default();
    Ok(Combined { psbt, inputs })
}

fn unite(psbts: &[&Psbt<'_>]) -> Result<Vec<u8>, MakeError> {
    let first = psbts.first().ok_or(MakeError::NoFiles)?;
    // BIP-0174: "The Combiner must not combine two different PSBTs".
    let other = (psbts.iter()).position(|psbt| psbt.unsigned != first.unsigned);
    if let Some(file) = other {
        return Err(MakeError::OtherTransaction { file });
    }
    let mut together = begin(&first.unsigned);
    let mut cursors: Vec<_> = psbts.iter().map(|psbt| Cursor::new(psbt.maps)).collect();
    unite_maps(&mut cursors, Map::Global, &mut together)?;
    for index in 0..first.inputs.len() {
        unite_maps(&mut cursors, Map::Input(index), &mut together)?;
    }
    for index in 0..first.output_count {
        unite_maps(&mut cursors, Map::Output(index), &mut together)?;
    }
    Ok(together)
}

fn unite_maps(
    cursors: &mut [Cursor<'_>],
    map: Map,
    together: &mut Vec<u8>,
) -> Result<(), MakeError> {
    let mut pairs: Vec<(&'static Field, Pair<'_>)> = Vec::new();
    for cursor in cursors {
        each_field(cursor, map, &mut |field, pair| {
            // The start of the file says it.
            let is_written = matches!(field.number, global::UNSIGNED_TX | global::VERSION);
            if map != Map::Global || !is_written {
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
            let field = field.name;
            return Err(MakeError::Conflict { map, field });
        }
    }
    together.push(0);
    Ok(())
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
