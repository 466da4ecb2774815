//! The job: an entry for each block at which the board has changed.
//!
//! What has changed is worked out beforehand, at leisure; then one transaction holds the state, finds it as it was, and writes rows,
//! tiles, entry and checkpoint. Whoever crosses another replica has written nothing. An entry takes so many rows at most: when more have
//! changed, others follow at once, each of which says that it is not the last.

use std::collections::HashMap;
use std::time::Duration;

use super::error::HistoryError;
use super::room::{History, Walk};
use super::write::{add_entry, count, put_leaves, sign, signer};
use crate::jobs::next::Next;
use board_log::entry::{Entry, Row, Salt, gone_leaf, row_leaf};
use board_log::tree::Hash;
use board_log::units::iso;
use store::changes::{Change, Changes, ShownProfile};
use store::follower::Block;
use store::history::{LogState, LogTx, LoggedRow, Tree};

/// The pause between two looks.
const POLL: Duration = Duration::from_secs(2);

/// How long a replica keeps the work without saying so again, in seconds.
const LEASE: i64 = 15;

/// How many rows an entry takes, and how many are compared at a time.
const ROWS: usize = 1_000;
const PORTION: i64 = ROWS as i64;

/// Rows that are not logged as the board has them.
#[derive(Debug, Default)]
struct Found {
    /// Ids and rows.
    rows: Vec<(String, String)>,
    /// Up to which change everything is logged then.
    changes: i64,
    /// Whether there are more.
    partial: bool,
}

impl History {
    /// Adds an entry when there is something to say.
    ///
    /// # Errors
    /// When the database is behind what was published, or fails.
    pub async fn step(&self) -> Result<Next, HistoryError> {
        let mut walk = self.walk.lock().await;
        let state = self.published.state_in(&self.store).await?;
        let state = state.ok_or(HistoryError::NotBegun)?;
        self.published.keep(&state)?;
        let now = self.clock.now();
        let lease = (self.store).take_lease("log", &self.holder, now, now + LEASE);
        if !lease.await? {
            *walk = None;
            return Ok(Next::After(POLL));
        }
        let Some(block) = self.block_to_log(&state).await? else {
            return Ok(Next::After(POLL));
        };
        let found = self.find(&state, &mut walk).await?;
        let gone = self.store.log_has_gone_slots().await?;
        if found.rows.is_empty() && !gone && !state.partial {
            if !found.partial {
                self.store.note_logged(state.size, found.changes).await?;
            }
            return Ok(next(&found));
        }
        match self.append(&state, &block, &found).await? {
            Some(appended) => {
                self.store.sync().await?;
                self.published.keep(&appended)?;
            }
            None => *walk = None,
        }
        Ok(next(&found))
    }

    /// Gives the work up, so that another replica need not wait.
    ///
    /// # Errors
    /// When the database fails: then it runs out by itself.
    pub async fn stop(&self) -> Result<(), sqlx::Error> {
        self.store.release_leases(&self.holder).await
    }

    /// The block for which there is something to log.
    async fn block_to_log(&self, state: &LogState) -> Result<Option<Block>, HistoryError> {
        let changed = state.partial
            || self.store.newest_change().await? != state.changes
            || self.store.log_has_gone_slots().await?;
        if !changed {
            return Ok(None);
        }
        let cursor = self.store.cursor(self.network).await?;
        let block = cursor.map(|cursor| cursor.block);
        let again = state.partial || self.stands_still;
        Ok(block.filter(|block| again || state.block.as_ref() != Some(&block.hash)))
    }

    async fn find(&self, state: &LogState, walk: &mut Option<Walk>) -> Result<Found, HistoryError> {
        if walk.is_none()
            && state.changes >= 0
            && let Changes::Since(changes, list) = self.store.changes_since(state.changes).await?
        {
            let shown = list.into_iter().filter_map(|change| match change {
                Change::Shown(profile) => Some(profile),
                // The schema has noted its leaf.
                Change::Gone(_) => None,
            });
            let mut rows = self.unlike(shown.collect()).await?;
            let partial = rows.len() > ROWS;
            rows.truncate(ROWS);
            let changes = if partial { state.changes } else { changes };
            return Ok(Found {
                rows,
                changes,
                partial,
            });
        }
        let mut here = match walk.take() {
            Some(walk) => walk,
            None => Walk {
                since: self.store.newest_change().await?,
                after: String::new(),
            },
        };
        let mut found = Found {
            changes: state.changes,
            partial: true,
            ..Found::default()
        };
        while found.partial && found.rows.is_empty() {
            let portion = (self.store)
                .shown_profiles(&here.after, "g", PORTION)
                .await?;
            let more = portion.len() >= ROWS;
            if let Some(last) = portion.last().filter(|_| more) {
                last.id.clone_into(&mut here.after);
            } else {
                found.changes = here.since;
                found.partial = false;
            }
            found.rows = self.unlike(portion).await?;
        }
        *walk = found.partial.then_some(here);
        Ok(found)
    }

