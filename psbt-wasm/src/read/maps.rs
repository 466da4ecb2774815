//! The maps of a PSBT, walked over once: what each input says, and whether every field is well-formed.

use alloc::{borrow::Cow, vec::Vec};

use super::checks::{Points, Value, check, check_size, require};
use super::cursor::{Cursor, Pair};
use super::duplicates::Seen;
use super::fields::{Check, Field, Private, Versions, global, output};
use super::input::{Input, is_kept_previous};
use super::keys::KeyCheck;
use super::network_hint::NetworkHint;
use super::transaction::{MAX_VEC_BYTES, Tx};
use super::version2::{Assembly, Stated};
use crate::error::Map;
use crate::facts::MAGIC;
use crate::{Fault, Malformed, PrivateFields};

/// A PSBT that has been walked over.
#[derive(Debug, Clone, Default)]
pub(crate) struct Psbt<'a> {
    /// 0 or 2.
    pub(crate) version: u8,
    /// The unsigned transaction: as it is in version 0, as version 0 would have it in version 2.
    pub(crate) unsigned: Cow<'a, [u8]>,
    /// The unsigned transaction, parsed; `None` where that was not needed.
    pub(super) transaction: Option<Tx<'a>>,
    pub(crate) inputs: Vec<Input<'a>>,
    /// The previous transactions of inputs.
    pub(crate) previous: Vec<Tx<'a>>,
    pub(crate) output_count: usize,
    /// The outputs that pay silent payment addresses, in order.
    pub(crate) silent: Vec<SilentPayment<'a>>,
    pub(crate) private: PrivateFields,
    /// Whether a field has a type that Bitcoin Core does not read.
    pub(crate) has_unreadable_type: bool,
    pub(crate) network_hint: NetworkHint,
    /// The maps, all that follows the magic number.
    pub(crate) maps: &'a [u8],
}

/// The silent payment address that an output pays (BIP-0375).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SilentPayment<'a> {
    /// The output, counted from 0.
    pub output: usize,
    /// The scan key and the spend key, 33 bytes each.
    pub keys: &'a [u8; 66],
    /// The label of change.
    pub label: Option<u32>,
}

impl<'a> Psbt<'a> {
    /// Walks over binary PSBT bytes, magic number included. In a file in progress, outputs to silent payment addresses may lack
    /// their scripts (BIP-0375).
    pub(crate) fn read(
        bytes: &'a [u8],
        keys: KeyCheck,
        in_progress: bool,
    ) -> Result<Self, Malformed> {
        let maps = bytes.get(MAGIC.len()..).ok_or(Fault::Truncated)?;
        let mut walk = Walk {
            cursor: Cursor::new(maps),
            map: Map::Global,
            in_progress,
            keys,
            seen: Seen::default(),
            points: Points::default(),
            psbt: Self {
                maps,
                ..Self::default()
            },
        };
        walk.psbt.version = walk.version()?;
        if walk.is_v2() {
            walk.read_v2()?;
        } else {
            walk.read_v0()?;
        }
        let rest = walk.cursor.rest();
        require(is_end(rest, walk.psbt.output_count), Fault::TrailingData)?;
        Ok(walk.psbt)
    }
}

/// Whether nothing follows the last map. bitcoinjs-lib writes the map of an output where there are none.
pub(crate) fn is_end(rest: &[u8], output_count: usize) -> bool {
    rest.is_empty() || output_count == 0 && rest == [0]
}

/// What is carried from map to map.
struct Walk<'a> {
    cursor: Cursor<'a>,
    /// The map that the cursor is in.
    map: Map,
    in_progress: bool,
    keys: KeyCheck,
    seen: Seen<'a>,
    points: Points,
    /// What has been found so far.
    psbt: Psbt<'a>,
}

/// What is done with each field that has been looked at.
type Take<'t, 'a> = &'t mut dyn FnMut(&mut Walk<'a>, &'static Field, &Pair<'a>, Value<'a>);

impl<'a> Walk<'a> {
    fn is_v2(&self) -> bool {
        self.psbt.version == 2
    }

