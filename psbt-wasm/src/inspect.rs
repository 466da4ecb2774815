//! Lists all fields of a file with their names and meanings, also of files that break the rules.

mod decoded;
mod silent_payments;

use alloc::{string::String, string::ToString, vec::Vec};

use crate::error::Map;
use crate::read::checks::check;
use crate::read::cursor::{Cursor, Pair};
use crate::read::duplicates::Seen;
use crate::read::fields::global;
use crate::read::maps::is_end;
use crate::read::transaction::Tx;
use crate::{Binary, Encoding, Error, Fault, File, Keys, Malformed, Network, decode};
use decoded::{decode_field, decode_raw_transaction};

/// The most fields that are listed. Only the strict reader looks at the others.
const MAX_FIELDS: usize = 10_000;
/// The most problems that are listed.
const MAX_PROBLEMS: usize = 1_000;
/// The most bytes of a key and of a value that are shown, unless all are asked for.
const MAX_SHOWN_BYTES: usize = 520;

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// How the file encodes its bytes.
    pub encoding: Encoding,
    /// The version that the file states; none for a transaction.
    pub psbt_version: Option<u32>,
    /// The fields in their order, at most 10,000. A transaction has one.
    pub fields: Vec<InspectedField>,
    /// Whether there are more.
    pub is_cut: bool,
    /// What is wrong with the file: what [`Binary::read`](crate::Binary::read) or [`File::report`](crate::File::report) refuses, and
    /// fields of BIP-0373, BIP-0375 and BIP-0376 that break a rule there, which readers pass over; of silent payments also
    /// false proofs of shares (BIP-0374) and wrong scripts (BIP-0352), at most 4,000 of them.
    pub problems: Vec<Problem>,
}

/// One field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedField {
    /// The map that it is in.
    pub map: Map,
    /// The type of its key; none if it is cut short.
    pub number: Option<u64>,
    /// Its name in the BIP.
    pub name: &'static str,
    /// What follows the type in the key; at most 520 bytes, unless all are asked for.
    pub key_data: Vec<u8>,
    /// Its value; at most 520 bytes, unless all are asked for.
    pub value: Vec<u8>,
    /// How long the value is.
    pub value_bytes: usize,
    /// Its meaning: names, and texts for people.
    pub decoded: Vec<(&'static str, String)>,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The code, as of an [`Error`].
    pub code: &'static str,
    /// Where it is; none when the file as a whole is wrong.
    pub map: Option<Map>,
    /// The name of the field; none when a map as a whole is wrong.
    pub field: Option<&'static str>,
    /// A sentence.
    pub message: String,
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Self {
            code: error.code(),
            map: error.map(),
            field: error.field(),
            message: error.to_string(),
        }
    }
}

/// Lists the fields of a file, with addresses of `network`; `whole` also shows what is longer than 520 bytes.
///
/// # Errors
///
/// Those of [`decode`]: it is neither a PSBT nor a transaction.
pub fn inspect(bytes: &[u8], network: Network, whole: bool) -> Result<Inspection, Error> {
    Ok(inspect_binary(&decode(bytes)?, network, whole))
}

/// Lists the fields of a file that is [decoded](decode).
pub(crate) fn inspect_binary(binary: &Binary<'_>, network: Network, whole: bool) -> Inspection {
    let shown = if whole { usize::MAX } else { MAX_SHOWN_BYTES };
    let mut inspection = list_fields(binary, network, shown);
    let file = binary.read_in_progress(Keys::Curve);
    if let Err(error) = file.and_then(|file| file.report_without_outputs(network).map(drop)) {
        inspection.add(error);
    }
    inspection
}

/// The fields, and what is wrong with each of them.
fn list_fields(binary: &Binary<'_>, network: Network, shown: usize) -> Inspection {
    let mut inspection = Inspection {
        encoding: binary.encoding(),
        psbt_version: None,
        fields: Vec::new(),
        is_cut: false,
        problems: Vec::new(),
    };
    if let Some(maps) = binary.as_bytes().strip_prefix(b"psbt\xff") {
        let mut walk = Walk {
            inspection: &mut inspection,
            cursor: Cursor::new(maps),
            network,
            shown,
            counts: (usize::MAX, 0),
        };
        if let Err(malformed) = walk.walk() {
            inspection.add(malformed.into());
        }
        let file = binary.read_in_progress(Keys::Form);
        for malformed in file.iter().flat_map(broken_rules) {
            inspection.add(malformed.into());
        }
    } else if let Ok(tx) = Tx::read(binary.as_bytes()) {
        let bytes = binary.as_bytes();
        inspection.fields.push(InspectedField {
            map: Map::Global,
            number: Some(0),
            name: "transaction",
            key_data: Vec::new(),
            value: first_bytes(bytes, shown),
            value_bytes: bytes.len(),
            decoded: decode_raw_transaction(&tx),
        });
    }
    inspection
}

