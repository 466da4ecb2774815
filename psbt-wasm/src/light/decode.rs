//! What the bytes are: a PSBT or a final transaction; binary, base64 or hexadecimal text.

use alloc::{borrow::Cow, vec::Vec};

use super::transaction::Tx;
use crate::facts::MAGIC;
use crate::{Encoding, Error, MAX_FILE_BYTES, Malformed};

/// A file as binary. The first step of reading; [`Binary::read`] is the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binary<'a> {
    pub(super) encoding: Encoding,
    pub(super) is_psbt: bool,
    pub(super) bytes: Cow<'a, [u8]>,
}

/// Finds out what a file is, and decodes text; text that is passed as a vector is decoded in place.
///
/// # Errors
///
/// When it is neither a PSBT nor a transaction, by its first bytes, too large, or text that is damaged.
pub fn decode<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Binary<'a>, Error> {
    let bytes = bytes.into();
    if bytes.len() > MAX_FILE_BYTES {
        return Err(Error::FileTooLarge);
    }
    if bytes.len() < MAGIC.len() {
        return Err(Error::FileTooShort);
    }
    if bytes.starts_with(MAGIC) || Tx::read(&bytes).is_ok() {
        return Ok(Binary {
            encoding: Encoding::Binary,
            is_psbt: bytes.starts_with(MAGIC),
            bytes,
        });
    }
    decode_text(bytes.into_owned())
}

fn decode_text(mut text: Vec<u8>) -> Result<Binary<'static>, Error> {
    narrow(&mut text).ok_or(Error::InvalidMagic)?;
    text.retain(|byte| !byte.is_ascii_whitespace());
    if !text.is_ascii() {
        return Err(Error::InvalidMagic);
    }
    let is_hex = starts_as_hex_psbt(&text);
    // BIP-0322 writes "pof" before the base64 text of a proof of funds.
    let prefix = if text.starts_with(b"pof") { 3 } else { 0 };
    if starts_as_base64_psbt(&text[prefix..]) {
        text.drain(..prefix);
        return from_base64(text)
            .map(|bytes| psbt(Encoding::Base64, bytes))
            .ok_or(Malformed::Base64.into());
    }
    if is_hex {
        return from_hex(text)
            .map(|bytes| psbt(Encoding::Hex, bytes))
            .ok_or(Malformed::Hex.into());
    }
    // Hexadecimal digits are base64 digits as well, so a transaction may be either.
    let is_hex = text.iter().all(u8::is_ascii_hexdigit);
    let other = is_hex.then(|| text.clone());
    from_base64(text)
        .and_then(|bytes| transaction(Encoding::Base64, bytes))
        .or_else(|| transaction(Encoding::Hex, from_hex(other?)?))
        .ok_or(Error::InvalidMagic)
}

fn psbt(encoding: Encoding, bytes: Vec<u8>) -> Binary<'static> {
    Binary {
        encoding,
        is_psbt: true,
        bytes: bytes.into(),
    }
}

fn transaction(encoding: Encoding, bytes: Vec<u8>) -> Option<Binary<'static>> {
    Tx::read(&bytes).ok()?;
    Some(Binary {
        encoding,
        is_psbt: false,
        bytes: bytes.into(),
    })
}

/// Takes byte order marks away, and makes UTF-16 to ASCII.
fn narrow(text: &mut Vec<u8>) -> Option<()> {
    let order: fn([u8; 2]) -> u16 = match text[..] {
        [0xef, 0xbb, 0xbf, ..] => {
            text.drain(..3);
            return Some(());
        }
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Some(()),
    };
    let (units, rest) = text[2..].as_chunks::<2>();
    let narrowed: Option<Vec<u8>> = units
        .iter()
        .map(|unit| u8::try_from(order(*unit)).ok())
        .collect();
    *text = rest.is_empty().then_some(narrowed)??;
    Some(())
}

/// The five bytes of the magic number end within the seventh base64 character.
fn starts_as_base64_psbt(text: &[u8]) -> bool {
    text.starts_with(b"cHNidP") && matches!(text.get(6), Some(b'8' | b'9' | b'+' | b'/'))
}

fn starts_as_hex_psbt(text: &[u8]) -> bool {
    text.get(..10)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"70736274ff"))
}

/// RFC 4648, in place; padding may be absent or too short, and bits that carry nothing must be zero.
fn from_base64(mut text: Vec<u8>) -> Option<Vec<u8>> {
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    text.truncate(text.len() - padding);
    if padding > text.len().next_multiple_of(4) - text.len() {
        return None;
    }
    let groups = text.len() / 4;
    let mut invalid = 0;
    for group in 0..groups {
        let digits: [u8; 4] = core::array::from_fn(|at| value(text[4 * group + at]));
        let [a, b, c, d] = digits;
        invalid |= a | b | c | d;
        text[3 * group] = a << 2 | b >> 4;
        text[3 * group + 1] = b << 4 | c >> 2;
        text[3 * group + 2] = c << 6 | d;
    }
    let mut end = 3 * groups;
    let rest: Vec<u8> = text[4 * groups..]
        .iter()
        .map(|digit| value(*digit))
        .collect();
    match rest[..] {
        [] => {}
        [a, b] if b & 15 == 0 => {
            invalid |= a | b;
            text[end] = a << 2 | b >> 4;
            end += 1;
        }
        [a, b, c] if c & 3 == 0 => {
            invalid |= a | b | c;
            text[end] = a << 2 | b >> 4;
            text[end + 1] = b << 4 | c >> 2;
            end += 2;
        }
        _ => return None,
    }
    text.truncate(end);
    (invalid < 64).then_some(text)
}

/// The value of each base64 digit, 0xff for any other byte.
const VALUES: [u8; 256] = {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut values = [0xff; 256];
    let mut value: u8 = 0;
    while value < 64 {
        values[digits[value as usize] as usize] = value;
        value += 1;
    }
    values
};

fn value(digit: u8) -> u8 {
    VALUES[usize::from(digit)]
}

fn from_hex(mut text: Vec<u8>) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) {
        return None;
    }
    for at in 0..text.len() / 2 {
        let digit = |place: usize| char::from(text[2 * at + place]).to_digit(16);
        let byte = digit(0)? << 4 | digit(1)?;
        text[at] = byte.to_le_bytes()[0];
    }
    text.truncate(text.len() / 2);
    Some(text)
}
