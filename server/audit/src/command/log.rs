//! The audit of a board's log, and of receipts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::args::Args;
use crate::log::{self, LogError, Seen};
use crate::{Audit, Report, Site, SiteError, compare, pages, samples, shared};
use board_log::check::{self, CheckError};
use board_log::checkpoint::log_origin;
use board_log::cosignature;
use board_log::note::{NoteError, VerifierKey};
use board_log::receipt::Receipt;
use board_log::snapshot::{Row, Snapshot};
use board_log::tiers::amount_words;
use board_log::whole_file;
use chain::ChainError;

/// Why an audit cannot check the log, or why it rejects a receipt.
#[derive(Debug, thiserror::Error)]
pub enum AuditLogError {
    #[error("no board to audit; name it as https://board.example")]
    NoBoard,
    #[error("cannot read or write {}: {source}", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(
        "{} was not written by an audit. Restore the file; or remove it, and this audit trusts the log as if it were the first", .0.display()
    )]
    Unreadable(PathBuf),
    #[error("--key: {0}")]
    Key(NoteError),
    #[error(
        "no key for {0} is known. Pass the key from the board's /log/key with --key, or audit the board once; the key is never taken from the \
         receipt that it checks"
    )]
    NoKey(String),
    #[error("the receipt is false: {0}")]
    Receipt(CheckError),
    #[error(
        "cannot verify the receipt: it is not signed by a trusted key. If the log's key has been rotated, pass the key that it had then \
         with --key"
    )]
    Stranger,
    #[error("the receipt is not cosigned: {0}")]
    Witnesses(String),
    #[error("the board's log was not checked: {0}")]
    Unanswered(#[from] SiteError),
    #[error("the blocks in the board's log were not checked: {0}")]
    Chain(#[from] ChainError),
}

impl From<CheckError> for AuditLogError {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Note(NoteError::Stranger) => Self::Stranger,
            other => Self::Receipt(other),
        }
    }
}

/// What is known about a board's log before the board is asked.
pub(super) struct Trusted {
    file: PathBuf,
    before: Option<Seen>,
    key: Option<VerifierKey>,
}

impl Trusted {
    /// The state stored by an earlier audit of this board, and the key from the command line.
    pub(super) fn load(args: &Args, site: &Site) -> Result<Self, AuditLogError> {
        let host = site.origin().split_once("://").map_or("", |(_, host)| host);
        let file = file(args, host);
        let before = load_seen(&file)?;
        if let Some(seen) = &before
            && (check::unsigned(&seen.checkpoint).is_err() || seen.keys().is_err())
        {
            return Err(AuditLogError::Unreadable(file));
        }
        let key = parse_key(args)?;
        Ok(Self { file, before, key })
    }

    /// The newest snapshot, before everything else; `None` when there is none, or it is rejected.
    pub(super) async fn snapshot(&self, site: &Site) -> Option<Snapshot> {
        let look = log::look(site, self.before.as_ref(), self.key.as_ref()).await;
        look.ok()?.snapshot
    }

    /// Checks the log and adds the result to the report, even an error. `first` is the snapshot from the start.
    pub(super) async fn look(
        &self,
        args: &Args,
        audit: &Audit<'_>,
        first: Option<&Snapshot>,
        report: &mut Report,
    ) -> Result<(), AuditLogError> {
        let (site, chain, clock) = (&audit.site, &audit.chain, &audit.clock);
        let (before, key) = (self.before.as_ref(), self.key.as_ref());
        let sentence = match log::look(site, before, key).await {
            Ok(look) => {
                let cosigned = cosignature::count(&look.checkpoint, &args.witnesses);
                report.log = Some(with_witnesses(&look.sentence, cosigned, args));
                if cosigned < args.cosignatures() {
                    report.add("witness", too_few(cosigned, args));
                }
                let mut seen = look.seen.clone();
                let earlier = before.map(|seen| seen.unlogged.clone());
                let earlier = earlier.unwrap_or_default();
                seen.unlogged = compare::compare_rows(report, first, &look, earlier, clock.now());
                let keys = seen.keys();
                let keys = keys.map_err(|_| AuditLogError::Unreadable(self.file.clone()))?;
                compare::notes(report, &keys);
                compare::downloads(report, site, &look).await?;
                samples::receipts(report, site, &look, &keys).await?;
                shared::compare(report, site, &look).await?;
                let again = async || log::look(site, before, key).await.ok();
                pages::compare(report, audit, &look, again).await?;
                compare::blocks(report, chain, &look).await?;
                return save_seen(&self.file, &seen);
            }
            Err(LogError::Site(error)) => {
                report.not_checked.log = Some(error.to_string());
                return Err(error.into());
            }
            Err(error @ LogError::Another(_)) => format!(
                "{error}. What you have seen is kept in {}: compare it with what others have. Once you believe the reason, remove the \
                 file, and the new log counts as seen for the first time",
                self.file.display()
            ),
            Err(error @ (LogError::False(_) | LogError::Snapshot(_) | LogError::Moved)) => {
                error.to_string()
            }
        };
        report.add("log", sentence);
        Ok(())
    }
}

