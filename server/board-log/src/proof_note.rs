//! The board's signed statement about a published proof: a note signed with the log's key (proofs, section 4).
//!
//! Anyone can sign their own coins for any board and a famous name, with their own nonce, and the code fits. So a proof file proves
//! nothing about a person unless the board named in the line has signed this note, or returns the same proof. The note covers what was signed,
//! or it would vouch for any coins that a user puts below the same line. A note is made when a proof is served, with the current key. One by
//! a key that has been replaced confirms nobody: a thief of that key could confirm anyone for ever.
//!
//! The text has two lines: [`FORMAT`], and a JSON object with the members of [`ProofNote`] in this order and without spaces.

use serde::Serialize;

use crate::checkpoint::is_log_of;
use crate::json::{canonical, object};
use crate::note::{Note, NoteError, VerifierKey};
#[cfg(not(target_arch = "wasm32"))]
use crate::note::{Signer, sign};

pub const FORMAT: &str = "proof-of-reserves/proof-note/2";

/// What a note is worth.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Worth {
    /// The board has signed it, with this name.
    Valid(String),
    /// It says something else, its signature is invalid, or it is no note.
    False,
    /// It is by another key of the board than the reader's, or only claims so.
    OtherKey,
    /// It says nothing to this reader.
    None,
}

/// The content of a note.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ProofNote {
    /// The network of the coins.
    pub network: String,
    /// The board's origin, as browsers write it.
    pub origin: String,
    /// The signed line.
    pub line: String,
    pub provider: String,
    /// The person's permanent id there.
    pub subject: String,
    /// Id of the account on the board.
    pub account: String,
    /// The name as the board shows it.
    pub name: String,
    /// The block that dates the line.
    pub block: NoteBlock,
    /// SHA-256 of the transaction as published, with its witnesses; hex.
    pub transaction_sha256: String,
    /// SHA-256 of what its inputs spend, in their order ([`psbt_wasm::statement::outputs_hash`]): signatures of old scripts commit to no amount;
    /// hex.
    pub previous_outputs_sha256: String,
}

/// A block that dates a line.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct NoteBlock {
    pub height: u32,
    /// Hex, as explorers show it.
    pub hash: String,
}

object!(NoteBlock { height, hash });
object!(ProofNote {
    network,
    origin,
    line,
    provider,
    subject,
    account,
    name,
    block,
    transaction_sha256,
    previous_outputs_sha256
});

impl ProofNote {
    /// The text that is signed.
    pub fn text(&self) -> String {
        // Serialization of strings and numbers cannot fail.
        let json = serde_json::to_string(self).unwrap_or_default();
        format!("{FORMAT}\n{json}\n")
    }

