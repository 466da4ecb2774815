//! Checks that a board's log extends what was seen of it before (proofs, section 6).

use std::collections::BTreeMap;
use std::fmt;

use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::header::HeaderMap;
use serde::{Deserialize, Serialize};

use super::AT_ONCE;
use super::site::{Site, SiteError};
use board_log::check::{self, CheckError};
use board_log::checkpoint::Checkpoint;
use board_log::entry::Entry;
use board_log::note::{NoteError, VerifierKey};
use board_log::snapshot::{Snapshot, SnapshotError};
use board_log::tree::WIDTH;

/// How often the log is read again when it gets a new entry in between.
const TRIES: usize = 5;

/// The state that one audit stores for the next: the newest signed checkpoint, and the trusted keys, the newest last.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Seen {
    pub checkpoint: String,
    pub keys: Vec<String>,
    /// The size of the largest checkpoint that each replaced key may sign.
    #[serde(default)]
    pub until: Vec<u64>,
    /// Rows of the list that differed from the newest snapshot: what was listed, and the entry of that snapshot.
    #[serde(default)]
    pub unlogged: BTreeMap<String, (String, u64)>,
}

impl Seen {
    /// The keys. A replaced one is left out when the file does not say how far it may sign, as files of older versions do not.
    ///
    /// # Errors
    /// When one is invalid.
    pub fn keys(&self) -> Result<Vec<VerifierKey>, CheckError> {
        let mut keys = parse_keys(&self.keys)?;
        let newest = keys.pop();
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

/// The result of checking the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The result in words.
    pub sentence: String,
    /// The state to store.
    pub seen: Seen,
    /// The keys that may sign, the newest last.
    pub keys: Vec<VerifierKey>,
    /// Every entry, from the first to the newest.
    pub entries: Vec<Entry>,
    /// The newest snapshot; `None` before the first entry about the board.
    pub snapshot: Option<Snapshot>,
}

impl Look {
    /// The SHA-256 of each file of the pages, by address, from the newest `page` entry.
    pub(super) fn pages(&self) -> Option<&BTreeMap<String, String>> {
        self.entries.iter().rev().find_map(|entry| match entry {
            Entry::Page { files, .. } => Some(files),
            _ => None,
        })
    }

    /// The time of each entry.
    pub(super) fn times(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| match entry {
            Entry::Begin { time, .. }
            | Entry::Board { time, .. }
            | Entry::Key { time, .. }
            | Entry::Page { time, .. }
            | Entry::End { time, .. } => time.as_str(),
        })
    }

    /// Heights and hashes of the blocks that entries name, the oldest first.
    pub(super) fn blocks(&self) -> Vec<(u64, &str)> {
        let blocks = self.entries.iter().filter_map(|entry| match entry {
            Entry::Board { height, block, .. } => Some((*height, block.as_str())),
            _ => None,
        });
        blocks.collect()
    }
}

/// Why a log is rejected.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error("the board's log: {0}")]
    False(#[from] CheckError),
    #[error("the board's log: {0}")]
    Snapshot(#[from] SnapshotError),
    #[error("the board's log: {0}")]
    Another(Box<Another>),
    #[error("the board's log continues {0}, which no longer ends as this one says")]
    Before(String),
    #[error("the board's log got a new entry while it was read; run the audit again")]
    Moved,
}

/// The board has another log than the one seen before: its operator replaced it, or an attacker denies the old one.
#[derive(Debug)]
pub struct Another {
    seen: Checkpoint,
    origin: String,
    /// What its first entry says about that: the operator's reason, and the size of the log before.
    because: Option<(String, Option<u64>)>,
}

impl fmt::Display for Another {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            seen,
            origin,
            because,
        } = self;
        write!(
            f,
            "it is {origin}, another log than {}, of which you have seen {} entries. ",
            seen.origin, seen.size
        )?;
        let Some((because, ended)) = because else {
            return write!(f, "Its first entry gives no reason that could be read");
        };
        write!(f, "Its first entry says why: \"{because}\"")?;
        if let Some(size) = ended {
            write!(f, ", and that the one before had {size} entries")?;
        }
        if ended.is_some_and(|size| size < seen.size) {
            write!(f, ", fewer than you have seen")?;
        }
        Ok(())
    }
}

