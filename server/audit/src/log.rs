//! The log of a board: whether it goes on from what was seen of it before (proofs, section 6).

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

/// How often the log is read again when it gets an entry meanwhile.
const TRIES: usize = 5;

/// What is kept of a log from one audit to the next: the newest checkpoint, signed, and the keys that are trusted, the newest last.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Seen {
    pub checkpoint: String,
    pub keys: Vec<String>,
    /// The size of the largest checkpoint that each key but the newest may sign.
    #[serde(default)]
    pub until: Vec<u64>,
    /// Rows of the list that the newest snapshot did not have like this: what was listed, and the entry of that snapshot.
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

    /// The keys. A replaced one is left out when nothing says until when it signed, as in files of older versions.
    ///
    /// # Errors
    /// When one is none.
    pub fn keys(&self) -> Result<Vec<VerifierKey>, CheckError> {
        let mut keys = parsed(&self.keys)?;
        let newest = keys.pop();
        let replaced = keys.into_iter().zip(&self.until);
        let replaced = replaced.map(|(key, until)| key.replaced(*until));
        Ok(replaced.chain(newest).collect())
    }
}

/// The current log of a board.
struct Log<'a> {
    site: &'a Site,
    /// Its address: `/log`, or that of a later one.
    address: String,
}

/// What a look at the log has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// In words.
    pub sentence: String,
    /// What to keep.
    pub seen: Seen,
    /// The newest checkpoint as served.
    pub checkpoint: String,
    /// The SHA-256 of each file of the pages, by its address, as the newest entry about them has it.
    pub pages: Option<BTreeMap<String, String>>,
    /// The newest snapshot; none when no entry is about the board yet.
    pub snapshot: Option<Snapshot>,
    /// The blocks of the entries that were replayed: heights and hashes.
    pub blocks: Vec<(u64, String)>,
    /// When the log has begun, when that was replayed.
    pub begun: Option<i64>,
}