    /// The note, signed.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn sign(&self, signer: &Signer) -> String {
        sign(&self.text(), &[signer])
    }

    /// What a note is worth for a reader with these keys, of which those of the board's logs count. This is what it must say; the name, which
    /// the reader does not know, is left out.
    pub fn worth(&self, note: &str, keys: &[VerifierKey]) -> Worth {
        let of_board = |name: &str| is_log_of(name, &self.origin);
        let own = keys.iter().filter(|key| of_board(key.name())).cloned();
        let own: Vec<_> = own.collect();
        if own.is_empty() {
            return Worth::None;
        }
        match Self::read(note, &own) {
            Ok(said) if said == self.with(&said.name) => Worth::Valid(said.name),
            Err(NoteError::Stranger) => match note.parse::<Note>() {
                Ok(note) if note.signers().any(of_board) => Worth::OtherKey,
                _ => Worth::None,
            },
            _ => Worth::False,
        }
    }

    /// The same with this name.
    fn with(&self, name: &str) -> Self {
        let name = name.to_owned();
        Self {
            name,
            ..self.clone()
        }
    }

    /// Reads a note that one of these keys has signed.
    ///
    /// # Errors
    /// When it is not such a note, or no key has signed it.
    pub fn read(note: &str, keys: &[VerifierKey]) -> Result<Self, NoteError> {
        let note: Note = note.parse()?;
        let text = note.verified(keys)?;
        let json = text.strip_prefix(FORMAT);
        let json = json.and_then(|it| it.strip_prefix('\n')?.strip_suffix('\n'));
        json.and_then(canonical).ok_or(NoteError::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note;

    fn said() -> ProofNote {
        ProofNote {
            network: "mainnet".to_owned(),
            origin: "https://board.example".to_owned(),
            line: "Proof of Reserves board.example @satoshi t7xq4gaeehyvnad7qoge".to_owned(),
            provider: "twitter".to_owned(),
            subject: "783214".to_owned(),
            account: "0190d0c2-0000-7000-8000-000000000001".to_owned(),
            name: "@satoshi\n\n\u{2014} \"\u{202e}".to_owned(),
            block: NoteBlock {
                height: 975_744,
                hash: "00".repeat(32),
            },
            transaction_sha256: "11".repeat(32),
            previous_outputs_sha256: "22".repeat(32),
        }
    }

    fn signer(name: &str) -> Signer {
        Signer::read(name, &Signer::generate().unwrap()).unwrap()
    }

    #[test]
    fn a_note_says_what_was_signed_whatever_a_name_contains() {
        let board = signer("board.example/log");
        let key = [board.public().clone()];
        assert_eq!(said().text().lines().count(), 2);
        assert_eq!(ProofNote::read(&said().sign(&board), &key), Ok(said()));
    }

    /// Rule C13.
    #[test]
    fn a_note_that_was_changed_or_that_others_signed_says_nothing() {
        let (board, other) = (signer("board.example/log"), signer("board.example/log"));
        let key = [board.public().clone()];
        let note = said().sign(&board);
        for (changed, error) in [
            (note.replace("783214", "783215"), NoteError::False),
            (note.replace("@satoshi", "@famous"), NoteError::False),
            (note.replace("975744", "975745"), NoteError::False),
            (note.replace("mainnet", "signet"), NoteError::False),
            (note.replace("1111", "1112"), NoteError::False),
            (note.replace("2222", "2223"), NoteError::False),
            (note.replace("/2\n", "/3\n"), NoteError::False),
            (said().sign(&other), NoteError::Stranger),
            (
                said().sign(&signer("other.example/log")),
                NoteError::Stranger,
            ),
            (said().text(), NoteError::Malformed),
            (String::new(), NoteError::Malformed),
            // Another text signed by the key is not a note about a proof.
            (
                note::sign("board.example/log\n1\nAAAA\n", &[&board]),
                NoteError::Malformed,
            ),
            (
                note::sign(&said().text().replace("\":", "\": "), &[&board]),
                NoteError::Malformed,
            ),
        ] {
            assert_eq!(ProofNote::read(&changed, &key), Err(error), "{changed}");
        }
    }

    #[test]
    fn only_a_note_by_a_key_of_the_board_is_worth_anything() {
        let (board, other) = (signer("board.example/log"), signer("board.example/log"));
        let earlier = signer("board.example/log/2");
        let stranger = signer("other.example/log");
        let unnamed = said().with("");
        let worth = |note: &str, keys: &[&Signer]| {
            let keys: Vec<_> = keys.iter().map(|it| it.public().clone()).collect();
            unnamed.worth(note, &keys)
        };
        let note = said().sign(&board);
        let valid = Worth::Valid(said().name);
        assert_eq!(worth(&note, &[&board]), valid);
        assert_eq!(worth(&note, &[&stranger, &other, &board]), valid);
        assert_eq!(worth(&said().sign(&earlier), &[&earlier]), valid);
        assert_eq!(worth(&note, &[]), Worth::None);
        assert_eq!(worth(&note, &[&stranger]), Worth::None);
        assert_eq!(worth(&said().sign(&stranger), &[&board]), Worth::None);
        assert_eq!(worth(&note, &[&other]), Worth::OtherKey);
        let another = ProofNote {
            line: "another".to_owned(),
            ..said()
        };
        for wrong in [
            another.sign(&board),
            note.replace("@satoshi", "@famous"),
            note.trim().to_owned(),
            String::new(),
            note::sign("a text\n", &[&board]),
        ] {
            assert_eq!(worth(&wrong, &[&board]), Worth::False, "{wrong}");
        }
    }
}