/// Checks a board's log, and that it has only grown since `before`: every entry is replayed. A `key` from the command line
/// takes precedence over stored ones; without either, the board's own key is trusted this once.
///
/// # Errors
/// When the board does not respond, or the log is rejected.
pub async fn look(
    site: &Site,
    before: Option<&Seen>,
    key: Option<&VerifierKey>,
) -> Result<Look, LogError> {
    for _ in 1..TRIES {
        match look_once(site, before, key).await {
            Err(LogError::Moved) => {}
            look => return look,
        }
    }
    look_once(site, before, key).await
}

async fn look_once(
    site: &Site,
    before: Option<&Seen>,
    key: Option<&VerifierKey>,
) -> Result<Look, LogError> {
    let log = Log {
        site,
        address: site.log().await?,
    };
    let note = log.newest_checkpoint().await?;
    if check::unsigned(&note)?.origin != log.origin() {
        return Err(CheckError::OtherBoard.into());
    }
    let seen = before.map(|seen| check::unsigned(&seen.checkpoint));
    let seen = seen.transpose()?;
    let known = match trusted_keys(before, key)? {
        none if none.is_empty() && before.is_none() => log.own_keys().await?,
        known => known,
    };
    let (known, seen, since) = match seen {
        Some(seen) if seen.origin != log.origin() => {
            let ended = log.explain_end(&seen, &known, &note).await?;
            let since = format!("which goes on from {ended}");
            (log.rename_keys(&known).await?, None, since)
        }
        Some(seen) => {
            let since = format!("which has only grown since it had {}", seen.size);
            (known, Some(seen), since)
        }
        None => (known, None, "seen for the first time".to_owned()),
    };
    let keys = log.follow_rotations(known).await?;
    let now = check::checkpoint(&note, &keys)?;
    let entries = log.entries(seen.as_ref(), &now).await?;
    log.check_before(entries.first()).await?;
    let is_board = |entry: &Entry| matches!(entry, Entry::Board { .. });
    let snapshot = match entries.iter().rposition(is_board) {
        Some(index) => match log.snapshot(index as u64, &entries[index]).await? {
            // A newer snapshot has replaced it.
            None if log.newest_checkpoint().await? != note => return Err(LogError::Moved),
            None => return Err(CheckError::Missing.into()),
            snapshot => snapshot,
        },
        None => None,
    };
    let withdrawn = match snapshot.as_ref().map_or(0, |it| it.withdrawn) {
        0 => String::new(),
        rows => format!("; {rows} rows of its snapshot were withdrawn since"),
    };
    Ok(Look {
        sentence: format!(
            "the log {}, {} entries, {since}{withdrawn}",
            now.origin, now.size
        ),
        seen: Seen {
            checkpoint: note,
            until: keys.iter().filter_map(VerifierKey::until).collect(),
            keys: keys.iter().map(ToString::to_string).collect(),
            unlogged: BTreeMap::new(),
        },
        keys,
        entries,
        snapshot,
    })
}

/// A log of a board.
struct Log<'a> {
    site: &'a Site,
    /// Its address: `/log`, or that of a later log.
    address: String,
}

impl<'a> Log<'a> {
    /// The log with this origin, if it is at the board's host.
    fn with_origin(site: &'a Site, origin: &str) -> Option<Self> {
        let (_, path) = origin.split_once('/')?;
        let log = Self {
            site,
            address: format!("/{path}"),
        };
        (log.origin() == origin).then_some(log)
    }

    /// The origin that its checkpoints must have: the host and the address of the log.
    fn origin(&self) -> String {
        format!("{}{}", self.site.host(), self.address)
    }

    async fn own_keys(&self) -> Result<Vec<VerifierKey>, LogError> {
        Ok(parse_keys(&[self.text("key").await?])?)
    }

