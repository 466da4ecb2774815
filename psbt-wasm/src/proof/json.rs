//! Reads JSON text in which nothing can be read in two ways: no member twice, none that is unknown, no number but an integer, no unpaired
//! surrogate. Other parsers that take such a text read the same.

use alloc::string::String;
use alloc::vec::Vec;

use crate::Error;

/// The largest integer that every parser of JSON reads exactly (RFC 8259, section 6).
const MAX_INTEGER: u64 = (1 << 53) - 1;

/// Reads one value after the other.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    /// The member that is being read, for errors.
    member: &'static str,
}

/// Reads the value of a member, by its place in the list of names.
type ReadMember<'m, 'a> = &'m mut dyn FnMut(&mut Reader<'a>, usize) -> Result<(), Error>;

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            rest: text.as_bytes(),
            member: "{}",
        }
    }

    /// The error for the member that is being read.
    pub(super) fn malformed(&self) -> Error {
        Error::MalformedProof(self.member)
    }

    /// The text has no more values.
    pub(super) fn end(&mut self) -> Result<(), Error> {
        self.skip_space();
        self.rest.is_empty().then_some(()).ok_or(self.malformed())
    }

    /// Reads an object. Returns which of the names it has, as bits.
    pub(super) fn object(
        &mut self,
        names: &[&'static str],
        read: ReadMember<'_, 'a>,
    ) -> Result<u32, Error> {
        let whole = self.member;
        let mut seen = 0;
        self.expect(b'{')?;
        if self.take(b'}') {
            return Ok(seen);
        }
        loop {
            let name = self.plain()?;
            let known = names.iter().position(|known| known.as_bytes() == name);
            let (at, name) = known
                .and_then(|at| Some((at, *names.get(at)?)))
                .ok_or(self.malformed())?;
            self.member = name;
            if seen & (1 << at) != 0 {
                return Err(self.malformed());
            }
            seen |= 1 << at;
            self.expect(b':')?;
            read(self, at)?;
            self.member = whole;
            if !self.take(b',') {
                self.expect(b'}')?;
                return Ok(seen);
            }
        }
    }

    /// Reads a list.
    pub(super) fn list(
        &mut self,
        item: &mut dyn FnMut(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.expect(b'[')?;
        if self.take(b']') {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.take(b',') {
                return self.expect(b']');
            }
        }
    }

    pub(super) fn text(&mut self) -> Result<String, Error> {
        self.expect(b'"')?;
        let mut text = Vec::new();
        loop {
            match self.next()? {
                b'"' => break,
                b'\\' => {
                    let character = self.escaped()?;
                    text.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                0..0x20 => return Err(self.malformed()),
                byte => text.push(byte),
            }
        }
        String::from_utf8(text).map_err(|_| self.malformed())
    }

    /// Bytes in hexadecimal text, in lower case.
    pub(super) fn hex(&mut self) -> Result<Vec<u8>, Error> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let text = self.plain()?;
        let pairs = text.chunks(2).map(|pair| match pair {
            [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
            _ => None,
        });
        let bytes: Option<Vec<u8>> = pairs.collect();
        bytes.ok_or(self.malformed())
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        self.hex()?.try_into().map_err(|_| self.malformed())
    }

    /// An integer up to `most`, without sign, fraction, exponent or leading zeros.
    pub(super) fn integer(&mut self, most: u64) -> Result<u64, Error> {
        self.skip_space();
        let is_digit = |byte: &&u8| byte.is_ascii_digit();
        let length = self.rest.iter().take_while(is_digit).count();
        let (digits, rest) = self.rest.split_at_checked(length).unwrap_or_default();
        let is_shortest = digits.len() == 1 || digits.first().is_some_and(|first| *first != b'0');
        let text = core::str::from_utf8(digits).unwrap_or_default();
        let number: Option<u64> = text.parse().ok();
        let number = number.filter(|number| is_shortest && *number <= most.min(MAX_INTEGER));
        self.rest = rest;
        number.ok_or(self.malformed())
    }

    pub(super) fn boolean(&mut self) -> Result<bool, Error> {
        if self.word(b"true") {
            return Ok(true);
        }
        self.word(b"false").then_some(false).ok_or(self.malformed())
    }

    pub(super) fn is_null(&mut self) -> bool {
        self.word(b"null")
    }

    /// The bytes of a string without escapes.
    fn plain(&mut self) -> Result<&'a [u8], Error> {
        self.expect(b'"')?;
        let length = self.rest.iter().position(|byte| *byte == b'"');
        let text = length.and_then(|length| self.rest.split_at_checked(length));
        let (text, rest) = text.ok_or(self.malformed())?;
        self.rest = rest.get(1..).unwrap_or_default();
        if text.contains(&b'\\') {
            return Err(self.malformed());
        }
        Ok(text)
    }

    fn escaped(&mut self) -> Result<char, Error> {
        Ok(match self.next()? {
            byte @ (b'"' | b'\\' | b'/') => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.unit()?;
                let is_pair = (0xd800..0xdc00).contains(&first);
                let second = if is_pair {
                    for byte in *b"\\u" {
                        if self.next()? != byte {
                            return Err(self.malformed());
                        }
                    }
                    Some(self.unit()?)
                } else {
                    None
                };
                let units = core::iter::once(first).chain(second);
                let character = char::decode_utf16(units).next();
                return character.and_then(Result::ok).ok_or(self.malformed());
            }
            _ => return Err(self.malformed()),
        })
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Result<u16, Error> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = char::from(self.next()?).to_digit(16);
            unit = unit << 4 | digit.ok_or(self.malformed())?;
        }
        u16::try_from(unit).map_err(|_| self.malformed())
    }

    fn next(&mut self) -> Result<u8, Error> {
        let (first, rest) = self.rest.split_first().ok_or(self.malformed())?;
        self.rest = rest;
        Ok(*first)
    }

    fn skip_space(&mut self) {
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let length = self.rest.iter().take_while(is_space).count();
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    fn take(&mut self, byte: u8) -> bool {
        self.word(&[byte])
    }

    fn word(&mut self, word: &[u8]) -> bool {
        self.skip_space();
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, byte: u8) -> Result<(), Error> {
        self.take(byte).then_some(()).ok_or(self.malformed())
    }
}
