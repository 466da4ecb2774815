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
//! In lower case, after the prefix that the board gives to names of its provider: `@alice`, `gh:alice`. A person without a name of
//! their own is `~` and eight letters. A name that does not fit, or that has a character
//! other than visible ASCII, or a `~`, is cut: as much of it as fits before the first such character, then `~` and four letters.
//! So a name without `~` is whole, and no two people share a name with one.
//!
//! The letters are the first ones of the base32 of a SHA-256 over the provider and the person's permanent id there, each
//! preceded by its length as below. The name is left out on purpose: its owner chooses it, and could search for one with the
//! letters of another.
//!
//! # The code
//!
//! The first 100 bits of a SHA-256, written as 20 characters of base32 (RFC 4648, section 6) in lower case. Where the line would then have 64 or 65
//! characters, which is the length of a signature and shown as one by some wallets, the code is the first 110 bits, 22 characters.
//! What is hashed, in this order, each preceded by its length in bytes as an unsigned number of four bytes, most significant first:
//!
//! 1. the tag `proof-of-reserves/statement/3`
//! 2. the network of the coins: `mainnet`, `testnet3`, `testnet4`, `signet` or `regtest`
//! 3. the origin of the board, as browsers write it: `https://board.example`
//! 4. the name of the provider that says who the person is, as the board's API writes it: `github`
//! 5. the person's permanent id at that provider
//! 6. the id of the account on the board
//! 7. the full name, before it is cut: `gh:alice`
//! 8. a nonce of 16 bytes
//! 9. the hash of a block: 32 bytes in internal order, the reverse of how hashes are written
//!
//! All are UTF-8 but the nonce and the hash, which are bytes. Anyone who has these can compute the code again, so there is exactly one line
//! for them.
//!
//! The block dates the statement: nobody could sign it before that block was mined. A board takes the first block of a
//! difficulty period ([`PERIOD_BLOCKS`]) once [`DEPTH`] blocks are above it. Block 0 dates nothing.
//!
//! Test vector: with the network `mainnet`, the origin `https://board.example`, provider `x`, permanent id `783214`, account
//! `0190d0c2-0000-7000-8000-000000000001`, name `@satoshi`, the nonce `000102030405060708090a0b0c0d0e0f` and block 0 of mainnet
//! (`000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f`) the code is `t7xq4gaeehyvnad7qoge`, and `t7xq4gaeehyvnad7qogevx` where it has 22
//! characters.
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
use crate::read::version2::push_bytes;

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

/// Lengths of a statement that no board and no reader gets: a push as long as a signature is shown as one by Sparrow.
pub const SIGNATURE_LENGTHS: core::ops::RangeInclusive<usize> = 64..=65;

const TAG: &[u8] = b"proof-of-reserves/statement/3";

const CODE_CHARACTERS: usize = 20;
const LONG_CODE_CHARACTERS: usize = 22;

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

/// A network of coins, as codes commit to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoinNetwork {
    /// Bitcoin.
    Mainnet,
    /// The third public test network.
    Testnet3,
    /// The fourth public test network (BIP-0094).
    Testnet4,
    /// The public signet (BIP-0325).
    Signet,
    /// A network of one's own.
    Regtest,
}

impl CoinNetwork {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Mainnet,
        Self::Testnet3,
        Self::Testnet4,
        Self::Signet,
        Self::Regtest,
    ];

    /// Its name in codes and in proof files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mainnet => "mainnet",
            Self::Testnet3 => "testnet3",
            Self::Testnet4 => "testnet4",
            Self::Signet => "signet",
            Self::Regtest => "regtest",
        }
    }

    /// The network with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|network| network.name() == name)
    }
}

/// Who a statement is for, and on which network: what its code commits to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person<'a> {
    /// Network of the coins.
    pub network: CoinNetwork,
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
    /// The person of a proof for one reader: the reader's request, normalized, and the name that the holder chose.
    #[must_use]
    pub fn for_reader(network: CoinNetwork, words: &'a str, name: &'a str) -> Self {
        Self {
            network,
            origin: READER,
            provider: READER,
            subject: words,
            account: name,
        }
    }
}

