//! The statement that binds a proof to an account: one line of ASCII that a person reads on the device that signs.
//!
//! ```text
//! Proof of Reserves <site> <name> <code>
//! ```
//!
//! The line has at most [`MAX_BYTES`] bytes, so that a script pushes it with one direct push: devices show a longer one
//! wrongly, or refuse it. The *site* is the board, the *name* is the person, and the *code* commits to both.
//!
//! # The name
//!
//! In lower case. `@alice` at X, `gh:alice` at GitHub, and `provider:alice` elsewhere. A person without a name of their own,
//! and every Google account, is `~` and eight letters. A name that does not fit, or that has a character
//! other than visible ASCII, or a `~`, is cut: as much of it as fits before the first such character, then `~` and four letters.
//! So a name without `~` is whole, and no two people share a name with one.
//!
//! The letters are the first ones of the base32 of a SHA-256 over the provider and the person's permanent id there, each
//! preceded by its length as below. The name is left out on purpose: its owner chooses it, and could search for one with the
//! letters of another.
//!
//! # The code
//!
//! The first 100 bits of a SHA-256, written as 20 characters of base32 (RFC 4648, section 6) in lower case. What is hashed, in
//! this order, each preceded by its length in bytes as an unsigned number of four bytes, most significant first:
//!
//! 1. the tag `proof-of-reserves/statement/2`
//! 2. the origin of the board, as browsers write it: `https://board.example`
//! 3. the name of the provider that says who the person is, as the board's API writes it: `github`
//! 4. the person's permanent id at that provider
//! 5. the id of the account on the board
//! 6. the full name, before it is cut: `gh:alice`
//! 7. a nonce of 16 bytes
//! 8. the hash of a block: 32 bytes in internal order, the reverse of how hashes are written
//!
//! All are UTF-8 but the nonce and the hash, which are bytes. Anyone who has these can compute the code again.
//!
//! The block dates the statement: nobody could sign it before that block was mined. A board takes the first block of a
//! difficulty period ([`PERIOD_BLOCKS`]) once [`DEPTH`] blocks are above it. Block 0 dates nothing.
//!
//! Test vector: with the origin `https://board.example`, provider `x`, permanent id `783214`, account
//! `0190d0c2-0000-7000-8000-000000000001`, name `@satoshi`, the nonce `000102030405060708090a0b0c0d0e0f` and block 0 of mainnet
//! (`000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f`) the code is `os4su27jehh2f264koiy`.
//!
//! Statements of the first version have the tag `proof-of-reserves/statement/1`, and neither name nor block in their code. No
//! board accepts new ones, and published ones stay checkable: they are not dated.
//!
//! # A proof for one reader
//!
//! Without a board a statement names its reader, by words that the reader gave:
//!
//! ```text
//! Proof of Reserves for:<label>~<letters> <code>
//! ```
//!
//! The *label* is the words in lower case, ASCII letters and digits only, every other run of characters one `-`, none at the ends, at
//! most 23 characters. The eight *letters* are base32 of the SHA-256 over the words. The code is as above with [`READER`] as origin and
//! as provider, the words as permanent id, and the holder's own name as account and as full name. The words are normalized before:
//! NFC, each run of white space one space, none at the ends, at most 200 bytes, no control, bidirectional or invisible characters.
//! No board has this origin or this provider, so neither kind of proof counts as the other.

use alloc::{format, string::String, vec::Vec};

use crate::hash::{sha256, sha256d};

/// Longest statement in bytes: the longest direct push of a script. From 76 on, some devices sign another output
/// than they should.
pub const MAX_BYTES: usize = 75;

/// Longest site in bytes: it leaves nine bytes for the name.
pub const MAX_SITE_BYTES: usize = 26;

/// From here on, a site leaves little room for names.
pub const LONG_SITE_BYTES: usize = 22;

