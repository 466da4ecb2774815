//! What the bytes are: a PSBT or a final transaction; binary, base64 or hexadecimal text, by itself or in quotes.
//!
//! The name of a file is never trusted. Wallets put base64 text into `.psbt` files, editors add byte order
//! marks and line ends, a shell may store text as UTF-16, and nodes print JSON.

use alloc::{borrow::Cow, vec::Vec};

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::transaction::Tx;
use crate::facts::MAGIC;
use crate::{Encoding, Error, Fault, MAX_FILE_BYTES};

/// A file as binary: the result of [`decode`]. [`Binary::read`] reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binary<'a> {
    pub(super) encoding: Encoding,
    pub(super) is_psbt: bool,
    pub(super) bytes: Cow<'a, [u8]>,
}

/// Recognizes PSBTs and transactions, and decodes text: base64 with either alphabet, or hexadecimal; also within JSON or other quotes,
/// if one file is there.
///
/// # Errors
///
/// The first bytes are neither those of a PSBT nor of a transaction, the file is too large, or its text is damaged.
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

/// A text that is a file, or that has one in quotes: JSON as nodes print it, or a string of a program.
#[inline(never)]
fn decode_text(mut text: Vec<u8>) -> Result<Binary<'static>, Error> {
    keep_characters(&mut text).ok_or(Error::InvalidMagic)?;
    replace_escapes(&mut text);
    let mut found: Option<Binary<'static>> = None;
    let mut is_unclear = false;
    for word in text.split(|character| *character == QUOTE) {
        let file = match decode_word(word) {
            Ok(file) => file,
            Err(Error::InvalidMagic) => continue,
            Err(damaged) => return Err(damaged),
        };
        // `walletprocesspsbt` prints the completed transaction as well; the PSBT says more.
        match &found {
            Some(first) if first.is_psbt == file.is_psbt => {
                is_unclear |= first.bytes != file.bytes;
            }
            Some(first) if first.is_psbt => {}
            _ => {
                is_unclear = false;
                found = Some(file);
            }
        }
    }
    found.filter(|_| !is_unclear).ok_or(Error::InvalidMagic)
}

#[inline(never)]
fn decode_word(text: &[u8]) -> Result<Binary<'static>, Error> {
    // BIP-0322 writes "pof" before the base64 text of a proof of funds, "ful" before that of a signature's transaction.
    let prefix = text.strip_prefix(b"pof").or(text.strip_prefix(b"ful"));
    let base64 = prefix.unwrap_or(text);
    if starts_as_base64_psbt(base64) {
        return from_base64(base64)
            .map(|bytes| psbt(Encoding::Base64, bytes))
            .ok_or(Fault::Base64.into());
    }
    let hex = from_hex(text);
    if starts_as_hex_psbt(text) {
        return hex
            .map(|bytes| psbt(Encoding::Hex, bytes))
            .ok_or(Fault::Hex.into());
    }
    // Hexadecimal digits are base64 digits as well, so a transaction may be either.
    from_base64(base64)
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
        is_psbt: false,
        ..psbt(encoding, bytes)
    })
}

/// What every quotation mark becomes.
const QUOTE: u8 = b'"';

/// Takes byte order marks and white space away, makes UTF-16 to ASCII, base64url to base64, and all quotation marks to one. None when
/// the text is cut within a character.
fn keep_characters(text: &mut Vec<u8>) -> Option<()> {
    // Where the text starts, how long a character is, and which of its bytes says what it is.
    let (start, width, low) = match text[..] {
        [0xef, 0xbb, 0xbf, ..] => (3, 1, 0),
        [0xff, 0xfe, ..] => (2, 2, 0),
        [0xfe, 0xff, ..] => (2, 2, 1),
        // UTF-16 without a mark.
        [1..=0x7f, 0, ..] => (0, 2, 0),
        [0, 1..=0x7f, ..] => (0, 2, 1),
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
        let is_ascii = high == 0 && character.is_ascii();
        if is_ascii && character.is_ascii_whitespace() {
            continue;
        }
        text[kept] = match character {
            // Typographic quotation marks are among the others.
            _ if !is_ascii => QUOTE,
            b'\'' | b'`' => QUOTE,
            // Base64url.
            b'-' => b'+',
            b'_' => b'/',
            character => character,
        };
        kept += 1;
    }
    text.truncate(kept);
    Some(())
}

/// Takes the escapes of JSON away: `\/`, `\n` and `\u003d`. No text of a file has a backslash of its own.
fn replace_escapes(text: &mut Vec<u8>) {
    let (mut kept, mut at) = (0, 0);
    while let Some(character) = text.get(at) {
        let mut character = *character;
        at += 1;
        if character == b'\\' {
            match text[at..] {
                [b'n' | b'r' | b't', ..] => at += 1,
                [b'u', b'0', b'0', high, low, ..] => {
                    at += 5;
                    let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or_default();
                    character = (digit(high) << 4 | digit(low)).to_le_bytes()[0];
                    text[kept] = character;
                    kept += 1;
                }
                _ => {}
            }
            continue;
        }
        text[kept] = character;
        kept += 1;
    }
    text.truncate(kept);
}

/// The five bytes of the magic number end within the seventh base64 character.
fn starts_as_base64_psbt(text: &[u8]) -> bool {
    text.starts_with(b"cHNidP") && matches!(text.get(6), Some(b'8' | b'9' | b'+' | b'/'))
}

fn starts_as_hex_psbt(text: &[u8]) -> bool {
    text.get(..10)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"70736274ff"))
}

/// RFC 4648; padding may be absent or too short, and bits that carry nothing must be zero.
pub(crate) fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let padding = (text.iter().rev()).take_while(|digit| **digit == b'=');
    let padding = padding.count();
    let digits = text.len() - padding;
    let most = digits.next_multiple_of(4) - digits;
    (padding <= most)
        .then(|| STANDARD_NO_PAD.decode(&text[..digits]).ok())
        .flatten()
}

fn from_hex(text: &[u8]) -> Option<Vec<u8>> {
    let pairs = text.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    let digit = |digit: u8| char::from(digit).to_digit(16);
    // No more is allocated for text that is something else.
    digit(*text.first()?)?;
    let mut bytes = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let byte = digit(pair[0])? << 4 | digit(pair[1])?;
        bytes.push(byte.to_le_bytes()[0]);
    }
    Some(bytes)
}