/// The sentence about a log or a receipt, with how many witnesses have cosigned it.
fn with_witnesses(sentence: &str, cosigned: usize, args: &Args) -> String {
    match args.witnesses.len() {
        0 => sentence.to_owned(),
        all => format!("{sentence}; cosigned by {cosigned} of the {all} witnesses that you trust"),
    }
}

fn too_few(cosigned: usize, args: &Args) -> String {
    format!(
        "its checkpoint has valid cosignatures of {cosigned} of the {} witnesses that you trust, and {} are needed",
        args.witnesses.len(),
        args.cosignatures()
    )
}

/// Checks a receipt, offline.
pub(super) fn receipt(args: &Args, file: &Path) -> Result<String, AuditLogError> {
    let text = fs::read_to_string(file).map_err(|source| file_error(file, source))?;
    let receipt = Receipt::read(&text)?;
    let origin = receipt.checkpoint.split('\n').next().unwrap_or_default();
    let host = origin.split('/').next().unwrap_or_default();
    if let Some(url) = &args.url
        && log_origin(&url.origin().ascii_serialization()) != format!("{host}/log")
    {
        return Err(CheckError::OtherBoard.into());
    }
    let stored_in = self::file(args, host);
    let stored = match load_seen(&stored_in)? {
        Some(seen) => seen
            .keys()
            .map_err(|_| AuditLogError::Unreadable(stored_in))?,
        None => Vec::new(),
    };
    let keys = match parse_key(args)? {
        // A key that was replaced stays replaced, even when it is named.
        Some(key) if !stored.contains(&key) => vec![key],
        None if stored.is_empty() => return Err(AuditLogError::NoKey(origin.to_owned())),
        _ => stored,
    };
    let shown = receipt.check(&keys)?;
    let cosigned = cosignature::count(&receipt.checkpoint, &args.witnesses);
    if cosigned < args.cosignatures() {
        return Err(AuditLogError::Witnesses(too_few(cosigned, args)));
    }
    let row: Row = serde_json::from_str(&shown.row).map_err(|_| CheckError::NoReceipt)?;
    let holdings = match row.shown_sats() {
        Some(sats) => format!("{} BTC", amount_words(Some(sats), row.tier.is_some())),
        None => "nothing".to_owned(),
    };
    let good = with_witnesses("The receipt is good", cosigned, args);
    Ok(format!(
        "{good}. At block {} ({}) the board whose log is {} showed {:?} of {} with {holdings}:\n{}",
        shown.height,
        shown.at.escape_debug(),
        shown.origin,
        row.name,
        row.provider.escape_debug(),
        escape(&shown.row)
    ))
}

/// The text, without characters that control a terminal or hide text from a reader.
fn escape(text: &str) -> String {
    let letters = text.chars().map(|letter| match letter {
        '"' | '\\' | '\'' => letter.to_string(),
        _ => letter.escape_debug().to_string(),
    });
    letters.collect()
}

fn parse_key(args: &Args) -> Result<Option<VerifierKey>, AuditLogError> {
    let key = args.key.as_ref().map(|key| key.parse());
    key.transpose().map_err(AuditLogError::Key)
}

/// The file for what audits have seen of this host's log.
fn file(args: &Args, host: &str) -> PathBuf {
    let letters = host.chars().map(|c| {
        if c.is_ascii_alphanumeric() || c == '.' {
            c
        } else {
            '_'
        }
    });
    let name: String = letters.collect();
    args.seen_folder().join(format!("{name}.log.json"))
}

fn load_seen(file: &Path) -> Result<Option<Seen>, AuditLogError> {
    match fs::read(file) {
        Ok(bytes) => {
            let seen = serde_json::from_slice(&bytes);
            seen.map(Some)
                .map_err(|_| AuditLogError::Unreadable(file.to_owned()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(file_error(file, source)),
    }
}

fn save_seen(file: &Path, seen: &Seen) -> Result<(), AuditLogError> {
    let text = serde_json::to_string_pretty(seen).unwrap_or_default();
    let folder = file.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| whole_file::put(file, &text));
    written.map_err(|source| file_error(file, source))
}

fn file_error(path: &Path, source: io::Error) -> AuditLogError {
    AuditLogError::File {
        path: path.to_owned(),
        source,
    }
}