/// Lock time of a still transaction: a height some eight thousand years away. It is 400,000,000 plus the first four bytes of
/// SHA-256("Proof of Reserves") modulo 99,000,000.
pub const LOCK_TIME: u32 = 452_038_930;

/// First words of every statement.
pub(crate) const TITLE: &str = "Proof of Reserves ";

/// Origin and provider of a statement for one reader.
pub const READER: &str = "reader";

/// Longest label of a reader, in characters.
const LABEL_CHARACTERS: usize = 23;

/// Blocks in a difficulty period. The first one of a period has a height divisible by this.
pub const PERIOD_BLOCKS: u32 = 2_016;

/// Blocks above the first one of a period from which on statements commit to it.
pub const DEPTH: u32 = 6;

const TAG: &[u8] = b"proof-of-reserves/statement/2";
const UNDATED_TAG: &[u8] = b"proof-of-reserves/statement/1";

const CODE_CHARACTERS: usize = 20;

/// Ends what is left of a cut name.
const MARK: u8 = b'~';

/// Letters after [`MARK`] of a cut name, and of a person without a name.
const LETTERS: usize = 4;
const ALL_LETTERS: usize = 8;

/// The hash of a block, in internal order, from its header.
#[must_use]
pub fn block_hash(header: &[u8; 80]) -> [u8; 32] {
    sha256d(&[header])
}

/// Who a statement is for: what its code commits to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person<'a> {
    /// Origin of the board as browsers write it (RFC 6454, section 6.1).
    pub origin: &'a str,
    /// Name of the provider that says who the person is.
    pub provider: &'a str,
    /// The person's permanent id at that provider.
    pub subject: &'a str,
    /// Id of the account on the board.
    pub account: &'a str,
}

impl<'a> Person<'a> {
    /// The person of a proof for one reader: the reader's words, normalized, and the name that the holder chose.
    #[must_use]
    pub fn for_reader(words: &'a str, name: &'a str) -> Self {
        Self {
            origin: READER,
            provider: READER,
            subject: words,
            account: name,
        }
    }
}