    /// The keys that follow from the trusted ones. The notes are read each time, so that a key replaced since is no longer
    /// trusted.
    async fn follow_rotations(
        &self,
        mut known: Vec<VerifierKey>,
    ) -> Result<Vec<VerifierKey>, LogError> {
        let rotations = self.rotations().await?;
        if let Some(newest) = known.pop() {
            known.extend(check::keys(&newest, &rotations)?);
        }
        Ok(known)
    }

    /// Describes how the log that was seen before ended, if this one continues it: the old log has only grown, its last entry
    /// ends it, and the first entry of this one contains its last checkpoint.
    async fn explain_end(
        &self,
        seen: &Checkpoint,
        known: &[VerifierKey],
        note: &str,
    ) -> Result<String, LogError> {
        let another = |because| {
            LogError::Another(Box::new(Another {
                seen: seen.clone(),
                origin: self.origin(),
                because,
            }))
        };
        // Whatever else is wrong with it, the finding is that it is another log.
        let Ok(Some(Entry::Begin {
            because: Some(because),
            before,
            ..
        })) = self.first_entry(note).await
        else {
            return Err(another(None));
        };
        let before = before.unwrap_or_default();
        let last = check::unsigned(&before).ok();
        let last = last.filter(|last| last.origin == seen.origin);
        let size = last.map(|last| last.size);
        let end = async {
            let old = Log::with_origin(self.site, &seen.origin).ok_or(CheckError::OtherLog)?;
            let keys = old.follow_rotations(known.to_vec()).await?;
            let ended = check::checkpoint(&before, &keys)?;
            let texts = old.texts(Some(seen), &ended).await?;
            // Its other entries may have any format.
            let end = texts.last().map(|text| serde_json::from_str(text));
            Ok::<_, LogError>(matches!(end, Some(Ok(Entry::End { .. }))))
        };
        match (end.await, size) {
            (Ok(true), Some(size)) => Ok(format!(
                "{}, which ended after {size} entries: \"{because}\"",
                seen.origin
            )),
            (Err(error @ LogError::Site(_)), _) => Err(error),
            _ => Err(another(Some((because, size)))),
        }
    }

    /// Checks that the board still serves the end of the log before this one, as this one's first entry has it.
    async fn check_before(&self, first: Option<&Entry>) -> Result<(), LogError> {
        let Some(Entry::Begin {
            before: Some(before),
            ..
        }) = first
        else {
            return Ok(());
        };
        let last = check::unsigned(before)?;
        // The board may have had another host.
        let Some(old) = Log::with_origin(self.site, &last.origin) else {
            return Ok(());
        };
        let served = old.newest_checkpoint().await?;
        let same = check::unsigned(&served).is_ok_and(|served| served == last);
        same.then_some(()).ok_or(LogError::Before(last.origin))
    }

    /// The trusted key under the name of this log, which it also signs.
    async fn rename_keys(&self, known: &[VerifierKey]) -> Result<Vec<VerifierKey>, LogError> {
        let own = self.own_keys().await?;
        let rotations = self.rotations().await?;
        // The log may have begun with the key of the log before, or with one that follows from that.
        let mut keys = known.iter().rev().map(|key| key.renamed(&self.origin()));
        let first = keys
            .find(|key| check::keys(key, &rotations).is_ok_and(|keys| keys.last() == own.last()));
        let first = first.ok_or(CheckError::Note(NoteError::Stranger))?;
        Ok(vec![first])
    }

    /// The first entry under a checkpoint, checked with the key that the board names.
    async fn first_entry(&self, note: &str) -> Result<Option<Entry>, LogError> {
        let now = check::checkpoint(note, &self.own_keys().await?)?;
        Ok(self.entries(None, &now).await?.into_iter().next())
    }

    /// All entries. Their hashes must lead to what was seen, and to the checkpoint.
    async fn entries(
        &self,
        seen: Option<&Checkpoint>,
        now: &Checkpoint,
    ) -> Result<Vec<Entry>, LogError> {
        let texts = self.texts(seen, now).await?.into_iter();
        let entries = texts.map(|text| {
            let entry = serde_json::from_str::<Entry>(&text).map_err(|_| CheckError::Entry)?;
            // There is only one valid encoding.
            let same = entry.text() == text;
            same.then_some(entry).ok_or(CheckError::Entry)
        });
        Ok(entries.collect::<Result<_, CheckError>>()?)
    }