impl Look {
    /// Whether the board still serves this very snapshot.
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

/// Why a log is not believed.
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
    /// What its first entry says of that: why, in the operator's words, and how many entries the one before had.
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

/// Looks at the log of a board, and demands that it has only grown since `before`: every entry since then is replayed. A key that is known
/// from elsewhere goes before what was kept; without either the board's own is taken, this once.
///
/// # Errors
/// When the board does not answer, or the log is not believed.
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
    let note = log.newest().await?;
    if check::unsigned(&note)?.origin != log.origin() {
        return Err(CheckError::OtherBoard.into());
    }
    let seen = before.map(|seen| check::unsigned(&seen.checkpoint));
    let seen = seen.transpose()?;
    let kept = before.map(Seen::keys).transpose()?;
    let known = match (key, kept) {
        // A key that is known to have been replaced is not made good by naming it.
        (Some(key), Some(kept)) if kept.contains(key) => kept,
        (Some(key), _) => vec![key.clone()],
        (None, Some(kept)) => kept,
        (None, None) => parsed(&[log.text("key").await?])?,
    };
    let ended = match &seen {
        Some(seen) if seen.origin != log.origin() => log.ended(seen, &known, &note).await?,
        _ => None,
    };
    let known = match &ended {
        Some(_) => log.renamed(&known).await?,
        None => known,
    };
    let keys = log.followed(known).await?;
    let now = check::checkpoint(&note, &keys)?;
    let seen = seen.filter(|_| ended.is_none());
    let entries = log.replayed(seen.as_ref(), &now).await?;
    let since = match (&seen, &ended) {
        (Some(seen), _) => format!("which has only grown since it had {}", seen.size),
        (None, Some(ended)) => format!("which goes on from {ended}"),
        (None, None) => "seen for the first time".to_owned(),
    };
    let blocks = blocks(&entries);
    let mut entries = entries;
    if seen.is_some() && (newest_board(&entries).is_none() || newest_pages(&entries).is_none()) {
        // The newest one may be older than the last audit.
        entries = log.replayed(None, &now).await?;
    }
    let snapshot = match newest_board(&entries) {
        Some((index, entry)) => match log.snapshot(*index, entry).await? {
            // A newer entry took its place.
            None if log.newest().await? != note => return Err(LogError::Moved),
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
        begun: begun(&entries),
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

/// When the log has begun, in unix seconds; none unless its first entry is among these.
fn begun(entries: &[(u64, Entry)]) -> Option<i64> {
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
    /// What its checkpoints must call it: the host and the address at which it is.
    fn origin(&self) -> String {
        let site = self.site.origin();
        let host = site.split_once("://").map_or(site, |(_, host)| host);
        format!("{host}{}", self.address)
    }

    /// The keys that follow from those that are trusted. The notes are read each time, so that a key that has been replaced since is not
    /// believed any longer.
    async fn followed(&self, mut known: Vec<VerifierKey>) -> Result<Vec<VerifierKey>, LogError> {
        let rotations = self.rotations().await?;
        if let Some(newest) = known.pop() {
            known.extend(check::keys(&newest, &rotations)?);
        }
        Ok(known)
    }

    /// In words, how the log that was seen ended, when this one goes on from there: the one before has only grown, its last entry says that
    /// it ends, and the first entry of this one has its last checkpoint.
    async fn ended(
        &self,
        seen: &Checkpoint,
        known: &[VerifierKey],
        note: &str,
    ) -> Result<Option<String>, LogError> {
        // Whatever is wrong with it: that it is another one is what has to be said.
        let first = self.first_entry(note).await;
        let (because, before) = match first {
            Ok(Entry::Begin {
                because: Some(because),
                before,
                ..
            }) => (because, before),
            _ => return Err(self.another(seen, None)),
        };
        let last = before.as_deref().map(check::unsigned);
        let last = last
            .and_then(Result::ok)
            .filter(|last| last.origin == seen.origin);
        let another = || {
            let size = last.as_ref().map(|last| last.size);
            self.another(seen, Some((because.clone(), size)))
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
            let keys = old.followed(known.to_vec()).await?;
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

    fn another(&self, seen: &Checkpoint, because: Option<(String, Option<u64>)>) -> LogError {
        LogError::Another(Box::new(Another {
            seen: seen.clone(),
            origin: self.origin(),
            because,
        }))
    }

    /// The key that is trusted, under the name of this log, which it signs as well.
    async fn renamed(&self, known: &[VerifierKey]) -> Result<Vec<VerifierKey>, LogError> {
        let own = parsed(&[self.text("key").await?])?;
        let rotations = self.rotations().await?;
        let keys = known.iter().map(|key| key.renamed(&self.origin()));
        let keys: Vec<VerifierKey> = keys.collect();
        // The log may have begun with the key of the one before, or with one that follows from that.
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

    /// The entries since what was seen, whose hashes lead to the checkpoint.
    async fn replayed(
        &self,
        seen: Option<&Checkpoint>,
        now: &Checkpoint,
    ) -> Result<Vec<(u64, Entry)>, LogError> {
        let texts = self.texts(seen, now).await?.into_iter();
        let entries = texts.map(|(index, text)| {
            let entry = serde_json::from_str::<Entry>(&text).map_err(|_| CheckError::Entry)?;
            // One way to write it.
            let same = entry.text() == text;
            same.then_some((index, entry)).ok_or(CheckError::Entry)
        });
        Ok(entries.collect::<Result<_, CheckError>>()?)
    }

    /// The same as text, in any format.
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
            let path = format!("tile/entries/{}{}", groups(bundle), part(width));
            let bytes = self.bytes(&path).await?;
            let texts = texts_in(&bytes).filter(|it| it.len() as u64 == width);
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

    /// The snapshot of this entry. None when a newer one has taken its place.
    async fn snapshot(&self, index: u64, entry: &Entry) -> Result<Option<Snapshot>, LogError> {
        let path = format!("{}/snapshot/{index}", self.address);
        let Some(bytes) = self.site.bytes(&path).await? else {
            return Ok(None);
        };
        let snapshot = Snapshot::read(&bytes)?;
        snapshot.check(&self.origin(), index, entry)?;
        Ok(Some(snapshot))
    }

    /// The first entry under a checkpoint, with the key that the board says is the log's.
    async fn first_entry(&self, note: &str) -> Result<Entry, LogError> {
        let keys = parsed(&[self.text("key").await?])?;
        let now = check::checkpoint(note, &keys)?;
        let path = format!("tile/entries/000{}", part(now.size.min(WIDTH)));
        let bundle = self.bytes(&path).await?;
        let entry = texts_in(&bundle).and_then(|texts| texts.into_iter().next());
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

    /// Tiles of a log of so many entries.
    async fn tiles(&self, wanted: BTreeSet<TileId>, size: u64) -> Result<Tiles, LogError> {
        let mut tiles = Tiles::default();
        for id in wanted {
            let bytes = self.bytes(&path(id, id.width(size))).await?;
            tiles.add(id, bytes.as_chunks().0.to_vec());
        }
        Ok(tiles)
    }

    /// The newest checkpoint. A response that is no checkpoint says nothing about the log, even when it is signed.
    async fn newest(&self) -> Result<String, LogError> {
        let understood = |_: &HeaderMap, bytes| {
            let note = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
            let read = check::unsigned(&note).map_err(|error| error.to_string());
            // One that has lost its signature is judged.
            let unsigned = note.parse::<Checkpoint>().is_ok();
            read.map(|_| ())
                .or_else(|why| unsigned.then_some(()).ok_or(why))?;
            Ok(note)
        };
        let path = format!("{}/checkpoint", self.address);
        let note = self.site.asked(&path, understood).await?;
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

/// The address of a tile below that of its log (C2SP tlog-tiles).
fn path(TileId { level, index }: TileId, width: u64) -> String {
    format!("tile/{level}/{}{}", groups(index), part(width))
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
fn texts_in(mut bundle: &[u8]) -> Option<Vec<String>> {
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

/// The end of its address when it is not full.
fn part(width: u64) -> String {
    if width < WIDTH {
        format!(".p/{width}")
    } else {
        String::new()
    }
}

/// Keys as text.
fn parsed(keys: &[String]) -> Result<Vec<VerifierKey>, CheckError> {
    let keys = keys.iter().map(|key| key.parse());
    Ok(keys.collect::<Result<_, NoteError>>()?)
}