impl Person<'_> {
    /// The code of this person's statement under this full name, with this nonce and the hash of this block.
    #[must_use]
    pub fn code(&self, name: &str, nonce: &[u8; 16], block: &[u8; 32]) -> String {
        self.hashed(TAG, &[name.as_bytes(), nonce, block])
    }

    /// The code of the first version, which commits to no name and no block.
    #[must_use]
    pub fn undated_code(&self, nonce: &[u8; 16]) -> String {
        self.hashed(UNDATED_TAG, &[nonce])
    }

    fn hashed(&self, tag: &[u8], others: &[&[u8]]) -> String {
        let own = [self.origin, self.provider, self.subject, self.account].map(str::as_bytes);
        hashed(&[&[tag], &own[..], others].concat())
    }

    /// The name of this person in the statements of this site. `username` is none for a person without a name of their own.
    #[must_use]
    pub fn name(&self, site: &str, username: Option<&str>) -> String {
        self.cut(site, &self.full_name(username))
    }

    /// The name of this person before it is cut. `username` is none for a person without a name of their own.
    #[must_use]
    pub fn full_name(&self, username: Option<&str>) -> String {
        let username = username.filter(|name| !name.is_empty() && self.provider != "google");
        let Some(username) = username else {
            return self.nameless();
        };
        let prefix = match self.provider {
            "twitter" => "@",
            "github" => "gh:",
            other => &format!("{other}:"),
        };
        format!("{prefix}{username}").to_ascii_lowercase()
    }

    /// The statement of this person under this full name, with this nonce and the hash of this block.
    ///
    /// # Errors
    /// The origin is not that of a web site, or its site is too long.
    pub fn statement(
        &self,
        name: &str,
        nonce: &[u8; 16],
        block: &[u8; 32],
    ) -> Result<String, StatementError> {
        if (self.origin, self.provider) == (READER, READER) {
            let label = reader_label(self.subject);
            let code = self.code(name, nonce, block);
            return Ok(format!("{TITLE}for:{label} {code}"));
        }
        let site = site(self.origin).ok_or(StatementError::Site)?;
        statement(
            &site,
            &self.cut(&site, name),
            &self.code(name, nonce, block),
        )
    }

    /// Whether a line is a statement of this person with this nonce. `dated` is the full name and the hash of the block, to which a dated
    /// code also commits; without it, the line is one of the first version.
    #[must_use]
    pub fn is_statement(
        &self,
        line: &str,
        nonce: &[u8; 16],
        dated: Option<(&str, &[u8; 32])>,
    ) -> bool {
        match dated {
            Some((name, block)) => self.statement(name, nonce, block).as_deref() == Ok(line),
            None => self.is_undated_statement(line, nonce),
        }
    }

    fn nameless(&self) -> String {
        format!("~{}", &self.letters()[..ALL_LETTERS])
    }

    /// A full name as the statements of this site have it.
    fn cut(&self, site: &str, name: &str) -> String {
        let room = room(site);
        let is_whole = name.len() <= room && name.chars().all(is_plain);
        if is_whole || name == self.nameless() {
            return name.into();
        }
        let letters = self.letters();
        let plain = name.chars().take_while(|character| is_plain(*character));
        let start: String = plain.take(room.saturating_sub(1 + LETTERS)).collect();
        format!("{start}~{}", &letters[..LETTERS])
    }

    /// Whether a line is a statement of the first version of this person with this nonce, under any name. A name with `~` must end in
    /// the letters of this person.
    #[must_use]
    pub fn is_undated_statement(&self, line: &str, nonce: &[u8; 16]) -> bool {
        // A proof for one reader has no site, and was always dated.
        let Some(site) = site(self.origin) else {
            return false;
        };
        let name = name_in(line, &site, &self.undated_code(nonce));
        name.is_some_and(|name| self.may_have(name))
    }

    /// Whether a name does not end in the letters of another person's id.
    fn may_have(&self, name: &str) -> bool {
        let Some(at) = name.bytes().position(|byte| byte == MARK) else {
            return true;
        };
        let count = if at == 0 { ALL_LETTERS } else { LETTERS };
        let letters = self.letters();
        name.as_bytes().get(at + 1..) == letters.as_bytes().get(..count)
    }

    fn letters(&self) -> String {
        hashed(&[self.provider.as_bytes(), self.subject.as_bytes()])
    }
}

/// How a statement names a reader.
fn reader_label(words: &str) -> String {
    let mut label = String::new();
    for character in words.chars() {
        if character.is_ascii_alphanumeric() {
            label.push(character.to_ascii_lowercase());
        } else if !label.is_empty() && !label.ends_with('-') {
            label.push('-');
        }
    }
    label.truncate(LABEL_CHARACTERS);
    let letters = base32(&sha256(&[words.as_bytes()]));
    format!(
        "{}~{}",
        label.trim_end_matches('-'),
        &letters[..ALL_LETTERS]
    )
}

/// The first 20 characters of the base32 of the SHA-256 over these fields, each preceded by its length.
fn hashed(fields: &[&[u8]]) -> String {
    let mut preimage = Vec::new();
    for field in fields {
        // Longer ones are in no file and no database.
        let length = u32::try_from(field.len()).unwrap_or(u32::MAX);
        preimage.extend(length.to_be_bytes());
        preimage.extend(*field);
    }
    base32(&sha256(&[&preimage]))
}

fn is_plain(character: char) -> bool {
    character.is_ascii_graphic() && character != char::from(MARK)
}

/// Whether a text can be one of the words of a statement.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// How many bytes the name may have.
fn room(site: &str) -> usize {
    (MAX_BYTES - TITLE.len() - 2 - CODE_CHARACTERS).saturating_sub(site.len())
}

