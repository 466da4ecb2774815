//! The maps of a PSBT, walked over once: what each input says, and whether every field is well-formed.

mod input;
mod v2;

use alloc::{borrow::Cow, vec::Vec};

use super::duplicates::Seen;
use super::fields::{self, PROPRIETARY, Points, bare, require};
use super::keys::Keys;
use super::transaction::{MAX_VEC_BYTES, Tx};
use crate::cursor::{Cursor, Pair};
use crate::facts::MAGIC;
use crate::{Malformed, PrivateFields};
pub(crate) use input::{DERIVATION, Input, TAP_DERIVATION, is_kept_previous, is_null};
pub(crate) use v2::{is_input_field, push_count};

/// BIP-0174: `PSBT_GLOBAL_VERSION`.
pub(crate) const GLOBAL_VERSION: u8 = 0xfb;
const UNSIGNED_TX: u8 = 0x00;
const XPUB: u8 = 0x01;

/// `PSBT_GLOBAL_GENERIC_SIGNED_MESSAGE` and `PSBT_IN_POR_COMMITMENT`: the message that BIP-0322 and BIP-0127 sign.
pub(crate) const SIGNED_MESSAGE: u8 = 0x09;

/// A PSBT that has been walked over.
#[derive(Debug, Clone)]
pub(crate) struct Psbt<'a> {
    /// 0 or 2.
    pub(crate) version: u8,
    /// The unsigned transaction: as it is in version 0, as version 0 would have it in version 2.
    pub(crate) unsigned: Cow<'a, [u8]>,
    pub(crate) inputs: Vec<Input<'a>>,
    /// The previous transactions of inputs.
    pub(crate) previous: Vec<Tx<'a>>,
    pub(crate) output_count: usize,
    pub(crate) private: PrivateFields,
    /// The maps, all that follows the magic number.
    pub(crate) maps: &'a [u8],
}

impl<'a> Psbt<'a> {
    /// Walks over binary PSBT bytes, magic number included.
    pub(crate) fn read(bytes: &'a [u8], keys: Keys) -> Result<Self, Malformed> {
        let maps = bytes.get(MAGIC.len()..).ok_or(Malformed::Truncated)?;
        let mut walk = Walk {
            cursor: Cursor::new(maps),
            keys,
            seen: Seen::default(),
            points: Points::default(),
            previous: Vec::new(),
            private: PrivateFields::default(),
            malformed: None,
            v2: false,
        };
        match version(maps)? {
            0 => walk.read_v0(maps),
            2 => {
                walk.v2 = true;
                walk.read_v2(maps)
            }
            other => Err(Malformed::Version(other)),
        }
    }
}

/// The version field decides (absent means 0), whatever other fields there are.
fn version(maps: &[u8]) -> Result<u32, Malformed> {
    let mut maps = Cursor::new(maps);
    let mut version = 0;
    while let Some(pair) = maps.next_pair()? {
        if pair.key == [GLOBAL_VERSION] {
            version = pair.u32("PSBT version")?;
        }
    }
    Ok(version)
}

/// What is carried from map to map.
struct Walk<'a> {
    cursor: Cursor<'a>,
    keys: Keys,
    seen: Seen<'a>,
    points: Points,
    previous: Vec<Tx<'a>>,
    private: PrivateFields,
    /// The first malformed field. It is told only when the maps themselves are in order, because that is
    /// looked at first.
    malformed: Option<Malformed>,
    v2: bool,
}

impl<'a> Walk<'a> {
    fn read_v0(mut self, maps: &'a [u8]) -> Result<Psbt<'a>, Malformed> {
        let mut unsigned = None;
        while let Some(pair) = self.cursor.next_pair()? {
            require(self.seen.insert(pair.key), Malformed::DuplicateField)?;
            match pair.field() {
                UNSIGNED_TX => {
                    bare(&pair)?;
                    unsigned = Some((pair.value, Tx::read_unsigned(pair.value)?));
                }
                _ => self.global_field(&pair)?,
            }
        }
        require(self.seen.end_of_map(), Malformed::DuplicateField)?;
        // The `bitcoin` crate reads no more than this of the global map.
        require(
            maps.len() - self.cursor.remaining() <= MAX_VEC_BYTES,
            Malformed::Truncated,
        )?;
        let (unsigned, tx) = unsigned.ok_or(Malformed::MissingField("unsigned transaction"))?;
        require(
            tx.inputs().all(|input| input.script_sig.is_empty()),
            Malformed::SignedTransaction,
        )?;
        // Each map takes at least a byte.
        let mut inputs = Vec::with_capacity(tx.input_count.min(self.cursor.remaining()));
        for _ in 0..tx.input_count {
            inputs.push(self.input()?);
        }
        for _ in 0..tx.output_count {
            self.output()?;
        }
        self.finish(0, unsigned.into(), inputs, tx.output_count, maps)
    }

    fn finish(
        self,
        version: u8,
        unsigned: Cow<'a, [u8]>,
        inputs: Vec<Input<'a>>,
        output_count: usize,
        maps: &'a [u8],
    ) -> Result<Psbt<'a>, Malformed> {
        require(self.cursor.remaining() == 0, Malformed::TrailingData)?;
        if let Some(malformed) = self.malformed {
            return Err(malformed);
        }
        Ok(Psbt {
            version,
            unsigned,
            inputs,
            previous: self.previous,
            output_count,
            private: self.private,
            maps,
        })
    }

