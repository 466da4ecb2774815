//! How several values cross the boundary in one: each after its length in 4 bytes, little endian, as `framed` of `js/made.js` writes them.

use alloc::vec::Vec;

use crate::Fault;
use crate::read::cursor::Cursor;

/// The next value.
#[inline(never)]
pub(super) fn framed<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [u8], Fault> {
    let length = u32::from_le_bytes(*cursor.array()?);
    cursor.take(usize::try_from(length).unwrap_or(usize::MAX))
}

/// The next value, which is text.
pub(super) fn framed_text<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, Fault> {
    core::str::from_utf8(framed(cursor)?).map_err(|_| Fault::Invalid("text"))
}

/// JSON text after its length, and the file that it is about.
pub(super) fn packed(json: &str, file: &[u8]) -> Vec<u8> {
    let length = u32::try_from(json.len()).unwrap_or_default();
    [&length.to_le_bytes(), json.as_bytes(), file].concat()
}