    /// The version field decides (absent means 0), whatever other fields there are.
    #[inline(never)]
    fn version(&self) -> Result<u8, Malformed> {
        let mut cursor = self.cursor;
        let mut version = 0;
        let mut next = || {
            let start = cursor;
            cursor
                .next_pair()
                .map_err(|fault| self.in_pair(start, fault))
        };
        while let Some(pair) = next()? {
            if pair.key == [global::VERSION] {
                let field = global::FIELDS.lookup(&pair);
                version = match pair.u32().map_err(|fault| self.in_field(field, fault))? {
                    0 => 0,
                    2 => 2,
                    other => return Err(self.in_field(field, Fault::Version(other))),
                };
            }
        }
        Ok(version)
    }

    #[inline(never)]
    fn read_v0(&mut self) -> Result<(), Malformed> {
        let start = self.cursor.remaining();
        let mut unsigned = None;
        self.walk(&mut |_, _, pair, value| {
            if let Value::Transaction(tx) = value {
                unsigned = Some((pair.value, tx));
            }
        })?;
        // The `bitcoin` crate reads no more than this of the global map.
        let size = start - self.cursor.remaining();
        require(size <= MAX_VEC_BYTES, Fault::Truncated).map_err(|fault| self.in_map(fault))?;
        let (unsigned, tx) = unsigned.ok_or_else(|| self.missing(global::UNSIGNED_TX))?;
        self.psbt.unsigned = unsigned.into();
        self.psbt.transaction = Some(tx);
        self.psbt.output_count = tx.output_count;
        // Each map takes at least a byte.
        let count = tx.input_count.min(self.cursor.remaining());
        self.psbt.inputs.reserve_exact(count);
        for index in 0..tx.input_count {
            self.map = Map::Input(index);
            self.input(&mut Stated::default())?;
        }
        for index in 0..tx.output_count {
            self.map = Map::Output(index);
            self.walk(&mut |_, _, _, _| {})?;
        }
        Ok(())
    }

    #[inline(never)]
    fn read_v2(&mut self) -> Result<(), Malformed> {
        let mut stated = Stated::default();
        // What the global map would take in version 0, without the transaction.
        let mut others = 0;
        self.walk(&mut |_, field, pair, _| {
            if field.versions == Versions::Two {
                stated.put(pair);
            } else if pair.field() != global::VERSION {
                others += pair.raw.len();
            }
        })?;
        let assembly = Assembly::new(&stated);
        let mut assembly = assembly.map_err(|number| self.missing(number))?;
        let count = assembly.inputs.min(self.cursor.remaining());
        self.psbt.inputs.reserve_exact(count);
        for index in 0..assembly.inputs {
            self.map = Map::Input(index);
            let mut stated = Stated::default();
            self.input(&mut stated)?;
            let added = assembly.add_input(&stated);
            added.map_err(|number| self.missing(number))?;
        }
        assembly.begin_outputs();
        for index in 0..assembly.outputs {
            self.map = Map::Output(index);
            let mut stated = Stated::default();
            let (mut keys, mut label) = (None, None);
            self.walk(&mut |_, field, pair, _| {
                if field.versions == Versions::Two {
                    stated.put(pair);
                } else if pair.key == [output::SP_V0_INFO] {
                    keys = <&[u8; 66]>::try_from(pair.value).ok();
                } else if pair.key == [output::SP_V0_LABEL] {
                    label = pair.u32().ok();
                }
            })?;
            let needs_script = !self.in_progress || keys.is_none();
            let added = assembly.add_output(&stated, needs_script);
            added.map_err(|number| self.missing(number))?;
            let silent = &mut self.psbt.silent;
            silent.extend(keys.map(|keys| SilentPayment {
                output: index,
                keys,
                label,
            }));
        }
        self.psbt.output_count = assembly.outputs;
        self.psbt.unsigned = assembly.finish(others)?.into();
        Ok(())
    }