/// The rules of silent payments (BIP-0375) that a file breaks which is well-formed otherwise.
fn broken_rules(file: &File<'_>) -> Vec<Malformed> {
    match (&file.psbt, file.transaction()) {
        (Some(psbt), Ok(tx)) if psbt.version == 2 => silent_payments::broken_rules(psbt, &tx),
        _ => Vec::new(),
    }
}

fn first_bytes(bytes: &[u8], most: usize) -> Vec<u8> {
    bytes[..bytes.len().min(most)].to_vec()
}

impl Inspection {
    fn add(&mut self, error: Error) {
        let problem = Problem::from(error);
        if !self.problems.contains(&problem) && self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

struct Walk<'i, 'a> {
    inspection: &'i mut Inspection,
    cursor: Cursor<'a>,
    network: Network,
    /// The most bytes of a key and of a value that are shown.
    shown: usize,
    /// How many inputs and outputs there are, as the global map says; all other maps are inputs if it does not.
    counts: (usize, usize),
}

impl<'a> Walk<'_, 'a> {
    fn walk(&mut self) -> Result<(), Malformed> {
        self.inspection.psbt_version = Some(version(self.cursor));
        self.map(Map::Global)?;
        let (inputs, outputs) = self.counts;
        let has_counts = inputs != usize::MAX;
        let maps = (0..inputs)
            .map(Map::Input)
            .chain((0..outputs).map(Map::Output));
        for map in maps {
            let is_over = !has_counts && self.cursor.remaining() == 0;
            if self.inspection.is_cut || is_over {
                return Ok(());
            }
            self.map(map)?;
        }
        if !is_end(self.cursor.rest(), outputs) && !self.inspection.is_cut {
            return Err(Fault::TrailingData.into());
        }
        Ok(())
    }

    fn map(&mut self, map: Map) -> Result<(), Malformed> {
        let is_v2 = self.inspection.psbt_version == Some(2);
        let mut seen = Seen::default();
        let in_map = |field, fault| Malformed {
            map: Some(map),
            field,
            fault,
        };
        loop {
            let pair = self.cursor.next_pair();
            let Some(pair) = pair.map_err(|fault| in_map(None, fault))? else {
                break;
            };
            if self.inspection.fields.len() == MAX_FIELDS {
                self.inspection.is_cut = true;
                return Ok(());
            }
            let field = map.fields().lookup(&pair);
            let is_new = seen.insert(pair.key);
            let mut faults = [
                (!is_new).then_some(Fault::Duplicate),
                (field.versions.excludes(is_v2)).then_some(Fault::MixedVersions),
                check(field, &pair, Keys::Curve.check()).err(),
                pair.check_type().err(),
            ];
            let (number, key_data) = pair.whole_type();
            let decoded = decode_field(map, field, &pair, self.network);
            if decoded.is_none() && faults[2].is_none() {
                faults[2] = Some(Fault::Invalid("key or length"));
            }
            for fault in faults.into_iter().flatten() {
                self.inspection.add(in_map(Some(field.name), fault).into());
            }
            if map == Map::Global {
                self.count(&pair);
            }
            self.inspection.fields.push(InspectedField {
                map,
                number,
                name: field.name,
                key_data: first_bytes(key_data, self.shown),
                value: first_bytes(pair.value, self.shown),
                value_bytes: pair.value.len(),
                decoded: decoded.unwrap_or_default(),
            });
        }
        if let Some(key) = seen.end_of_map() {
            let field = map.fields().numbered(key[0]);
            let twice = in_map(Some(field.name), Fault::Duplicate);
            self.inspection.add(twice.into());
        }
        Ok(())
    }

    /// Notes how many inputs and outputs a field of the global map says that there are; each takes at least a byte.
    fn count(&mut self, pair: &Pair<'a>) {
        let number = || crate::read::checks::count(pair.value).unwrap_or_default();
        match pair.key {
            [global::UNSIGNED_TX] => {
                if let Ok(tx) = Tx::read_unsigned(pair.value) {
                    self.counts = (tx.input_count, tx.output_count);
                }
            }
            [global::INPUT_COUNT] => self.counts.0 = number(),
            [global::OUTPUT_COUNT] => self.counts.1 = number(),
            _ => {}
        }
    }
}

fn version(mut cursor: Cursor<'_>) -> u32 {
    let mut version = 0;
    while let Ok(Some(pair)) = cursor.next_pair() {
        if pair.key == [global::VERSION] {
            version = pair.u32().unwrap_or_default();
        }
    }
    version
}