/// The name of the person in a statement with this site and this code.
fn name_in<'a>(line: &'a str, site: &str, code: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(TITLE)?.strip_prefix(site)?;
    let rest = rest.strip_suffix(code)?;
    let name = rest.strip_prefix(' ')?.strip_suffix(' ')?;
    (is_word(name) && line.len() <= MAX_BYTES).then_some(name)
}

/// Part of a statement that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StatementError {
    /// The site is empty, too long, or not printable ASCII without spaces.
    #[error("the site of a statement is 1 to 26 printable ASCII characters without spaces")]
    Site,
    /// The name is empty, too long for this site, or not printable ASCII without spaces.
    #[error(
        "the name in a statement is printable ASCII without spaces, at most what the site leaves of 75 bytes"
    )]
    Name,
    /// The code is not 20 characters of lower-case base32.
    #[error("the code of a statement is 20 characters of lower-case base32")]
    Code,
}

/// Writes a statement. The name is one of [`Person::name`].
///
/// # Errors
/// The site, the name or the code has a wrong form.
pub fn statement(site: &str, name: &str, code: &str) -> Result<String, StatementError> {
    if site.len() > MAX_SITE_BYTES || !is_word(site) {
        return Err(StatementError::Site);
    }
    if name.len() > room(site) || !is_word(name) {
        return Err(StatementError::Name);
    }
    if code.len() != CODE_CHARACTERS || !code.bytes().all(|byte| ALPHABET.contains(&byte)) {
        return Err(StatementError::Code);
    }
    Ok(format!("{TITLE}{site} {name} {code}"))
}

/// How a statement names the board at this origin: its host, and its port unless that is 443. None if it is not the origin of a
/// web site.
#[must_use]
pub fn site(origin: &str) -> Option<String> {
    let (authority, default) = match origin.strip_prefix("https://") {
        Some(authority) => (authority, ""),
        None => (origin.strip_prefix("http://")?, ":80"),
    };
    // Of an address in brackets only what comes after them can be a port.
    let bytes = authority.as_bytes();
    let bracket = bytes.iter().rposition(|byte| *byte == b']');
    let after = bracket.map_or(0, |at| at + 1);
    let colon = bytes.iter().skip(after).position(|byte| *byte == b':');
    // Without slices that could fail, of which the module that browsers load would have to tell.
    let (host, port) = colon
        .and_then(|at| authority.split_at_checked(after + at))
        .unwrap_or((authority, default));
    let host = host.strip_suffix('.').unwrap_or(host);
    let port = if port == ":443" { "" } else { port };
    (!host.is_empty()).then(|| host.to_ascii_lowercase() + port)
}

/// The output script that carries this statement: `OP_RETURN` and one direct push. None when it does not fit in one.
#[must_use]
pub fn script(statement: &str) -> Option<Vec<u8>> {
    let length = u8::try_from(statement.len()).ok()?;
    let fits = (1..=MAX_BYTES).contains(&statement.len());
    fits.then(|| {
        let mut script = Vec::from([OP_RETURN, length]);
        script.extend(statement.as_bytes());
        script
    })
}

/// Whether a script or a message mentions a proof of reserves: the right statement, another one, or one that a device has
/// mangled. Only letters are compared, without their case. (SeedSigner 0.8 leaves the first one out.)
#[must_use]
pub fn speaks_of_one(bytes: &[u8]) -> bool {
    const LETTERS: &[u8] = b"roofofreserves";
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic());
    let letters: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    letters
        .windows(LETTERS.len())
        .any(|window| window == LETTERS)
}

const OP_RETURN: u8 = 0x6a;

/// RFC 4648, section 6, in lower case.
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// The first 100 bits.
fn base32(hash: &[u8; 32]) -> String {
    let bit = |at: usize| usize::from(hash[at / 8] >> (7 - at % 8) & 1);
    let character = |at: usize| {
        let index = (5 * at..5 * at + 5).fold(0, |index, at| index << 1 | bit(at));
        char::from(ALPHABET[index])
    };
    (0..CODE_CHARACTERS).map(character).collect()
}

#[cfg(test)]
mod tests;
