//! What audits have seen of a board's log, and its file: one for each host.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::args::Args;
use super::failure::Failure;
use board_log::check::CheckError;
use board_log::note::{NoteError, VerifierKey};
use board_log::whole_file;

/// The state that one audit stores for the next: the newest signed checkpoint, and the trusted keys, the newest last.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Seen {
    pub checkpoint: String,
    pub keys: Vec<String>,
    /// The size of the largest checkpoint that each replaced key may sign.
    pub until: Vec<u64>,
    /// Rows of the list that differed from the newest snapshot: what was listed, and the entry of that snapshot.
    pub unlogged: BTreeMap<String, (String, u64)>,
}

impl Seen {
    /// The keys.
    ///
    /// # Errors
    /// When one is invalid, or the file does not say how far each replaced one may sign.
    pub fn keys(&self) -> Result<Vec<VerifierKey>, CheckError> {
        let mut keys = parse_keys(&self.keys)?;
        let newest = keys.pop();
        if keys.len() != self.until.len() {
            return Err(NoteError::Key.into());
        }
        let replaced = keys.into_iter().zip(&self.until);
        let replaced = replaced.map(|(key, until)| key.replaced(*until));
        Ok(replaced.chain(newest).collect())
    }
}

/// The keys that are trusted before the board is asked: a `key` from the command line, or the stored ones. A key that was
/// replaced stays replaced, even when it is named.
///
/// # Errors
/// When a stored key is invalid.
pub(super) fn trusted_keys(
    seen: Option<&Seen>,
    key: Option<&VerifierKey>,
) -> Result<Vec<VerifierKey>, CheckError> {
    let stored = seen.map(Seen::keys).transpose()?.unwrap_or_default();
    Ok(match key {
        Some(key) if !stored.contains(key) => vec![key.clone()],
        _ => stored,
    })
}

pub(super) fn parse_keys(keys: &[String]) -> Result<Vec<VerifierKey>, CheckError> {
    let keys = keys.iter().map(|key| key.parse());
    Ok(keys.collect::<Result<_, NoteError>>()?)
}

/// The file for this host.
pub(super) fn path(args: &Args, host: &str) -> PathBuf {
    let name = host.replace(|c: char| c != '.' && !c.is_ascii_alphanumeric(), "_");
    args.seen_folder().join(format!("{name}.log.json"))
}

/// What an audit stored; `None` when there was none.
///
/// # Errors
/// When the file cannot be read, or no audit wrote it.
pub(super) fn load(file: &Path) -> Result<Option<Seen>, Failure> {
    match fs::read(file) {
        Ok(bytes) => {
            let seen: Option<Seen> = serde_json::from_slice(&bytes).ok();
            let seen = seen.filter(|seen| seen.keys().is_ok());
            let seen = seen.ok_or_else(|| Failure::Unreadable(file.to_owned()));
            seen.map(Some)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Failure::file(file, source)),
    }
}

/// # Errors
/// When the file cannot be written.
pub(super) fn save(file: &Path, seen: &Seen) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(seen).unwrap_or_default();
    let folder = file.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| whole_file::put(file, &text));
    written.map_err(|source| Failure::file(file, source))
}
