//! What the bytes are: a PSBT or a final transaction; binary, base64 or hexadecimal text.
//!
//! The name of a file is never trusted. Wallets put base64 text into `.psbt` files, editors add byte order
//! marks and line ends, and a shell may even store text as UTF-16.
//!
//! Text is decoded in place by our own code: the crate `base64` would make the module that browsers load first 0.9 kB
//! larger (Brotli).

use alloc::{borrow::Cow, vec::Vec};

use super::transaction::Tx;
use crate::facts::MAGIC;
use crate::{Encoding, Error, Fault, MAX_FILE_BYTES};

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
    keep_characters(&mut text).ok_or(Error::InvalidMagic)?;
    // BIP-0322 writes "pof" before the base64 text of a proof of funds, "ful" before that of a signature's transaction.
    let prefix = if text.starts_with(b"pof") || text.starts_with(b"ful") {
        3
    } else {
        0
    };
    if starts_as_base64_psbt(&text[prefix..]) {
        return from_base64(text, prefix)
            .map(|bytes| psbt(Encoding::Base64, bytes))
            .ok_or(Fault::Base64.into());
    }
    let hex = from_hex(&text);
    if starts_as_hex_psbt(&text) {
        return hex
            .map(|bytes| psbt(Encoding::Hex, bytes))
            .ok_or(Fault::Hex.into());
    }
    // Hexadecimal digits are base64 digits as well, so a transaction may be either.
    from_base64(text, prefix)
        .and_then(|bytes| transaction(Encoding::Base64, bytes))
        .or_else(|| transaction(Encoding::Hex, hex?))
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

/// Takes byte order marks and white space away, and makes UTF-16 to ASCII; none when there is another character.
fn keep_characters(text: &mut Vec<u8>) -> Option<()> {
    // Where the text starts, how long a character is, and which of its bytes says what it is.
    let (start, width, low) = match text[..] {
        [0xef, 0xbb, 0xbf, ..] => (3, 1, 0),
        [0xff, 0xfe, ..] => (2, 2, 0),
        [0xfe, 0xff, ..] => (2, 2, 1),
        _ => (0, 1, 0),
    };
    let mut kept = 0;
    for at in (start..text.len()).step_by(width) {
        let character = *text.get(at + low)?;
        let high = if width == 2 {
            *text.get(at + 1 - low)?
        } else {
            0
        };
        if high != 0 || !character.is_ascii() {
            return None;
        }
        if !character.is_ascii_whitespace() {
            text[kept] = character;
            kept += 1;
        }
    }
    text.truncate(kept);
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

/// RFC 4648, from `start`, in place; padding may be absent or too short, and bits that carry nothing must be zero.
fn from_base64(mut text: Vec<u8>, start: usize) -> Option<Vec<u8>> {
    let mut end = text.len();
    while end > start && text[end - 1] == b'=' {
        end -= 1;
    }
    let digits = end - start;
    if text.len() - end > digits.next_multiple_of(4) - digits {
        return None;
    }
    // The last group may be too short; this fills it with zeros.
    text.truncate(end);
    text.resize(start + digits.next_multiple_of(4), b'A');
    let mut invalid = 0;
    for group in 0..text[start..].len() / 4 {
        let digits: [u8; 4] = core::array::from_fn(|at| value(text[start + 4 * group + at]));
        let [a, b, c, d] = digits;
        invalid |= a | b | c | d;
        text[3 * group] = a << 2 | b >> 4;
        text[3 * group + 1] = b << 4 | c >> 2;
        text[3 * group + 2] = c << 6 | d;
    }
    let length = digits / 4 * 3 + (digits % 4).saturating_sub(1);
    let filled = digits.div_ceil(4) * 3;
    let zeros = text[length..filled].iter().all(|byte| *byte == 0);
    text.truncate(length);
    (digits % 4 != 1 && zeros && invalid < 64).then_some(text)
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

fn from_hex(text: &[u8]) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_chunks::<2>() else {
        return None;
    };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    // No more is allocated for text that is something else.
    digit(*text.first()?)?;
    let mut bytes = Vec::with_capacity(pairs.len());
    for [high, low] in pairs {
        let byte = digit(*high)? << 4 | digit(*low)?;
        bytes.push(byte.to_le_bytes()[0]);
    }
    Some(bytes)
}
