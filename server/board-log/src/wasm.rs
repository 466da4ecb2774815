//! The checks for browsers and the command `psbt-wasm`, which the npm package has as its third module. Everything crosses the boundary as text:
//! lists as JSON in the spelling of `JSON.stringify`, verdicts as their codes.

#![allow(
    unreachable_pub,
    reason = "wasm-bindgen takes only functions that are public by name"
)]

use wasm_bindgen::prelude::*;

use crate::check::{self, CheckError};
use crate::checkpoint::Checkpoint;
use crate::cosignature;
use crate::entry::Entry;
use crate::json::{canonical, object};
use crate::note::VerifierKey;
use crate::proof_note::{ProofNote, Worth};
use crate::receipt::Receipt;

/// A check allocates a few hundred small blocks, so the smallest allocator will do.
#[global_allocator]
static ALLOCATOR: lol_alloc::LockedAllocator<lol_alloc::FreeListAllocator> =
    lol_alloc::LockedAllocator::new(lol_alloc::FreeListAllocator::new());

/// Its message is the code.
impl From<CheckError> for JsValue {
    fn from(error: CheckError) -> Self {
        error.code().into()
    }
}

/// A key that the reader trusts.
struct Trusted {
    key: String,
    until: Option<u64>,
}

object!(Trusted { key, until });

impl Trusted {
    fn read(self) -> Result<VerifierKey, CheckError> {
        let key: VerifierKey = self.key.parse()?;
        Ok(match self.until {
            Some(until) => key.replaced(until),
            None => key,
        })
    }
}

/// A list of keys, `[{"key":KEY,"until":SIZE}]`.
fn trusted(list: &str) -> Result<Vec<VerifierKey>, CheckError> {
    let list: Vec<Trusted> = canonical(list).ok_or(CheckError::Entry)?;
    list.into_iter().map(Trusted::read).collect()
}

/// The origin of a log and its size, in a line each.
fn lines(Checkpoint { origin, size, .. }: &Checkpoint) -> String {
    [&**origin, "\n", &*size.to_string()].concat()
}

/// Reads a checkpoint without checking its signatures.
#[wasm_bindgen(js_name = readCheckpoint)]
pub fn read_checkpoint(note: &str) -> Result<String, JsValue> {
    Ok(lines(&check::unsigned(note)?))
}

/// Reads the text of a checkpoint that has lost its signatures.
#[wasm_bindgen(js_name = readUnsigned)]
pub fn read_unsigned(text: &str) -> Result<String, JsValue> {
    let checkpoint: Checkpoint = text.parse().map_err(CheckError::from)?;
    Ok(lines(&checkpoint))
}

/// Checks that one of the keys has signed a checkpoint.
#[wasm_bindgen(js_name = checkCheckpoint)]
pub fn check_checkpoint(note: &str, keys: &str) -> Result<String, JsValue> {
    Ok(lines(&check::checkpoint(note, &trusted(keys)?)?))
}

/// The keys that follow from these by a list of notes.
#[wasm_bindgen(js_name = followKeys)]
pub fn follow_keys(keys: &str, rotations: &str) -> Result<String, JsValue> {
    let rotations: Vec<String> = canonical(rotations).ok_or(CheckError::Entry)?;
    let keys = check::keys(&trusted(keys)?, &rotations)?;
    // No name of a key has a character that JSON would escape but quotation marks and backslashes.
    let keys = keys.iter().map(|key| {
        let text = key.to_string().replace('\\', "\\\\").replace('"', "\\\"");
        let until = key
            .until()
            .map_or("null".to_owned(), |until| until.to_string());
        ["{\"key\":\"", &text, "\",\"until\":", &until, "}"].concat()
    });
    let keys: Vec<_> = keys.collect();
    Ok(["[", &keys.join(","), "]"].concat())
}

/// The paths of the tiles that `checkGrowth` needs, in a line each.
#[wasm_bindgen(js_name = tilesOfGrowth)]
pub fn tiles_of_growth(seen: &str, now: &str) -> Result<String, JsValue> {
    let paths = check::tiles_of_growth(&check::unsigned(seen)?, &check::unsigned(now)?)?;
    Ok(paths.join("\n"))
}

/// Checks that a log has only grown, by the bytes of those tiles one after the other.
#[wasm_bindgen(js_name = checkGrowth)]
pub fn check_growth(seen: &str, now: &str, tiles: &[u8]) -> Result<(), JsValue> {
    let (seen, now) = (check::unsigned(seen)?, check::unsigned(now)?);
    Ok(check::has_grown(&seen, &now, tiles)?)
}

/// How many of these witnesses have cosigned a checkpoint. Keys of another kind count nothing.
#[wasm_bindgen(js_name = countCosignatures)]
pub fn count_cosignatures(checkpoint: &str, witnesses: &str) -> u32 {
    let witnesses: Vec<String> = canonical(witnesses).unwrap_or_default();
    let witnesses = witnesses.iter().filter_map(|key| key.parse().ok());
    let witnesses: Vec<_> = witnesses.collect();
    let count = cosignature::count(checkpoint, &witnesses);
    u32::try_from(count).unwrap_or_default()
}

/// The checkpoint in a receipt, of which nothing has been checked but its form.
#[wasm_bindgen(js_name = checkpointOfReceipt)]
pub fn checkpoint_of_receipt(receipt: &str) -> Result<String, JsValue> {
    let Receipt { checkpoint, .. } = Receipt::read(receipt)?;
    check::unsigned(&checkpoint)?;
    Ok(checkpoint)
}

/// Checks a receipt with these keys: the origin of the log, the entry and the row, in a line each.
#[wasm_bindgen(js_name = checkReceipt)]
pub fn check_receipt(receipt: &str, keys: &str) -> Result<String, JsValue> {
    let receipt = Receipt::read(receipt)?;
    let shown = receipt.check(&trusted(keys)?)?;
    // In JSON that is spelled as boards spell it a line feed is escaped.
    Ok([&*shown.origin, &receipt.extra.entry, &receipt.extra.row].join("\n"))
}

/// The operator's reason in the first entry of a log, empty without one; none when this is no such entry.
#[wasm_bindgen(js_name = reasonOfLog)]
pub fn reason_of_log(entry: &str) -> Option<String> {
    match canonical(entry)? {
        Entry::Begin { because, .. } => Some(because.unwrap_or_default()),
        _ => None,
    }
}

/// What a note on a proof is worth, by these verifier keys: its code, and the name after a line feed if it is valid. `said` is what it must
/// say, with an empty name.
#[wasm_bindgen(js_name = checkNote)]
pub fn check_note(note: &str, said: &str, keys: &str) -> Result<String, JsValue> {
    let said: ProofNote = canonical(said).ok_or(CheckError::Entry)?;
    let keys: Vec<String> = canonical(keys).ok_or(CheckError::Entry)?;
    let keys = keys.iter().filter_map(|key| key.parse().ok());
    let keys: Vec<_> = keys.collect();
    Ok(match said.worth(note, &keys) {
        Worth::Valid(name) => ["valid\n", &name].concat(),
        Worth::False => "false".to_owned(),
        Worth::OtherKey => "other-key".to_owned(),
        Worth::None => "none".to_owned(),
    })
}
