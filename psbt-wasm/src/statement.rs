//! The statement that binds a proof to an account: one line of ASCII that a person reads on the device that signs.
//!
//! ```text
//! Proof of Reserves <site> <name> <code>
//! ```
//!
//! The line is at most [`MAX_BYTES`] long, so that a script pushes it with one direct push: devices show more than that
//! wrongly, or refuse it. The *site* tells the board, the *name* for whom, and the *code* commits to the person.
//!
//! # The code
//!
//! The first 100 bits of a SHA-256, written as 20 characters of base32 (RFC 4648, section 6) in lower case. What is hashed, in
//! this order, each preceded by its length in bytes as an unsigned number of four bytes, most significant first:
//!
//! 1. the tag `proof-of-reserves/statement/1`
//! 2. the origin of the board, as browsers write it: `https://board.example`
//! 3. the name of the provider that says who the person is, as the board's API writes it: `github`
//! 4. the person's permanent id at that provider
//! 5. the id of the account on the board
//! 6. a nonce of 16 bytes
//!
//! All are UTF-8 but the nonce, which is bytes. Whoever is told these can compute the code again.

use alloc::{format, string::String, vec::Vec};

use crate::hash::sha256;

/// Longest statement in bytes: the longest direct push of a script. From 76 on, some devices sign another output
/// than they should.
pub const MAX_BYTES: usize = 75;

/// Longest site in bytes, so that at least seven of the name are seen.
pub const MAX_SITE_BYTES: usize = 28;

/// Lock time of a still transaction: a height some eight thousand years away. It is 400,000,000 plus the first four bytes of
/// SHA-256("Proof of Reserves") modulo 99,000,000.
pub const LOCK_TIME: u32 = 452_038_930;

/// First words of every statement.
pub(crate) const TITLE: &str = "Proof of Reserves ";

const TAG: &[u8] = b"proof-of-reserves/statement/1";

const CODE_CHARACTERS: usize = 20;

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

impl Person<'_> {
    /// The code of this person's statement with this nonce.
    #[must_use]
    pub fn code(&self, nonce: &[u8; 16]) -> String {
        let fields = [
            TAG,
            self.origin.as_bytes(),
            self.provider.as_bytes(),
            self.subject.as_bytes(),
            self.account.as_bytes(),
            nonce,
        ];
        let mut preimage = Vec::new();
        for field in fields {
            // Longer ones are in no file and no database.
            let length = u32::try_from(field.len()).unwrap_or(u32::MAX);
            preimage.extend(length.to_be_bytes());
            preimage.extend(field);
        }
        base32(&sha256(&[&preimage]))
    }
}

/// Part of a statement that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatementError {
    /// The site is empty, too long, or not printable ASCII without spaces.
    Site,
    /// The code is not 20 characters of lower-case base32.
    Code,
}

impl core::fmt::Display for StatementError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Site => {
                "the site of a statement is 1 to 28 printable ASCII characters without spaces"
            }
            Self::Code => "the code of a statement is 20 characters of lower-case base32",
        })
    }
}

impl core::error::Error for StatementError {}

/// Writes a statement. Of the name as much stands there as fits; what is not printable ASCII is replaced by `?`, spaces by `_`.
///
/// # Errors
/// When site or code are not of the right form.
pub fn statement(site: &str, name: &str, code: &str) -> Result<String, StatementError> {
    let printable = site.bytes().all(|byte| byte.is_ascii_graphic());
    if site.is_empty() || site.len() > MAX_SITE_BYTES || !printable {
        return Err(StatementError::Site);
    }
    if code.len() != CODE_CHARACTERS || !code.bytes().all(|byte| ALPHABET.contains(&byte)) {
        return Err(StatementError::Code);
    }
    let room = MAX_BYTES - TITLE.len() - site.len() - 1 - 1 - code.len();
    let name: String = name.chars().map(shown).take(room).collect();
    let name = if name.is_empty() { "?" } else { &name };
    Ok(format!("{TITLE}{site} {name} {code}"))
}

fn shown(character: char) -> char {
    if character.is_ascii_graphic() {
        character
    } else if character.is_whitespace() {
        '_'
    } else {
        '?'
    }
}

/// How a statement names the board at this origin: its host, and its port unless that is 443. None for what is not an origin of a
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

/// Whether a script or a message speaks of a proof of reserves at all: the right statement, another one, or one
/// that a device has mangled. Letters alone are compared, whatever their case. (SeedSigner 0.8 leaves the first one out.)
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
mod tests {
    use super::*;

