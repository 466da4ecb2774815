//! What must hold for any text. What is wrong here is wrong everywhere: the server, the audit, pages and the command use this crate.

use board_log::checkpoint::Checkpoint;
use board_log::entry::Entry;
use board_log::json::{Canonical, canonical};
use board_log::note::{Note, VerifierKey};
use board_log::proof_note::ProofNote;
use board_log::receipt::{Extra, Receipt};
use board_log::snapshot::{Header, Row, Snapshot};
use serde::Serialize;

/// The key of the example of golang.org/x/mod/sumdb/note.
pub(crate) const KEY: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

/// Reads bytes as everything that the crate reads.
pub(crate) fn checking(bytes: &[u8]) {
    let _ = Snapshot::read(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    compare_note(text);
    has_one_spelling::<Entry>(text);
    has_one_spelling::<Extra>(text);
    has_one_spelling::<Header>(text);
    has_one_spelling::<ProofNote>(text);
    has_one_spelling::<Row>(text);
    has_one_spelling::<String>(text);
    has_one_spelling::<Vec<Option<u64>>>(text);
    if let Ok(receipt) = Receipt::read(text) {
        assert_eq!(receipt.text(), text);
    }
    if let Ok(checkpoint) = text.parse::<Checkpoint>() {
        assert!(text.starts_with(checkpoint.to_string().trim_end()));
    }
    if let Ok(key) = text.parse::<VerifierKey>() {
        assert_eq!(key.to_string(), text.trim());
    }
}

/// What is read is written in the same way, by a library that shares nothing with the reader.
fn has_one_spelling<T: Canonical + Serialize>(text: &str) {
    if let Some(value) = canonical::<T>(text) {
        let written = serde_json::to_string(&value).expect("JSON");
        assert_eq!(written, text);
    }
}

/// `signed_note` has the same verdict, but for names with control characters, which are refused here.
fn compare_note(text: &str) {
    let key: VerifierKey = KEY.parse().expect("a key");
    let ours = text.parse::<Note>();
    let is_signed = ours.as_ref().map(|it| it.verified(&[key]).is_ok());
    let known = signed_note::StandardVerifier::new(KEY).expect("a key");
    let known = signed_note::VerifierList::new(vec![Box::new(known)]);
    let theirs = signed_note::Note::from_bytes(text.as_bytes());
    let is_signed_theirs = theirs.as_ref().map(|it| it.verify(&known).is_ok());
    let is_stricter = text.contains(|it: char| it.is_control() && it != '\n');
    if !is_stricter {
        assert_eq!(is_signed.ok(), is_signed_theirs.ok(), "{text:?}");
    }
}