    /// The same entries as text, in any format.
    async fn texts(
        &self,
        seen: Option<&Checkpoint>,
        now: &Checkpoint,
    ) -> Result<Vec<String>, LogError> {
        let bundles = 0..now.size.div_ceil(WIDTH);
        let bundles = stream::iter(bundles).map(|index| self.bundle(index, now.size));
        let texts: Vec<Vec<String>> = bundles.buffered(AT_ONCE).try_collect().await?;
        let texts = texts.concat();
        check::replay(&texts, seen, now)?;
        Ok(texts)
    }

    /// A bundle of entries, as wide as a log of this size has it (C2SP tlog-tiles).
    async fn bundle(&self, index: u64, size: u64) -> Result<Vec<String>, LogError> {
        let width = (size - index * WIDTH).min(WIDTH);
        let partial = match width {
            WIDTH => String::new(),
            _ => format!(".p/{width}"),
        };
        let path = format!("tile/entries/{}{partial}", groups(index));
        let texts = split_bundle(&self.bytes(&path).await?);
        let texts = texts.filter(|texts| texts.len() as u64 == width);
        Ok(texts.ok_or(CheckError::Missing)?)
    }

    /// The snapshot of this entry. `None` when a newer one has replaced it.
    async fn snapshot(&self, index: u64, entry: &Entry) -> Result<Option<Snapshot>, LogError> {
        let path = format!("{}/snapshot/{index}", self.address);
        let Some(bytes) = self.site.bytes(&path).await? else {
            return Ok(None);
        };
        let snapshot = Snapshot::read(&bytes)?;
        snapshot.check(&self.origin(), index, entry)?;
        Ok(Some(snapshot))
    }

    async fn rotations(&self) -> Result<Vec<String>, LogError> {
        let rotations = self.text("rotations").await?;
        Ok(serde_json::from_str(&rotations).map_err(|_| CheckError::Missing)?)
    }

    /// The newest checkpoint. A response that is no checkpoint says nothing about the log, even when it is signed.
    async fn newest_checkpoint(&self) -> Result<String, LogError> {
        let understood = |_: &HeaderMap, bytes| {
            let note = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
            match check::unsigned(&note) {
                // A checkpoint without its signature is still checked.
                Err(why) if note.parse::<Checkpoint>().is_err() => Err(why.to_string()),
                _ => Ok(note),
            }
        };
        let path = format!("{}/checkpoint", self.address);
        let note = self.site.read(&path, understood).await?;
        Ok(note.ok_or(CheckError::Missing)?)
    }

    async fn text(&self, name: &str) -> Result<String, LogError> {
        let bytes = self.bytes(name).await?;
        Ok(String::from_utf8(bytes).map_err(|_| CheckError::Missing)?)
    }

    async fn bytes(&self, path: &str) -> Result<Vec<u8>, LogError> {
        let bytes = self.site.bytes(&format!("{}/{path}", self.address)).await?;
        Ok(bytes.ok_or(CheckError::Missing)?)
    }
}

/// A number in groups of three digits.
fn groups(index: u64) -> String {
    let last = format!("{:03}", index % 1_000);
    let mut left = index / 1_000;
    let mut path = last;
    while left > 0 {
        path = format!("x{:03}/{path}", left % 1_000);
        left /= 1_000;
    }
    path
}

/// The entries in a bundle.
fn split_bundle(mut bundle: &[u8]) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    while let Some((length, rest)) = bundle.split_first_chunk() {
        let (entry, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
        texts.push(String::from_utf8(entry.to_vec()).ok()?);
        bundle = rest;
    }
    bundle.is_empty().then_some(texts)
}

fn parse_keys(keys: &[String]) -> Result<Vec<VerifierKey>, CheckError> {
    let keys = keys.iter().map(|key| key.parse());
    Ok(keys.collect::<Result<_, NoteError>>()?)
}
