//! The file of what audits have seen of a board's log, one for each host.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::args::Args;
use super::command::Failure;
use super::log::Seen;
use board_log::whole_file;

/// The file for this host.
pub(super) fn path(args: &Args, host: &str) -> PathBuf {
    let letters = host.chars().map(|c| match c {
        '.' => c,
        c if c.is_ascii_alphanumeric() => c,
        _ => '_',
    });
    let name: String = letters.collect();
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
