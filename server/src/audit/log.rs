//! The log of a board: whether it goes on from what was seen of it before (proofs, section 6).

use std::collections::BTreeSet;
use std::fmt;

use reqwest::header::HeaderMap;
use serde::{Deserialize, Serialize};

use super::site::{Site, SiteError};
use crate::history::check::{self, CheckError};
use crate::history::checkpoint::Checkpoint;
use crate::history::entry::Entry;
use crate::history::note::{NoteError, VerifierKey};
use crate::history::tree::{self, TileId, Tiles, WIDTH};

/// What is kept of a log from one audit to the next: the newest checkpoint, signed, and the keys that are trusted, the newest last.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Seen {
    pub checkpoint: String,
    pub keys: Vec<String>,
    /// The size of the largest checkpoint that each key but the newest may sign.
    #[serde(default)]
    pub until: Vec<u64>,
}

impl Seen {
    fn new(checkpoint: String, keys: &[VerifierKey]) -> Self {
        Self {
            checkpoint,
            keys: keys.iter().map(ToString::to_string).collect(),
            until: keys.iter().filter_map(VerifierKey::until).collect(),
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
}

/// Why a log is not believed.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error("the log of the board: {0}")]
    False(#[from] CheckError),
    #[error("the log of the board: {0}")]
    Another(Box<Another>),
}

/// A log in the place of the one that was seen: its operator's way out, or somebody's who denies what was seen.
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

/// Looks at the log of a board, and demands that it has only grown since `before`. A key that is known from elsewhere goes before what was
/// kept; without either the board's own is taken, this once.
///
/// # Errors
/// When the board does not answer, or the log is not believed.
pub async fn look(
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
    let before = match before {
        Some(seen) => Some((seen, log.not_another(&note, seen).await?)),
        None => None,
    };
    let kept = before.as_ref().map(|(seen, _)| seen.keys()).transpose()?;
    let known = match (key, kept) {
        // A key that is known to have been replaced is not made good by naming it.
        (Some(key), Some(kept)) if kept.contains(key) => kept,
        (Some(key), _) => vec![key.clone()],
        (None, Some(kept)) => kept,
        (None, None) => parsed(&[log.text("key").await?])?,
    };
    let keys = log.followed(known).await?;
    let now = check::checkpoint(&note, &keys)?;
    let since = match &before {
        Some((_, old)) => {
            let wanted = check::tiles_for(old.size, now.size);
            let tiles = log.tiles(wanted.unwrap_or_default(), now.size).await?;
            check::consistency(old, &now, &tiles)?;
            format!("which has only grown since it had {}", old.size)
        }
        None => "seen for the first time".to_owned(),
    };
    Ok(Look {
        sentence: format!("the log {}, {} entries, {since}", now.origin, now.size),
        seen: Seen::new(note, &keys),
    })
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
        let rotations = self.text("rotations").await?;
        let rotations: Vec<String> =
            serde_json::from_str(&rotations).map_err(|_| CheckError::Missing)?;
        if let Some(newest) = known.pop() {
            known.extend(check::keys(&newest, &rotations)?);
        }
        Ok(known)
    }

    /// What was seen of a log, when this is a checkpoint of the same one.
    async fn not_another(&self, note: &str, seen: &Seen) -> Result<Checkpoint, LogError> {
        let (seen, now) = (check::unsigned(&seen.checkpoint)?, check::unsigned(note)?);
        if seen.origin == now.origin {
            return Ok(seen);
        }
        // Whatever is wrong with it: that it is another one is what has to be said.
        let because = match self.first_entry(note).await {
            Ok(Entry::Begin {
                because: Some(because),
                before,
                ..
            }) => {
                let before = before.and_then(|before| check::unsigned(&before).ok());
                let ended = before.filter(|before| before.origin == seen.origin);
                Some((because, ended.map(|before| before.size)))
            }
            _ => None,
        };
        Err(LogError::Another(Box::new(Another {
            seen,
            origin: now.origin,
            because,
        })))
    }

    /// The first entry under a checkpoint, with the key that the board says is the log's.
    async fn first_entry(&self, note: &str) -> Result<Entry, LogError> {
        let keys = parsed(&[self.text("key").await?])?;
        let now = check::checkpoint(note, &keys)?;
        let path = format!("tile/entries/000{}", part(now.size.min(WIDTH)));
        let bundle = self.bytes(&path).await?;
        let (length, rest) = bundle.split_first_chunk().ok_or(CheckError::Missing)?;
        let entry = rest.get(..u16::from_be_bytes(*length).into());
        let entry = entry.and_then(|bytes| std::str::from_utf8(bytes).ok());
        let entry = entry.ok_or(CheckError::Missing)?;
        let nodes = tree::inclusion(0, now.size).ok_or(CheckError::Missing)?;
        let tiles = self.tiles(tree::tiles_of(&nodes), now.size).await?;
        check::entry(entry, 0, &now, &tiles)?;
        Ok(serde_json::from_str(entry).map_err(|_| CheckError::Missing)?)
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

    /// The newest checkpoint. What is none, by whomever it is signed, says nothing of the log.
    async fn newest(&self) -> Result<String, LogError> {
        let understood = |_: &HeaderMap, bytes| {
            let note = String::from_utf8(bytes).map_err(|_| "it is no text".to_owned())?;
            let read = check::unsigned(&note).map_err(|error| error.to_string());
            read.map(|_| note)
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
    let mut groups = vec![format!("{:03}", index % 1_000)];
    let mut left = index / 1_000;
    while left > 0 {
        groups.push(format!("x{:03}", left % 1_000));
        left /= 1_000;
    }
    groups.reverse();
    format!("tile/{level}/{}{}", groups.join("/"), part(width))
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
