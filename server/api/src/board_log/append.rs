//! The job: a `board` entry for each block at which a shown row changed, and at least every 144 blocks.
//!
//! One transaction holds the state and the follower's cursor, reads all rows, and writes the lines that changed, the entry and the
//! checkpoint. A replica that crosses another one has written nothing. Then the entry goes to the folder outside the database, its checkpoint to the
//! witnesses, and a second transaction issues it with its snapshot.

use std::time::Duration;

use futures_util::TryStreamExt;

use super::error::{BoardLogError, Result};
use super::room::{BoardLog, OUTSIDE};
use super::write::{add_entry, signer, to_u64};
use crate::jobs::Next;
use board_log::entry::Entry;
use board_log::snapshot::{Row, SaltKey, salted};
use board_log::tiers::holder_tier;
use board_log::tree::{Hash, Tree, leaf};
use board_log::units::iso;
use chain::clock::UnixTime;
use store::board_log::{LogState, LogTx, LoggableRow, Restored};
use store::chain_cursor::Block;

/// The pause between two steps.
const POLL: Duration = Duration::from_secs(2);

/// For how many seconds nobody adds an entry after a standby was promoted: a replica that has failed tries again sooner.
const LOOKED_AT: i64 = 20;

/// An entry comes after at most this many blocks, about once a day, so that visitors see whether the log is alive.
const EVERY: i64 = 144;

/// The next snapshot.
#[derive(Default)]
struct Lines {
    key: SaltKey,
    /// Ids and lines that differ from those of the snapshot before.
    changed: Vec<(String, String)>,
    /// Ids and leaves of all rows.
    leaves: Vec<(String, Hash)>,
}

impl BoardLog {
    /// Adds an entry when one is due.
    ///
    /// # Errors
    /// When the database is older than what was issued, or fails.
    pub async fn step(&self) -> Result<Next> {
        let _alone = self.working.lock().await;
        let step = self.take_step().await;
        if let Err(BoardLogError::Behind { .. } | BoardLogError::Forgotten { .. }) = step {
            // Stops the other replicas, whose folders may lack what this one has.
            self.store.set_log_forked(Some(OUTSIDE)).await?;
        }
        step
    }

    async fn take_step(&self) -> Result<Next> {
        let now = self.clock.now();
        let folder = &self.settings.folder;
        folder.keep_removals(&self.store, now).await?;
        let state = folder.state_in(&self.trees).await?;
        let mut state = state.ok_or(BoardLogError::NotBegun)?;
        folder.keep(&self.trees, &state).await?;
        if self.is_looked_at(now).await || !self.store.take_lease("log").await? {
            return Ok(Next::After(POLL));
        }
        self.stop_when_forked().await?;
        let issued = self.issued().await?;
        let is_restored = state.restored == Restored::Unconfirmed;
        if is_restored || !issued.is_same_size(&state) || self.witnesses_are_due(&issued, now)? {
            // Written by a server that has stopped since, or by a command; or a witness did not respond.
            self.issue(&state).await?;
        }
        if is_restored {
            return Ok(Next::AtOnce);
        }
        if state.restored == Restored::No
            && let Some(appended) = self.append_pages(&state).await?
        {
            state = appended;
        }
        let changes = self.store.newest_change().await?;
        let cursor = self.store.cursor(self.settings.network).await?;
        if cursor.is_some_and(|cursor| self.is_due(&state, changes, &cursor.block)) {
            self.append(&state, changes).await?;
        }
        Ok(Next::After(POLL))
    }

    /// Whether the database has just become another one, a standby that was promoted, and replicas still compare it with their folders. It may
    /// lack what only one of them has.
    async fn is_looked_at(&self, now: UnixTime) -> bool {
        let timeline = self.store.timeline().await;
        let mut known = self.timeline.lock();
        let (Some(timeline), true) = (timeline, self.settings.folder.is_set()) else {
            return false;
        };
        match &*known {
            Some((same, since)) if *same == timeline => now - since < LOOKED_AT,
            Some(_) => {
                *known = Some((timeline, now));
                true
            }
            None => {
                *known = Some((timeline, now - LOOKED_AT));
                false
            }
        }
    }