impl Person<'_> {
    /// All 22 characters of the code of this person's statement under this full name, with this nonce and the hash of this block.
    fn code(&self, name: &str, nonce: &[u8; 16], block: &[u8; 32]) -> String {
        let Self {
            network,
            origin,
            provider,
            subject,
            account,
        } = self;
        let texts = [network.name(), origin, provider, subject, account, name];
        let mut fields = Vec::from([TAG]);
        fields.extend(texts.map(str::as_bytes));
        fields.extend([&nonce[..], block]);
        hashed(&fields)
    }

    /// The name of this person in the statements of this site. `name` is as in [`full_name`](Self::full_name).
    #[must_use]
    pub fn name(&self, site: &str, name: Option<&str>) -> String {
        self.cut(site, &self.full_name(name))
    }

    /// The name of this person before it is cut. `name` has the prefix of its provider; it is none for a person without a name of
    /// their own.
    #[must_use]
    pub fn full_name(&self, name: Option<&str>) -> String {
        name.map_or_else(|| self.nameless(), str::to_ascii_lowercase)
    }

    /// The only statement of this person under this full name, with this nonce and the hash of this block.
    ///
    /// # Errors
    /// The origin is not that of a web site, or its site is too long.
    pub fn statement(
        &self,
        name: &str,
        nonce: &[u8; 16],
        block: &[u8; 32],
    ) -> Result<String, SiteError> {
        let start = if (self.origin, self.provider) == (READER, READER) {
            format!("{TITLE}for:{} ", reader_label(self.subject))
        } else {
            let site = site(self.origin).filter(|it| it.len() <= MAX_SITE_BYTES && is_word(it));
            let site = site.ok_or(SiteError)?;
            format!("{TITLE}{site} {} ", self.cut(&site, name))
        };
        let code = self.code(name, nonce, block);
        let is_ambiguous = SIGNATURE_LENGTHS.contains(&(start.len() + CODE_CHARACTERS));
        let length = if is_ambiguous {
            LONG_CODE_CHARACTERS
        } else {
            CODE_CHARACTERS
        };
        Ok(start + code.get(..length).unwrap_or_default())
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

/// The first 22 characters of the base32 of the SHA-256 over these fields, each preceded by its length.
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

/// The site of a statement does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the site of a statement is 1 to 26 printable ASCII characters without spaces")]
pub struct SiteError;

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

/// SHA-256 of outputs (value and script), each in the consensus encoding of a transaction, one after the other: what a board's note commits
/// to as the previous outputs of a proof.
#[must_use]
pub fn outputs_hash<'a>(outputs: impl Iterator<Item = (u64, &'a [u8])>) -> [u8; 32] {
    let mut bytes = Vec::new();
    for (value, script) in outputs {
        bytes.extend(value.to_le_bytes());
        push_bytes(&mut bytes, script);
    }
    sha256(&[&bytes])
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

/// A statement without its code: what a site's statements for one name have in common.
#[cfg(feature = "tools")]
pub(crate) fn without_code(statement: &str) -> &str {
    let parts = statement.rsplit_once(' ');
    let parts =
        parts.filter(|(_, code)| [CODE_CHARACTERS, LONG_CODE_CHARACTERS].contains(&code.len()));
    parts.map_or(statement, |(start, _)| start)
}

/// Whether a script or a message mentions a proof of reserves: the right statement, another one, or one that a device has
/// mangled. Only letters are compared, without their case. (SeedSigner 0.8 leaves the first one out.)
#[must_use]
pub fn mentions_statement(bytes: &[u8]) -> bool {
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

/// The first 110 bits.
fn base32(hash: &[u8; 32]) -> String {
    let bit = |at: usize| usize::from(hash[at / 8] >> (7 - at % 8) & 1);
    let character = |at: usize| {
        let index = (5 * at..5 * at + 5).fold(0, |index, at| index << 1 | bit(at));
        char::from(ALPHABET[index])
    };
    (0..LONG_CODE_CHARACTERS).map(character).collect()
}

#[cfg(test)]
mod tests;
