//! Checks that a board's log extends what was seen of it before (proofs, section 6).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use reqwest::header::HeaderMap;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::site::{Site, SiteError};
use board_log::check::{self, CheckError};
use board_log::checkpoint::Checkpoint;
use board_log::entry::Entry;
use board_log::note::{NoteError, VerifierKey};
use board_log::snapshot::{Snapshot, SnapshotError};
use board_log::tree::{self, Leaves, TileId, Tiles, WIDTH};

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
    fn new(checkpoint: String, keys: &[VerifierKey]) -> Self {
        Self {
            checkpoint,
            keys: keys.iter().map(ToString::to_string).collect(),
            until: keys.iter().filter_map(VerifierKey::until).collect(),
            unlogged: BTreeMap::new(),
        }
    }

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

/// The current log of a board.
struct Log<'a> {
    site: &'a Site,
    /// Its address: `/log`, or that of a later log.
    address: String,
}

/// The result of checking the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The result in words.
    pub sentence: String,
    /// The state to store.
    pub seen: Seen,
    /// The newest checkpoint as served.
    pub checkpoint: String,
    /// The SHA-256 of each file of the pages, by address, from the newest `page` entry.
    pub pages: Option<BTreeMap<String, String>>,
    /// The newest snapshot; `None` before the first entry about the board.
    pub snapshot: Option<Snapshot>,
    /// The blocks of the entries that were replayed: heights and hashes.
    pub blocks: Vec<(u64, String)>,
    /// When the log began, if its first entry was replayed.
    pub begun: Option<i64>,
}

impl Look {
    /// Whether the board still serves this snapshot.
    pub(super) async fn is_newest(&self, site: &Site) -> bool {
        let Some(snapshot) = &self.snapshot else {
            return false;
        };
        let Some((_, path)) = snapshot.header.site.split_once('/') else {
            return false;
        };
        let path = format!("/{path}/snapshot/{}", snapshot.header.entry);
        let served = site.bytes(&path).await.ok().flatten();
        let served = served.and_then(|bytes| Snapshot::read(&bytes).ok());
        served.as_ref() == Some(snapshot)
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
        match ended {
            Some(size) if *size < seen.size => {
                write!(
                    f,
                    ", and that the one before had {size} entries, fewer than you have seen"
                )
            }
            Some(size) => write!(f, ", and that the one before had {size} entries"),
            None => Ok(()),
        }
    }
}

/// Checks a board's log, and that it has only grown since `before`: every entry since then is replayed. A `key` from the command line
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
    let stored = before.map(Seen::keys).transpose()?;
    let known = match (key, stored) {
        // A key that was replaced stays replaced, even when it is named.
        (Some(key), Some(stored)) if stored.contains(key) => stored,
        (Some(key), _) => vec![key.clone()],
        (None, Some(stored)) => stored,
        (None, None) => parse_keys(&[log.text("key").await?])?,
    };
    let ended = match &seen {
        Some(seen) if seen.origin != log.origin() => log.explain_end(seen, &known, &note).await?,
        _ => None,
    };
    let known = match &ended {
        Some(_) => log.rename_keys(&known).await?,
        None => known,
    };
    let keys = log.follow_rotations(known).await?;
    let now = check::checkpoint(&note, &keys)?;
    let seen = seen.filter(|_| ended.is_none());
    let entries = log.replay(seen.as_ref(), &now).await?;
    let since = match (&seen, &ended) {
        (Some(seen), _) => format!("which has only grown since it had {}", seen.size),
        (None, Some(ended)) => format!("which goes on from {ended}"),
        (None, None) => "seen for the first time".to_owned(),
    };
    let blocks = blocks(&entries);
    let mut entries = entries;
    if seen.is_some() && (newest_board(&entries).is_none() || newest_pages(&entries).is_none()) {
        // The newest snapshot may be older than the last audit.
        entries = log.replay(None, &now).await?;
    }
    let snapshot = match newest_board(&entries) {
        Some((index, entry)) => match log.snapshot(*index, entry).await? {
            // A newer snapshot has replaced it.
            None if log.newest_checkpoint().await? != note => return Err(LogError::Moved),
            None => return Err(CheckError::Missing.into()),
            snapshot => snapshot,
        },
        None => None,
    };
    let withdrawn = snapshot.as_ref().map_or(0, |it| it.withdrawn);
    let withdrawn = match withdrawn {
        0 => String::new(),
        rows => format!("; {rows} rows of its snapshot were withdrawn since"),
    };
    Ok(Look {
        sentence: format!(
            "the log {}, {} entries, {since}{withdrawn}",
            now.origin, now.size
        ),
        seen: Seen::new(note.clone(), &keys),
        checkpoint: note,
        pages: newest_pages(&entries).cloned(),
        snapshot,
        blocks,
        begun: begin_time(&entries),
    })
}