    /// Adds an entry to the log, which `state` describes apart from it. After the commit come the folder outside the database, the
    /// witnesses, and the issue to readers.
    pub(super) async fn add(&self, log: LogTx, state: LogState, entry: &Entry) -> Result<LogState> {
        let (mut log, mut state) = (log, state);
        let tree = self
            .trees
            .tree_in(&mut log, state.number, state.size)
            .await?;
        let key = signer(&mut log, &state.origin).await?;
        add_entry(&mut log, &tree, &mut state, entry, &[&key]).await?;
        log.commit().await?;
        self.settings.folder.keep(&self.trees, &state).await?;
        self.issue(&state).await?;
        Ok(state)
    }

    /// Whether an entry may be needed at this block.
    fn is_due(&self, state: &LogState, changes: i64, block: &Block) -> bool {
        if state.restored != Restored::No {
            // The rows of a restored entry exist again once the chain is followed up to its block.
            let reached = state.height.is_none_or(|height| block.height >= height);
            return self.settings.stands_still || reached;
        }
        let changed = changes != state.changes || state.withdrawn > 0;
        let new_block = self.settings.stands_still || state.block.as_ref() != Some(&block.hash);
        (changed && new_block) || is_old(state, block.height)
    }

    /// Adds an entry, unless the log has moved since or no row has changed.
    async fn append(&self, before: &LogState, changes: i64) -> Result<()> {
        let mut log = self.store.hold_log().await?;
        let block = log.cursor(self.settings.network).await?;
        let issued = log.issued.as_ref();
        let moved =
            log.state.as_ref() != Some(before) || !issued.is_some_and(|it| it.is_same_size(before));
        let Some(block) = block.filter(|it| !moved && self.is_due(before, changes, it)) else {
            return Ok(());
        };
        let key = (self.settings.salt)();
        let mut lines = Lines {
            key,
            ..Lines::default()
        };
        let mut portions = log.rows()?;
        while let Some(rows) = portions.try_next().await? {
            let adding = tokio::task::spawn_blocking(move || lines.with(rows));
            lines = adding.await.map_err(|_| BoardLogError::Broken)?;
        }
        drop(portions);
        let gone = log.drop_gone_lines().await?;
        let changed = gone > 0 || before.withdrawn > 0 || !lines.changed.is_empty();
        let due = before.restored != Restored::No || is_old(before, block.height);
        if !changed && !due {
            drop(log);
            return Ok(self.store.note_logged(before.size, changes).await?);
        }
        log.put_lines(&lines.changed).await?;
        let rows = lines.tree();
        let entry = Entry::Board {
            height: to_u64(block.height)?,
            block: block.hash.clone(),
            time: iso(self.clock.now()),
            rows: rows.leaves(),
            root: hex::encode(rows.root()),
        };
        let state = LogState {
            board_entry: Some(before.size),
            changes,
            height: Some(block.height),
            block: Some(block.hash),
            salt_key: Some(hex::encode(key)),
            withdrawn: 0,
            restored: Restored::No,
            ..before.clone()
        };
        self.add(log, state, &entry).await?;
        Ok(())
    }
}

/// Whether the newest entry about the board is so old that another one is due.
fn is_old(state: &LogState, height: i64) -> bool {
    state.height.is_some_and(|before| height >= before + EVERY)
}

impl Lines {
    fn with(mut self, rows: Vec<LoggableRow>) -> Self {
        for row in rows {
            let line = row_of(&row).line();
            let leaf = leaf(salted(&line, &row.id, &self.key).as_bytes());
            self.leaves.push((row.id.clone(), leaf));
            if row.line.as_ref() != Some(&line) {
                self.changed.push((row.id, line));
            }
        }
        self
    }

    fn tree(mut self) -> Tree {
        // Not by the order of the database, which depends on its locale.
        self.leaves.sort_unstable();
        let mut tree = Tree::default();
        tree.extend(self.leaves.into_iter().map(|(_, leaf)| leaf));
        tree
    }
}

/// The row of a profile in the snapshot's form.
fn row_of(row: &LoggableRow) -> Row {
    let is_range = row.shown_as.is_range();
    let tier_of = |sats| holder_tier(Some(sats)).to_owned();
    Row {
        id: row.id.clone(),
        provider: row.provider.clone(),
        name: row.username.clone(),
        named: row.named == 1,
        shown_as: row.shown_as.as_str().to_owned(),
        sats: row.shown_sats.filter(|_| !is_range),
        tier: row.shown_sats.filter(|_| is_range).map(tier_of),
        published_sats: row.published_sats,
        last_verified: row.shown_verified.map(iso),
        salt: None,
    }
}
