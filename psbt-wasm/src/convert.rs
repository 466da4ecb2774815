//! Changes the version of a PSBT.

use alloc::vec::Vec;

use crate::error::Map;
use crate::read::cursor::Cursor;
use crate::read::fields::{Field, Versions, global, input, output};
use crate::read::maps::Psbt;
use crate::write::version_2::spread;
use crate::write::{begin, each_field};
use crate::{Error, Fault, Keys, MakeError, decode};

/// A PSBT in another version.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Converted {
    /// The file as binary.
    pub psbt: Vec<u8>,
    /// What the file said and the version cannot express.
    pub lost: Vec<Lost>,
}

/// What version 0 cannot express.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Lost {
    /// Inputs require a lock time. The one that they determine together is the transaction's.
    RequiredLockTimes,
    /// Inputs or outputs may be added.
    Modifiable,
    /// Outputs pay silent payment addresses (BIP-0375).
    SilentPayments,
}

crate::facts::names!(Lost: name);

/// A PSBT as version 0 (BIP-0174) or 2 (BIP-0370). The transaction stays the same, and with it every signature. As version 2 nothing may
/// be added to it. Fields whose type Bitcoin Core does not read are left out.
///
/// # Errors
///
/// Those of [`decode`] and of [`Binary::read`](crate::Binary::read) with [`Keys::Curve`]; [`Fault::Version`] for another version, and
/// [`MakeError::FinalTransaction`].
pub fn convert(bytes: &[u8], version: u8) -> Result<Converted, Error> {
    if !matches!(version, 0 | 2) {
        return Err(Fault::Version(version.into()).into());
    }
    let binary = decode(bytes)?;
    let file = binary.read(Keys::Curve)?;
    let psbt = file.psbt.as_ref().ok_or(MakeError::FinalTransaction)?;
    let mut lost = Vec::new();
    let psbt = match (psbt.version, version) {
        (2, 0) => {
            lost = lost_in_version_0(psbt);
            copy(psbt, begin(&psbt.unsigned), &|map, field| {
                field.versions != Versions::Two
                    && !(map == Map::Global && field.number == global::VERSION)
                    && !is_of_silent_payment(map, field)
            })
        }
        (0, 2) => {
            let plain = copy(psbt, Vec::new(), &|_, _| true);
            spread(&file.transaction()?, Cursor::new(&plain))
        }
        _ => copy(psbt, crate::facts::MAGIC.to_vec(), &|_, _| true),
    };
    let again = decode(psbt.as_slice())?;
    if again.read(Keys::Form)?.transaction_bytes() != file.transaction_bytes() {
        return Err(Fault::Disputed.into());
    }
    Ok(Converted { psbt, lost })
}

/// The maps after what is there, with these fields.
fn copy(psbt: &Psbt<'_>, mut file: Vec<u8>, stays: &dyn Fn(Map, &Field) -> bool) -> Vec<u8> {
    each_map(psbt, &mut |map, cursor| {
        each_field(cursor, map, &mut |field, pair| {
            if pair.check_type().is_ok() && stays(map, field) {
                file.extend_from_slice(pair.raw);
            }
        });
        file.push(0);
    });
    file
}

fn each_map<'a>(psbt: &Psbt<'a>, take: &mut dyn FnMut(Map, &mut Cursor<'a>)) {
    let mut cursor = Cursor::new(psbt.maps);
    take(Map::Global, &mut cursor);
    for index in 0..psbt.inputs.len() {
        take(Map::Input(index), &mut cursor);
    }
    for index in 0..psbt.output_count {
        take(Map::Output(index), &mut cursor);
    }
}

fn lost_in_version_0(psbt: &Psbt<'_>) -> Vec<Lost> {
    let (mut locks, mut modifiable, mut silent) = (false, false, false);
    each_map(psbt, &mut |map, cursor| {
        each_field(cursor, map, &mut |field, pair| match (map, field.number) {
            (Map::Input(_), input::REQUIRED_TIME_LOCKTIME | input::REQUIRED_HEIGHT_LOCKTIME) => {
                locks = true
            }
            (Map::Global, global::TX_MODIFIABLE) => modifiable = pair.value != [0],
            _ => silent |= is_of_silent_payment(map, field),
        });
    });
    [
        (locks, Lost::RequiredLockTimes),
        (modifiable, Lost::Modifiable),
        (silent, Lost::SilentPayments),
    ]
    .into_iter()
    .filter_map(|(is_lost, what)| is_lost.then_some(what))
    .collect()
}

/// BIP-0375: its fields are for version 2.
fn is_of_silent_payment(map: Map, field: &Field) -> bool {
    match map {
        Map::Global => matches!(field.number, global::SP_ECDH_SHARE | global::SP_DLEQ),
        Map::Input(_) => matches!(field.number, input::SP_ECDH_SHARE | input::SP_DLEQ),
        Map::Output(_) => matches!(field.number, output::SP_V0_INFO | output::SP_V0_LABEL),
    }
}
