//! How several values cross the boundary in one, each after its length in 4 bytes, little endian. The other half is `js/frames.js`.

use alloc::vec::Vec;

use crate::Fault;
use crate::read::cursor::{Cursor, LENGTH};

/// Reads the next value.
#[inline(never)]
pub(super) fn read<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [u8], Fault> {
    let length = u32::from_le_bytes(*cursor.array()?);
    cursor.take(usize::try_from(length).unwrap_or(usize::MAX))
}

/// Reads the next value, which is text.
pub(super) fn read_text<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, Fault> {
    core::str::from_utf8(read(cursor)?).map_err(|_| Fault::Invalid("text"))
}

/// Reads the next value, which has `N` bytes.
pub(super) fn read_array<'a, const N: usize>(
    cursor: &mut Cursor<'a>,
) -> Result<&'a [u8; N], Fault> {
    read(cursor)?.try_into().map_err(|_| LENGTH)
}

/// JSON text after its length, and the file that it is about.
pub(super) fn pack(json: &str, file: &[u8]) -> Vec<u8> {
    let length = u32::try_from(json.len()).unwrap_or_default();
    [&length.to_le_bytes(), json.as_bytes(), file].concat()
}
