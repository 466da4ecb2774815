//! Reads a log as the board serves it.

use futures_util::{StreamExt, TryStreamExt, stream};
use tlog_tiles::Tile;

use super::error::LogError;
use crate::seen::parse_keys;
use crate::site::{AT_ONCE, Site};
use board_log::check::{self, CheckError};
use board_log::checkpoint::Checkpoint;
use board_log::entry::Entry;
use board_log::json::canonical;
use board_log::note::VerifierKey;
use board_log::snapshot::Snapshot;
use board_log::tree::{WIDTH, tile_path};
use outbound::Response;

/// A log of a board.
pub(super) struct Log<'a> {
    pub(super) site: &'a Site,
    /// Its address: `/log`, or that of a later log.
    pub(super) address: String,
}

impl Log<'_> {
    /// The origin that its checkpoints must have: the host and the address of the log.
    pub(super) fn origin(&self) -> String {
        format!("{}{}", self.site.host(), self.address)
    }

    pub(super) async fn own_keys(&self) -> Result<Vec<VerifierKey>, LogError> {
        Ok(parse_keys(&[self.text("key").await?])?)
    }

    /// The keys that follow from the trusted ones. The notes are read each time, so that a key replaced since is no longer
    /// trusted.
    pub(super) async fn follow_rotations(
        &self,
        known: Vec<VerifierKey>,
    ) -> Result<Vec<VerifierKey>, LogError> {
        let rotations = self.rotations().await?;
        Ok(check::keys(&known, &rotations)?)
    }

    /// Says why this is another log than the one that was seen, in the words of its first entry.
    pub(super) async fn explain_begin(&self, seen: &Checkpoint, note: &str) -> LogError {
        let mut says = match self.first_entry(note).await {
            Err(error @ LogError::Site(_)) => return error,
            Ok(Some(Entry::Begin {
                because: Some(because),
                before,
                ..
            })) => {
                let mut says = format!("Its first entry says why: \"{because}\"");
                let last = before.and_then(|before| check::unsigned(&before).ok());
                if let Some(Checkpoint { size, .. }) = last.filter(|it| it.origin == seen.origin) {
                    says += &format!(", and that the one before had {size} entries");
                    if size < seen.size {
                        says += ", fewer than you have seen";
                    }
                }
                says
            }
            _ => "Its first entry gives no reason that could be read".to_owned(),
        };
        let Checkpoint { origin, size, .. } = seen;
        says.insert_str(
            0,
            &format!(
                "it is {}, another log than {origin}, of which you have seen {size} entries. ",
                self.origin()
            ),
        );
        LogError::Another(says)
    }

    /// The first entry under a checkpoint, checked with the key that the board names.
    async fn first_entry(&self, note: &str) -> Result<Option<Entry>, LogError> {
        let now = check::checkpoint(note, &self.own_keys().await?)?;
        Ok(self.entries(None, &now).await?.into_iter().next())
    }

    /// All entries. Their hashes must lead to what was seen, and to the checkpoint.
    pub(super) async fn entries(
        &self,
        seen: Option<&Checkpoint>,
        now: &Checkpoint,
    ) -> Result<Vec<Entry>, LogError> {
        let bundles = 0..now.size.div_ceil(WIDTH);
        let bundles = stream::iter(bundles).map(|index| self.bundle(index, now.size));
        let texts: Vec<Vec<String>> = bundles.buffered(AT_ONCE).try_collect().await?;
        let texts = texts.concat();
        check::replay(&texts, seen, now)?;
        self.check_tiles(&texts).await?;
        let entries = texts
            .iter()
            .map(|text| canonical(text).ok_or(CheckError::Entry));
        Ok(entries.collect::<Result<_, CheckError>>()?)
    }

    /// A bundle of entries, as wide as a log of this size has it (C2SP tlog-tiles).
    async fn bundle(&self, index: u64, size: u64) -> Result<Vec<String>, LogError> {
        let width = (size - index * WIDTH).min(WIDTH);
        // Of at most 256.
        let tile = Tile::new(8, 0, index, u32::try_from(width).unwrap_or_default(), true);
        let path = tile_path(&tile);
        let texts = split_bundle(&self.bytes(&path).await?);
        let texts = texts.filter(|texts| texts.len() as u64 == width);
        Ok(texts.ok_or(CheckError::Missing)?)
    }

    /// The snapshot of this entry. `None` when a newer one has replaced it.
    pub(super) async fn snapshot(
        &self,
        index: u64,
        entry: &Entry,
    ) -> Result<Option<Snapshot>, LogError> {
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
    pub(super) async fn newest_checkpoint(&self) -> Result<String, LogError> {
        let understood = |answer: Response| {
            let note =
                String::from_utf8(answer.into_body()).map_err(|_| "it is not UTF-8".to_owned())?;
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

    pub(super) async fn bytes(&self, path: &str) -> Result<Vec<u8>, LogError> {
        let bytes = self.site.bytes(&format!("{}/{path}", self.address)).await?;
        Ok(bytes.ok_or(CheckError::Missing)?)
    }
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