fn newest_board(entries: &[(u64, Entry)]) -> Option<&(u64, Entry)> {
    let mut newest = entries.iter().rev();
    newest.find(|(_, entry)| matches!(entry, Entry::Board { .. }))
}

fn newest_pages(entries: &[(u64, Entry)]) -> Option<&BTreeMap<String, String>> {
    let mut newest = entries.iter().rev();
    newest.find_map(|(_, entry)| match entry {
        Entry::Page { files, .. } => Some(files),
        _ => None,
    })
}

/// When the log began, in unix seconds; `None` unless its first entry is among these.
fn begin_time(entries: &[(u64, Entry)]) -> Option<i64> {
    let (0, Entry::Begin { time, .. }) = entries.first()? else {
        return None;
    };
    Some(OffsetDateTime::parse(time, &Rfc3339).ok()?.unix_timestamp())
}

/// The blocks that these entries name.
fn blocks(entries: &[(u64, Entry)]) -> Vec<(u64, String)> {
    let blocks = entries.iter().filter_map(|(_, entry)| match entry {
        Entry::Board { height, block, .. } => Some((*height, block.clone())),
        _ => None,
    });
    blocks.collect()
}

impl Log<'_> {
    /// The origin that its checkpoints must have: the host and the address of the log.
    fn origin(&self) -> String {
        let site = self.site.origin();
        let host = site.split_once("://").map_or(site, |(_, host)| host);
        format!("{host}{}", self.address)
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
    ) -> Result<Option<String>, LogError> {
        // Whatever else is wrong with it, the finding is that it is another log.
        let first = self.first_entry(note).await;
        let (because, before) = match first {
            Ok(Entry::Begin {
                because: Some(because),
                before,
                ..
            }) => (because, before),
            _ => return Err(self.other_log(seen, None)),
        };
        let last = before.as_deref().map(check::unsigned);
        let last = last
            .and_then(Result::ok)
            .filter(|last| last.origin == seen.origin);
        let another = || {
            let size = last.as_ref().map(|last| last.size);
            self.other_log(seen, Some((because.clone(), size)))
        };
        let old = Log {
            site: self.site,
            address: address_of(&seen.origin),
        };
        let (Some(last), Some(before)) = (&last, &before) else {
            return Err(another());
        };
        if old.origin() != seen.origin {
            return Err(another());
        }
        let end = async {
            let keys = old.follow_rotations(known.to_vec()).await?;
            let ended = check::checkpoint(before, &keys)?;
            let entries = old.texts(Some(seen), &ended).await?;
            let end = entries
                .last()
                .and_then(|(_, text)| serde_json::from_str(text).ok());
            Ok::<_, LogError>(matches!(end, Some(Entry::End { .. })))
        };
        match end.await {
            Ok(true) => Ok(Some(format!(
                "{}, which ended after {} entries: \"{because}\"",
                seen.origin, last.size
            ))),
            Err(error @ LogError::Site(_)) => Err(error),
            _ => Err(another()),
        }
    }

    fn other_log(&self, seen: &Checkpoint, because: Option<(String, Option<u64>)>) -> LogError {
        LogError::Another(Box::new(Another {
            seen: seen.clone(),
            origin: self.origin(),
            because,
        }))
    }

    /// The trusted key under the name of this log, which it also signs.
    async fn rename_keys(&self, known: &[VerifierKey]) -> Result<Vec<VerifierKey>, LogError> {
        let own = parse_keys(&[self.text("key").await?])?;
        let rotations = self.rotations().await?;
        let keys = known.iter().map(|key| key.renamed(&self.origin()));
        let keys: Vec<VerifierKey> = keys.collect();
        // The log may have begun with the key of the log before, or with one that follows from that.
        let first = keys
            .iter()
            .rev()
            .find(|key| check::keys(key, &rotations).is_ok_and(|keys| keys.last() == own.last()));
        Ok(vec![
            first
                .cloned()
                .ok_or(CheckError::Note(NoteError::Stranger))?,
        ])
    }

    /// The entries since what was seen. Their hashes must lead to the checkpoint.
    async fn replay(
        &self,
        seen: Option<&Checkpoint>,
        now: &Checkpoint,
    ) -> Result<Vec<(u64, Entry)>, LogError> {
        let texts = self.texts(seen, now).await?.into_iter();
        let entries = texts.map(|(index, text)| {
            let entry = serde_json::from_str::<Entry>(&text).map_err(|_| CheckError::Entry)?;
            // There is only one valid encoding.
            let same = entry.text() == text;
            same.then_some((index, entry)).ok_or(CheckError::Entry)
        });
        Ok(entries.collect::<Result<_, CheckError>>()?)
    }

    /// The same entries as text, in any format.
    async fn texts(
        &self,
        seen: Option<&Checkpoint>,
        now: &Checkpoint,
    ) -> Result<Vec<(u64, String)>, LogError> {
        let first = seen.map_or(0, |seen| seen.size);
        if now.size < first {
            return Err(CheckError::Shorter.into());
        }
        let mut tiles = Tiles::default();
        if let Some(seen) = seen {
            let whole = Leaves::up_to(seen.size);
            tiles = self.tiles(tree::tiles_of(&[whole]), seen.size).await?;
            if tiles.hash(whole) != Some(seen.root) {
                return Err(CheckError::Rewritten.into());
            }
        }
        let mut entries = Vec::new();
        for bundle in first / WIDTH..now.size.div_ceil(WIDTH) {
            let width = (now.size - bundle * WIDTH).min(WIDTH);
            let path = format!("tile/entries/{}{}", groups(bundle), partial_suffix(width));
            let bytes = self.bytes(&path).await?;
            let texts = split_bundle(&bytes).filter(|it| it.len() as u64 == width);
            let texts = texts.ok_or(CheckError::Missing)?;
            let numbered = (bundle * WIDTH..).zip(texts);
            entries.extend(numbered.filter(|(index, _)| *index >= first));
        }
        for (index, text) in &entries {
            let put = tiles.put(*index, tree::leaf(&[text.as_bytes()]));
            put.ok_or(CheckError::Missing)?;
        }
        tiles.settle().ok_or(CheckError::Missing)?;
        let root = tiles.hash(Leaves::up_to(now.size));
        let same = root == Some(now.root);
        Ok(same.then_some(entries).ok_or(CheckError::Rewritten)?)
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

    /// The first entry under a checkpoint, checked with the key that the board names.
    async fn first_entry(&self, note: &str) -> Result<Entry, LogError> {
        let keys = parse_keys(&[self.text("key").await?])?;
        let now = check::checkpoint(note, &keys)?;
        let path = format!("tile/entries/000{}", partial_suffix(now.size.min(WIDTH)));
        let bundle = self.bytes(&path).await?;
        let entry = split_bundle(&bundle).and_then(|texts| texts.into_iter().next());
        let entry = entry.ok_or(CheckError::Missing)?;
        let nodes = tree::inclusion(0, now.size).ok_or(CheckError::Missing)?;
        let tiles = self.tiles(tree::tiles_of(&nodes), now.size).await?;
        check::entry(&entry, 0, &now, &tiles)?;
        Ok(serde_json::from_str(&entry).map_err(|_| CheckError::Missing)?)
    }

    async fn rotations(&self) -> Result<Vec<String>, LogError> {
        let rotations = self.text("rotations").await?;
        Ok(serde_json::from_str(&rotations).map_err(|_| CheckError::Missing)?)
    }

    /// Tiles of a log of this size.
    async fn tiles(&self, wanted: BTreeSet<TileId>, size: u64) -> Result<Tiles, LogError> {
        let mut tiles = Tiles::default();
        for id in wanted {
            let bytes = self.bytes(&path(id, id.width(size))).await?;
            tiles.add(id, bytes.as_chunks().0.to_vec());
        }
        Ok(tiles)
    }

    /// The newest checkpoint. A response that is no checkpoint says nothing about the log, even when it is signed.
    async fn newest_checkpoint(&self) -> Result<String, LogError> {
        let understood = |_: &HeaderMap, bytes| {
            let note = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
            let read = check::unsigned(&note).map_err(|error| error.to_string());
            // A checkpoint without its signature is still checked.
            let unsigned = note.parse::<Checkpoint>().is_ok();
            read.map(|_| ())
                .or_else(|why| unsigned.then_some(()).ok_or(why))?;
            Ok(note)
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

/// The path of a tile below its log's address (C2SP tlog-tiles).
fn path(TileId { level, index }: TileId, width: u64) -> String {
    format!("tile/{level}/{}{}", groups(index), partial_suffix(width))
}

/// A number in groups of three digits.
fn groups(index: u64) -> String {
    let mut groups = vec![format!("{:03}", index % 1_000)];
    let mut left = index / 1_000;
    while left > 0 {
        groups.push(format!("x{:03}", left % 1_000));
        left /= 1_000;
    }
    groups.reverse();
    groups.join("/")
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

/// The address of the log with this origin.
fn address_of(origin: &str) -> String {
    let path = origin.split_once('/').map_or("log", |(_, path)| path);
    format!("/{path}")
}

/// The suffix of a partial tile's path.
fn partial_suffix(width: u64) -> String {
    if width < WIDTH {
        format!(".p/{width}")
    } else {
        String::new()
    }
}

fn parse_keys(keys: &[String]) -> Result<Vec<VerifierKey>, CheckError> {
    let keys = keys.iter().map(|key| key.parse());
    Ok(keys.collect::<Result<_, NoteError>>()?)
}