    /// Those of these profiles whose rows are not logged like this.
    async fn unlike(
        &self,
        profiles: Vec<ShownProfile>,
    ) -> Result<Vec<(String, String)>, HistoryError> {
        let mut unlike = Vec::new();
        for portion in profiles.chunks(ROWS) {
            let ids: Vec<&str> = portion.iter().map(|it| it.id.as_str()).collect();
            let logged = self.store.logged_rows(&ids).await?;
            let logged: HashMap<String, String> = logged
                .into_iter()
                .map(|row| (row.profile_id, row.logged))
                .collect();
            let rows = portion
                .iter()
                .map(|profile| (profile, row_of(profile).text()));
            let other = rows.filter(|(profile, text)| logged.get(&profile.id) != Some(text));
            unlike.extend(other.map(|(profile, text)| (profile.id.clone(), text)));
        }
        Ok(unlike)
    }

    /// Writes what was found, unless the log has moved since. Answers where it stands then.
    async fn append(
        &self,
        before: &LogState,
        block: &Block,
        found: &Found,
    ) -> Result<Option<LogState>, HistoryError> {
        let mut log = self.store.hold_log().await?;
        if log.state.as_ref() != Some(before) {
            return Ok(None);
        }
        let mut state = before.clone();
        let root = put_rows(&mut log, &mut state, found, self.salt).await?;
        let entry = Entry::Board {
            height: count(block.height)?,
            block: block.hash.clone(),
            at: iso(self.clock.now()),
            rows: count(state.slots)?,
            rows_root: hex::encode(root),
            complete: !found.partial,
        };
        state.board_entry = Some(state.size);
        state.block = Some(block.hash.clone());
        state.changes = found.changes;
        state.partial = found.partial;
        add_entry(&mut log, &mut state, &entry).await?;
        let key = signer(&mut log, &state.origin).await?;
        sign(&mut state, &[&key])?;
        log.put_state(&state).await?;
        log.commit().await?;
        Ok(Some(state))
    }
}

/// The row of a profile as the log has it.
fn row_of(profile: &ShownProfile) -> Row<'_> {
    Row {
        id: &profile.id,
        provider: &profile.provider,
        username: &profile.username,
        shown_as: profile.shown_as.as_str(),
        holdings_sats: profile.shown_sats,
        published_sats: profile.published_sats,
        last_verified: profile.shown_verified.map(iso),
    }
}

/// Brings the tree over the rows to what was found; answers its root.
async fn put_rows(
    log: &mut LogTx,
    state: &mut LogState,
    found: &Found,
    new_salt: fn() -> Salt,
) -> Result<Hash, HistoryError> {
    let gone = log.take_gone_slots().await?;
    let mut leaves: HashMap<i64, Hash> = gone.into_iter().map(|slot| (slot, gone_leaf())).collect();
    let texts: HashMap<&str, &str> = found
        .rows
        .iter()
        .map(|(id, text)| (id.as_str(), text.as_str()))
        .collect();
    let ids: Vec<&str> = found.rows.iter().map(|(id, _)| id.as_str()).collect();
    let mut rows = Vec::new();
    for place in log.places(&ids).await? {
        let slot = place.slot.unwrap_or(state.slots);
        state.slots = state.slots.max(slot + 1);
        let salt = new_salt();
        let logged = texts
            .get(place.id.as_str())
            .copied()
            .unwrap_or_default()
            .to_owned();
        leaves.insert(slot, row_leaf(&salt, &logged));
        rows.push(LoggedRow {
            profile_id: place.id,
            slot,
            salt: hex::encode(salt),
            logged,
        });
    }
    log.put_rows(&rows).await?;
    let mut leaves: Vec<(u64, Hash)> = leaves
        .into_iter()
        .map(|(slot, hash)| Ok((count(slot)?, hash)))
        .collect::<Result<_, HistoryError>>()?;
    leaves.sort_unstable();
    put_leaves(log, Tree::Rows, &leaves, count(state.slots)?).await
}

fn next(found: &Found) -> Next {
    if found.partial {
        Next::AtOnce
    } else {
        Next::After(POLL)
    }
}