    const CODE: &str = "abcdefghijklmnopqrst";

    #[test]
    fn the_line_is_what_a_device_shows() {
        assert_eq!(
            statement("board.example", "@satoshi", CODE).as_deref(),
            Ok("Proof of Reserves board.example @satoshi abcdefghijklmnopqrst")
        );
    }

    #[test]
    fn a_long_name_is_cut_so_that_the_line_is_one_direct_push() {
        let site = "a".repeat(MAX_SITE_BYTES);
        let line = statement(&site, &"n".repeat(100), CODE).expect("it fits");
        assert_eq!(line.len(), MAX_BYTES);
        assert!(line.ends_with(&format!(" nnnnnnn {CODE}")), "{line}");
        let script = script(&line).expect("one push");
        assert_eq!(script[..2], [0x6a, 75]);
        assert_eq!(&script[2..], line.as_bytes());
    }

    #[test]
    fn names_are_ascii_in_one_word() {
        let named = |name| statement("b.example", name, CODE).expect("it fits");
        assert_eq!(
            named("J\u{fc}rg M"),
            format!("Proof of Reserves b.example J?rg_M {CODE}")
        );
        assert_eq!(named(""), format!("Proof of Reserves b.example ? {CODE}"));
    }

    #[test]
    fn a_site_or_code_of_another_form_is_refused() {
        for site in [
            "",
            "two words",
            "b\u{fc}cher.example",
            &"a".repeat(MAX_SITE_BYTES + 1),
        ] {
            assert_eq!(statement(site, "n", CODE), Err(StatementError::Site));
        }
        for code in ["", "ABCDEFGHIJKLMNOPQRST", "abcdefghijklmnopqrs1"] {
            assert_eq!(statement("b", "n", code), Err(StatementError::Code));
        }
    }

    #[test]
    fn the_site_is_the_host_and_an_unusual_port() {
        for (origin, expected) in [
            ("https://board.example", Some("board.example")),
            ("https://board.example:443", Some("board.example")),
            ("https://board.example.:8443", Some("board.example:8443")),
            ("http://127.0.0.1:8080", Some("127.0.0.1:8080")),
            ("http://localhost", Some("localhost:80")),
            ("https://[::1]:8080", Some("[::1]:8080")),
            ("https://[::1]", Some("[::1]")),
            ("ftp://board.example", None),
            ("https://", None),
        ] {
            assert_eq!(site(origin).as_deref(), expected, "{origin}");
        }
    }

    /// Computed with Python: `base64.b32encode(hashlib.sha256(…).digest()[:15])[:20].lower()`.
    #[test]
    fn the_code_is_the_documented_hash() {
        let person = Person {
            origin: "https://board.example",
            provider: "x",
            subject: "783214",
            account: "0190d0c2-0000-7000-8000-000000000001",
        };
        let nonce = core::array::from_fn(|at| u8::try_from(at).expect("small"));
        assert_eq!(person.code(&nonce), "pjt4jw2hxkzej5i6i7sd");
        let others = [
            Person {
                origin: "https://board.exampl",
                ..person
            },
            Person {
                provider: "github",
                ..person
            },
            Person {
                subject: "783215",
                ..person
            },
            Person {
                account: "0190d0c2-0000-7000-8000-000000000002",
                ..person
            },
            // A letter that moves from one field to the next is another person.
            Person {
                provider: "x7",
                subject: "83214",
                ..person
            },
        ];
        for other in others {
            assert_ne!(other.code(&nonce), person.code(&nonce), "{other:?}");
        }
        assert_ne!(person.code(&[0; 16]), person.code(&nonce));
    }

    #[test]
    fn the_lock_time_follows_from_the_name_of_the_product() {
        let hash = sha256(&[b"Proof of Reserves"]);
        let number = u32::from_be_bytes([hash[0], hash[1], hash[2], hash[3]]);
        assert_eq!(LOCK_TIME, 400_000_000 + number % 99_000_000);
    }

    #[test]
    fn mangled_statements_are_still_recognised_as_such() {
        for text in [
            "Proof of Reserves b.example n c",
            "roof of Reserves b.example n c",
            "xx PROOF OF RESERVES",
            "Proof  of\nReserves",
        ] {
            assert!(speaks_of_one(text.as_bytes()), "{text}");
        }
        for text in ["", "Proof of something", "OMNI"] {
            assert!(!speaks_of_one(text.as_bytes()), "{text}");
        }
    }
}