    /// A field of the global map that both versions have.
    fn global_field(&mut self, pair: &Pair<'a>) -> Result<(), Malformed> {
        match pair.field() {
            XPUB => {
                self.private.extended_public_keys += 1;
                fields::extended_key(pair, self.keys)
            }
            GLOBAL_VERSION => bare(pair),
            PROPRIETARY => {
                self.private.proprietary += 1;
                fields::proprietary(pair)
            }
            SIGNED_MESSAGE => Ok(()),
            field => {
                self.private.unknown += 1;
                self.allowed(!v2::GLOBAL_FIELDS.contains(&field))
            }
        }
    }

    /// BIP-0370: fields of version 2 must not be in version 0.
    fn allowed(&self, holds: bool) -> Result<(), Malformed> {
        require(holds || self.v2, Malformed::MixedVersions)
    }

    /// Walks over the map of an input.
    fn input(&mut self) -> Result<Input<'a>, Malformed> {
        let start = self.cursor;
        let mut input = Input::default();
        while let Some(pair) = self.cursor.next_pair()? {
            let result = self.input_pair(&pair, &mut input);
            self.note(result);
        }
        let result = self.end_of_map(start, DERIVATION);
        self.note(result);
        input.finish(self.map_since(start));
        Ok(input)
    }

    fn input_pair(&mut self, pair: &Pair<'a>, input: &mut Input<'a>) -> Result<(), Malformed> {
        require(self.seen.insert(pair.key), Malformed::DuplicateField)?;
        fields::check_size(pair)?;
        input.take(pair, self)
    }

    /// Walks over the map of an output.
    fn output(&mut self) -> Result<(), Malformed> {
        let start = self.cursor;
        while let Some(pair) = self.cursor.next_pair()? {
            let result = self.output_field(&pair);
            self.note(result);
        }
        let result = self.end_of_map(start, OUTPUT_DERIVATION);
        self.note(result);
        Ok(())
    }

    fn output_field(&mut self, pair: &Pair<'a>) -> Result<(), Malformed> {
        require(self.seen.insert(pair.key), Malformed::DuplicateField)?;
        fields::check_size(pair)?;
        match pair.field() {
            0x00 | 0x01 => bare(pair),
            OUTPUT_DERIVATION => {
                self.points.has_long_key(pair);
                let origin = fields::derivation(pair, self.keys)?;
                self.private.derivation_paths += usize::from(origin);
                Ok(())
            }
            0x05 => fields::x_only_key(pair, self.keys),
            0x06 => fields::tap_tree(pair),
            0x07 => {
                let origin = fields::tap_derivation(pair, self.keys)?;
                self.private.derivation_paths += usize::from(origin);
                Ok(())
            }
            PROPRIETARY => {
                self.private.proprietary += 1;
                fields::proprietary(pair)
            }
            field => {
                self.private.unknown += 1;
                self.allowed(!v2::OUTPUT_FIELDS.contains(&field))
            }
        }
    }

    fn end_of_map(&mut self, start: Cursor<'a>, derivation: u8) -> Result<(), Malformed> {
        require(self.seen.end_of_map(), Malformed::DuplicateField)?;
        let map = self.map_since(start);
        self.points.end_of_map(map, derivation)
    }

    /// The map that has just ended, with the zero byte at its end.
    #[inline]
    fn map_since(&self, start: Cursor<'a>) -> &'a [u8] {
        let start = start.rest();
        &start[..start.len() - self.cursor.remaining()]
    }

    fn note(&mut self, result: Result<(), Malformed>) {
        if let Err(malformed) = result {
            self.malformed.get_or_insert(malformed);
        }
    }
}

/// `PSBT_OUT_BIP32_DERIVATION`.
const OUTPUT_DERIVATION: u8 = 0x02;