    #[inline(never)]
    fn input(&mut self, stated: &mut Stated<'a>) -> Result<(), Malformed> {
        let mut input = Input::default();
        input.map = self.walk(&mut |walk, field, pair, value| {
            if let Value::Transaction(previous) = value {
                input.previous = Some(walk.psbt.previous.len());
                walk.psbt.previous.push(previous);
            } else if field.versions == Versions::Two {
                stated.put(pair);
            } else {
                input.take(pair, &value);
            }
        })?;
        self.psbt.inputs.push(input);
        Ok(())
    }

    /// Walks over a map and gives each field to `take`. Returns the map, with the zero byte at its end.
    #[inline(never)]
    fn walk(&mut self, take: Take<'_, 'a>) -> Result<&'a [u8], Malformed> {
        let fields = self.map.fields();
        let start = self.cursor.rest();
        while let Some(pair) = self.next_pair()? {
            let field = fields.lookup(&pair);
            match self.look_at(field, &pair) {
                Ok(value) => take(self, field, &pair, value),
                Err(fault) => return Err(self.in_field(field, fault)),
            }
        }
        let map = &start[..start.len() - self.cursor.remaining()];
        let twice = self.seen.end_of_map().map(|key| fields.numbered(key[0]));
        match twice.or_else(|| self.points.end_of_map(map, fields)) {
            Some(field) => Err(self.in_field(field, Fault::Duplicate)),
            None => Ok(map),
        }
    }

    #[inline]
    fn next_pair(&mut self) -> Result<Option<Pair<'a>>, Malformed> {
        let start = self.cursor;
        let pair = self.cursor.next_pair();
        pair.map_err(|fault| self.in_pair(start, fault))
    }

    /// Looks at a field, and counts it if it is private.
    #[inline(never)]
    fn look_at(&mut self, field: &Field, pair: &Pair<'a>) -> Result<Value<'a>, Fault> {
        require(self.seen.insert(pair.key), Fault::Duplicate)?;
        require(!field.versions.excludes(self.is_v2()), Fault::MixedVersions)?;
        if self.map != Map::Global {
            check_size(pair)?;
        }
        let value = check(field, pair, self.keys)?;
        if field.check == Check::Derivation {
            self.points.note(pair);
        }
        if let Value::Origin(origin) = value {
            self.psbt.network_hint.note_origin(origin);
        }
        if field.check == Check::ExtendedKey {
            self.psbt.network_hint.note_extended_key(pair.key_data());
        }
        if matches!(field.private, Private::Unknown | Private::Proprietary) {
            self.psbt.has_unreadable_type |= !pair.has_readable_type();
        }
        self.count(field, &value);
        Ok(value)
    }

    #[inline]
    fn count(&mut self, field: &Field, value: &Value<'a>) {
        let private = &mut self.psbt.private;
        let (count, counts) = match field.private {
            Private::No => return,
            Private::ExtendedKey => (&mut private.extended_public_keys, true),
            Private::Proprietary => (&mut private.proprietary, true),
            Private::Unknown => (&mut private.unknown, true),
            Private::Origin => (
                &mut private.derivation_paths,
                // A fingerprint of zeros without a path says nothing.
                matches!(value, Value::Origin(origin) if *origin != [0; 4]),
            ),
            Private::PreviousTransaction => (
                &mut private.previous_transactions,
                !matches!(value, Value::Transaction(previous) if is_kept_previous(previous)),
            ),
        };
        *count += usize::from(counts);
    }

    fn missing(&self, number: u8) -> Malformed {
        self.in_field(self.map.fields().numbered(number), Fault::Missing)
    }

    /// Of a pair that cannot be read: of its field, if at least its key can be.
    #[cold]
    fn in_pair(&self, mut start: Cursor<'a>, fault: Fault) -> Malformed {
        match start.bytes() {
            Ok([number, ..]) => self.in_field(self.map.fields().numbered(*number), fault),
            _ => self.in_map(fault),
        }
    }

    #[cold]
    fn in_field(&self, field: &Field, fault: Fault) -> Malformed {
        Malformed {
            field: Some(field.name),
            ..self.in_map(fault)
        }
    }

    #[cold]
    fn in_map(&self, fault: Fault) -> Malformed {
        Malformed {
            map: Some(self.map),
            field: None,
            fault,
        }
    }
}
