//! The append-only logs: entries and tiles of each, and of the current one its state and the lines of its newest snapshot.
//!
//! One transaction writes an entry (`log_state`, `log_next_lines`), a later one publishes it (`log_published`, `log_lines`): witnesses are
//! asked in between. Both lock the row of the state.

use serde_json::json;
use sqlx::FromRow;

use super::follower::Block;
use super::keys::NEWEST_KEY;
use super::shown_as::ShownAs;
use super::sql::Statement;
use super::tx::Tx;
use super::{Database, Store};
use board_log::snapshot::{SaltKey, salted};
use board_log::tree::leaf;
use chain::clock::UnixTime;

/// The most lines that one statement writes.
const LINES: usize = 1_000;

#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct LogState {
    pub number: i64,
    pub origin: String,
    /// How many entries there are.
    pub size: i64,
    /// The root over them, hex.
    pub root: String,
    /// The newest checkpoint, signed.
    pub checkpoint: String,
    pub verifier_key: String,
    /// The format of its entries; a current server ends logs of format 1 when it starts.
    pub format: i64,
    /// The newest entry about the board.
    pub board_entry: Option<i64>,
    /// The number of the newest change of the board that is logged.
    pub changes: i64,
    /// The block of the newest entry about the board.
    pub height: Option<i64>,
    pub block: Option<String>,
    /// The key that the salts of that entry's rows derive from, hex.
    pub salt_key: Option<String>,
    /// How many rows have been withdrawn since that entry.
    pub withdrawn: i64,
    /// The number of the newest entry about the files of the verify page.
    pub page: Option<i64>,
}

#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct StoredTile {
    pub level: i64,
    pub tile: i64,
    /// Hex, concatenated.
    pub hashes: String,
}

/// A row of the newest snapshot: its line without a salt, or its leaf hash (hex) once it is withdrawn.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct LogLine {
    pub profile_id: String,
    pub line: Option<String>,
    pub withdrawn: Option<String>,
}

/// A profile's public data, with its line in the newest snapshot.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct LoggableRow {
    pub id: String,
    pub provider: String,
    pub username: String,
    pub named: bool,
    pub shown_as: ShownAs,
    pub shown_sats: Option<i64>,
    pub published_sats: Option<i64>,
    pub shown_verified: Option<UnixTime>,
    pub line: Option<String>,
}

#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct EndedLog {
    pub number: i64,
    /// The last checkpoint, signed.
    pub checkpoint: String,
    /// The key that signed it; `None` when its database was lost.
    pub verifier_key: Option<String>,
}

impl LogState {
    /// Whether both are the same log with the same entries.
    #[must_use]
    pub fn is_same_size(&self, other: &Self) -> bool {
        (self.number, self.size) == (other.number, other.size)
    }

    /// Whether both have the same newest entry about the board, and so the same snapshot.
    fn has_same_snapshot(&self, other: &Self) -> bool {
        (self.number, self.board_entry) == (other.number, other.board_entry)
    }
}

const STATE: &str = "select number, origin, size, root, checkpoint, verifier_key, format, board_entry, changes, height, block, salt_key,
      withdrawn, page from log_state where id = 1";

const PUBLISHED: &str = "select number, origin, size, root, checkpoint, verifier_key, format, board_entry, changes, height, block, salt_key,
      withdrawn, page from log_published where id = 1";

/// How many characters of an id are kept for a withdrawn row, if no other row begins with the same ones: the time in a UUID, which gives
/// the position of the row.
const PREFIXES: [usize; 3] = [13, 18, 23];

impl Store {
    /// The state of the log; `None` before it is begun.
    pub async fn log_state(&self) -> Result<Option<LogState>, sqlx::Error> {
        self.query(STATE, &[]).optional().await
    }

    /// The published state of the log; `None` before it is begun.
    pub async fn published_log(&self) -> Result<Option<LogState>, sqlx::Error> {
        self.query(PUBLISHED, &[]).optional().await
    }

    /// The witness that has seen another history of the log, if any.
    pub async fn log_forked(&self) -> Result<Option<String>, sqlx::Error> {
        let forked = "select forked from log_state where id = 1 and forked is not null";
        self.query(forked, &[]).scalar().await
    }

    /// Stores which witness has seen another history of the log, or that none has.
    pub async fn set_log_forked(&self, witness: Option<&str>) -> Result<(), sqlx::Error> {
        let witness = witness.map(ToOwned::to_owned);
        let set = "update log_state set forked = $1 where id = 1";
        self.query(set, &[&witness]).run().await
    }

    /// The end of an earlier log.
    pub async fn ended_log(&self, number: i64) -> Result<Option<EndedLog>, sqlx::Error> {
        let ended = "select number, checkpoint, verifier_key from ended_logs where number = $1";
        self.query(ended, &[&number]).optional().await
    }

    /// The rows of the published snapshot, in any order: a database's order depends on its locale.
    pub async fn log_lines(&self) -> Result<Vec<LogLine>, sqlx::Error> {
        let lines = "select profile_id, line, withdrawn from log_lines";
        self.query(lines, &[]).all().await
    }

    /// The line of this profile in the published snapshot; `None` when there is none, or it is withdrawn.
    pub async fn log_line(&self, profile_id: &str) -> Result<Option<String>, sqlx::Error> {
        let line = "select line from log_lines where profile_id = $1 and line is not null";
        self.query(line, &[&profile_id]).scalar().await
    }

    /// Up to `count` entries of a log, from this one on.
    pub async fn log_entries(
        &self,
        log: i64,
        first: i64,
        count: i64,
    ) -> Result<Vec<String>, sqlx::Error> {
        let entries = "select entry from log_entries where log = $1 and number >= $2 order by number limit $3";
        self.query(entries, &[&log, &first, &count]).column().await
    }

    /// The tiles that exist at these positions.
    pub async fn log_tiles(
        &self,
        log: i64,
        levels: Vec<i64>,
        tiles: Vec<i64>,
    ) -> Result<Vec<StoredTile>, sqlx::Error> {
        self::tiles(self.query(TILES, &[&log]), levels, tiles).await
    }

    /// The notes that announce new keys of a log, oldest first.
    pub async fn log_rotations(&self, log: i64) -> Result<Vec<String>, sqlx::Error> {
        let notes = "select note from log_rotations where log = $1 order by number";
        self.query(notes, &[&log]).column().await
    }

    /// Stores that everything up to this change is logged, because none of it was visible. False when the log has changed in between.
    pub async fn note_logged(&self, size: i64, changes: i64) -> Result<bool, sqlx::Error> {
        let note = "update log_state set changes = $2 where id = 1 and size = $1";
        self.query(note, &[&size, &changes]).has_changed().await
    }

    /// Makes SQLite sync commits to disk, which it may otherwise delay. PostgreSQL always does.
    pub async fn sync(&self) -> Result<(), sqlx::Error> {
        if let Database::Sqlite(_) = self.database {
            let sync = "pragma wal_checkpoint(passive)";
            self.query(sync, &[]).run().await?;
        }
        Ok(())
    }

    /// Begins to write, with an exclusive lock.
    pub async fn hold_log(&self) -> Result<LogTx, sqlx::Error> {
        let mut tx = self.begin().await?;
        tx.lock_log_state().await?;
        let state = tx.query(STATE, &[]).optional().await?;
        let published = tx.query(PUBLISHED, &[]).optional().await?;
        Ok(LogTx {
            tx,
            state,
            published,
        })
    }
}

/// A transaction that changes the log. Without [`LogTx::commit`] it changes nothing.
pub struct LogTx {
    tx: Tx,
    /// The state of the log, locked.
    pub state: Option<LogState>,
    /// The published state.
    pub published: Option<LogState>,
}

impl std::fmt::Debug for LogTx {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("LogTx").field(&self.state).finish()
    }
}

const TILES: &str = "select log_tiles.level, log_tiles.tile, log_tiles.hashes from $rows
    join log_tiles on log_tiles.log = $1 and log_tiles.level = given.level and log_tiles.tile = given.tile";

/// Reads the tiles that exist at these positions.
async fn tiles(
    query: Statement<'_>,
    levels: Vec<i64>,
    tiles: Vec<i64>,
) -> Result<Vec<StoredTile>, sqlx::Error> {
    let positions = levels.into_iter().zip(tiles);
    let positions = positions.map(|(level, tile)| json!({"level": level, "tile": tile}));
    let query = query.rows("level bigint, tile bigint", positions.collect());
    query.all().await
}

impl LogTx {
    /// The signing key, as it is stored.
    pub async fn key(&mut self, purpose: &str) -> Result<Option<String>, sqlx::Error> {
        self.tx.query(NEWEST_KEY, &[&purpose]).scalar().await
    }

    /// Replaces the keys with this one.
    pub async fn put_key(
        &mut self,
        purpose: &str,
        material: &str,
        now: UnixTime,
    ) -> Result<(), sqlx::Error> {
        let delete = "delete from server_keys where purpose = $1";
        self.tx.query(delete, &[&purpose]).run().await?;
        let insert =
            "insert into server_keys (id, purpose, material, created_at) values ($1, $1, $2, $3)";
        self.tx
            .query(insert, &[&purpose, &material, &now])
            .run()
            .await
    }

    /// The block of the cursor, which is locked until the transaction ends.
    pub async fn cursor(&mut self, network: &str) -> Result<Option<Block>, sqlx::Error> {
        let cursor = "select height, hash from chain_cursor where network = $1";
        let cursor = self.tx.query(cursor, &[&network]);
        cursor.locking("for share").optional().await
    }

    /// All rows as the board shows them now. An account that is set aside counts nothing (decisions, D20).
    pub async fn rows(&mut self) -> Result<Vec<LoggableRow>, sqlx::Error> {
        let rows = "select id, provider, username, named, shown_as,
              case when id in (select user_id from accounts_set_aside) then null else shown_sats end as shown_sats,
              case when id in (select user_id from accounts_set_aside) then null else published_sats end as published_sats,
              shown_verified, line
            from profiles left join log_lines on log_lines.profile_id = profiles.id";
        self.tx.query(rows, &[]).all().await
    }

    /// Removes the lines of deleted profiles from the next snapshot. Returns their number.
    pub async fn drop_gone_lines(&mut self) -> Result<u64, sqlx::Error> {
        let gone = "insert into log_next_lines (profile_id)
            select profile_id from log_lines where line is not null and profile_id not in (select id from profiles)";
        self.tx.query(gone, &[]).execute().await
    }

    /// Writes these lines of profiles into the next snapshot.
    pub async fn put_lines(&mut self, lines: &[(String, String)]) -> Result<(), sqlx::Error> {
        let put =
            "insert into log_next_lines (profile_id, line) select profile_id, line from $rows";
        for lines in lines.chunks(LINES) {
            let rows = lines.iter();
            let rows = rows.map(|(id, line)| json!({"profile_id": id, "line": line}));
            let put = self.tx.query(put, &[]);
            put.rows("profile_id text, line text", rows.collect())
                .run()
                .await?;
        }
        Ok(())
    }

    /// The tiles that exist at these positions.
    pub async fn tiles(
        &mut self,
        log: i64,
        levels: Vec<i64>,
        tiles: Vec<i64>,
    ) -> Result<Vec<StoredTile>, sqlx::Error> {
        self::tiles(self.tx.query(TILES, &[&log]), levels, tiles).await
    }

    pub async fn put_tiles(&mut self, log: i64, tiles: &[StoredTile]) -> Result<(), sqlx::Error> {
        let put = "insert into log_tiles (log, level, tile, hashes)
            select $1, level, tile, hashes from $rows where true
            on conflict (log, level, tile) do update set hashes = excluded.hashes";
        let rows = tiles.iter();
        let rows = rows.map(|it| json!({"level": it.level, "tile": it.tile, "hashes": it.hashes}));
        let put = self.tx.query(put, &[&log]);
        put.rows("level bigint, tile bigint, hashes text", rows.collect())
            .run()
            .await
    }

    /// Adds an entry.
    pub async fn put_entry(
        &mut self,
        log: i64,
        number: i64,
        entry: &str,
    ) -> Result<(), sqlx::Error> {
        let put = "insert into log_entries (log, number, entry) values ($1, $2, $3)";
        self.tx.query(put, &[&log, &number, &entry]).run().await
    }

    /// Adds a note that announces a new key.
    pub async fn put_rotation(
        &mut self,
        log: i64,
        number: i64,
        note: &str,
    ) -> Result<(), sqlx::Error> {
        let put = "insert into log_rotations (log, number, note) values ($1, $2, $3)";
        self.tx.query(put, &[&log, &number, &note]).run().await
    }

    /// Stores the end of a log.
    pub async fn put_ended(&mut self, ended: &EndedLog) -> Result<(), sqlx::Error> {
        let put = "insert into ended_logs (number, checkpoint, verifier_key) values ($1, $2, $3)
            on conflict (number) do nothing";
        let EndedLog {
            number,
            checkpoint,
            verifier_key,
        } = ended;
        self.tx
            .query(put, &[number, checkpoint, verifier_key])
            .run()
            .await
    }

    /// Publishes the current state of the log, with this checkpoint.
    pub async fn publish(&mut self, state: &LogState, checkpoint: &str) -> Result<(), sqlx::Error> {
        let same_log = |it: &&LogState| it.number == state.number;
        match self.published.as_ref().filter(same_log) {
            None => {
                self.tx.query("delete from log_lines", &[]).run().await?;
                self.tx
                    .query("delete from log_next_lines", &[])
                    .run()
                    .await?;
                // Another log: the earlier one's alarm is over.
                let unforked = "update log_state set forked = null";
                self.tx.query(unforked, &[]).run().await?;
            }
            Some(before) if !before.has_same_snapshot(state) => self.take_next_lines().await?,
            Some(_) => {}
        }
        self.tx
            .query("delete from log_published", &[])
            .run()
            .await?;
        let publish = "insert into log_published
              (id, number, origin, size, root, checkpoint, verifier_key, format, board_entry, changes, height, block, salt_key, withdrawn, page)
            select id, number, origin, size, root, $1, verifier_key, format, board_entry, changes, height, block, salt_key, withdrawn, page
            from log_state";
        self.tx.query(publish, &[&checkpoint]).run().await?;
        self.published = Some(state.clone());
        Ok(())
    }

    /// Replaces the published snapshot with the next one.
    async fn take_next_lines(&mut self) -> Result<(), sqlx::Error> {
        for change in [
            "delete from log_lines where withdrawn is not null or profile_id in (select profile_id from log_next_lines)",
            "insert into log_lines (profile_id, line, withdrawn)
                select profile_id, line, withdrawn from log_next_lines where line is not null or withdrawn is not null",
            "delete from log_next_lines",
        ] {
            self.tx.query(change, &[]).run().await?;
        }
        Ok(())
    }

    /// Stores the state of the log. False when another replica has begun the log at the same moment.
    pub async fn put_state(&mut self, state: &LogState) -> Result<bool, sqlx::Error> {
        let insert = "insert into log_state
              (id, number, origin, size, root, checkpoint, verifier_key, format, board_entry, changes, height, block, salt_key, withdrawn, page)
            values (1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict (id) do nothing";
        let update = "update log_state set number = $1, origin = $2, size = $3, root = $4, checkpoint = $5, verifier_key = $6, format = $7,
              board_entry = $8, changes = $9, height = $10, block = $11, salt_key = $12, withdrawn = $13, page = $14 where id = 1";
        let put = if self.state.is_some() { update } else { insert };
        let put = self.tx.query(
            put,
            &[
                &state.number,
                &state.origin,
                &state.size,
                &state.root,
                &state.checkpoint,
                &state.verifier_key,
                &state.format,
                &state.board_entry,
                &state.changes,
                &state.height,
                &state.block,
                &state.salt_key,
                &state.withdrawn,
                &state.page,
            ],
        );
        put.has_changed().await
    }

    /// Lets everybody see it.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        self.tx.commit().await
    }
}

/// The secrets that the salts of the published and of the next snapshot derive from. They are the same when nothing waits to be published.
#[derive(FromRow)]
struct SaltKeys {
    published: Option<String>,
    next: Option<String>,
}

impl Tx {
    /// Withdraws a profile's row from the published snapshot and from the next one, which have its leaf hash after the commit. With
    /// `only_exact` only where the exact total is shown. Comes first in a transaction: appending locks the state, the cursor and then rows.
    pub(super) async fn withdraw_line(
        &mut self,
        profile_id: &str,
        only_exact: bool,
    ) -> Result<(), sqlx::Error> {
        self.lock_log_state().await?;
        let keys = "select log_published.salt_key as published, log_state.salt_key as next
            from log_state join log_published on log_published.id = log_state.id";
        let Some(keys): Option<SaltKeys> = self.query(keys, &[]).optional().await? else {
            return Ok(());
        };
        let line = "select line from log_lines where profile_id = $1 and line is not null";
        let line: Option<String> = self.query(line, &[&profile_id]).scalar().await?;
        let next = "select profile_id, line, withdrawn from log_next_lines where profile_id = $1";
        let next: Option<LogLine> = self.query(next, &[&profile_id]).optional().await?;
        let next = next.map_or_else(|| line.clone(), |next| next.line);
        let applies = |line: &String| !only_exact || line.contains("\"shown_as\":\"exact\"");
        let stays = line.as_ref().is_some_and(|line| !applies(line));
        let line = line.filter(applies);
        let next = next.filter(|line| applies(line) && keys.next != keys.published);
        if line.is_none() && next.is_none() {
            return Ok(());
        }
        let prefix = self.prefix_of(profile_id).await?;
        if let Some(leaf) = leaf_of(next.as_deref(), profile_id, keys.next.as_deref())? {
            let forget = "delete from log_next_lines where profile_id = $1";
            self.query(forget, &[&profile_id]).run().await?;
            if stays {
                let gone = "insert into log_next_lines (profile_id) values ($1)";
                self.query(gone, &[&profile_id]).run().await?;
            }
            let put = "insert into log_next_lines (profile_id, withdrawn) values ($1, $2)
                on conflict (profile_id) do update set withdrawn = excluded.withdrawn";
            self.query(put, &[&prefix, &leaf]).run().await?;
        }
        if let Some(leaf) = leaf_of(line.as_deref(), profile_id, keys.published.as_deref())? {
            let withdraw = "update log_lines set profile_id = $2, line = null, withdrawn = $3 where profile_id = $1";
            self.query(withdraw, &[&profile_id, &prefix, &leaf])
                .run()
                .await?;
        }
        for count in [
            "update log_state set withdrawn = withdrawn + 1 where id = 1",
            "update log_published set withdrawn = withdrawn + 1 where id = 1",
        ] {
            self.query(count, &[]).run().await?;
        }
        Ok(())
    }

    async fn lock_log_state(&mut self) -> Result<(), sqlx::Error> {
        let lock = self.query("select size from log_state where id = 1", &[]);
        lock.locking("for update").scalar::<i64>().await?;
        Ok(())
    }

    /// The shortest part of an id that gives the position of its row.
    async fn prefix_of(&mut self, profile_id: &str) -> Result<String, sqlx::Error> {
        for length in PREFIXES {
            let Some(prefix) = profile_id.get(..length) else {
                break;
            };
            let length = i64::try_from(length).unwrap_or(i64::MAX);
            let other = "select profile_id from log_lines where substr(profile_id, 1, cast($2 as integer)) = $1 and profile_id <> $3
                union all
                select profile_id from log_next_lines where substr(profile_id, 1, cast($2 as integer)) = $1 and profile_id <> $3 limit 1";
            let other = self.query(other, &[&prefix, &length, &profile_id]);
            if other.scalar::<String>().await?.is_none() {
                return Ok(prefix.to_owned());
            }
        }
        Ok(profile_id.to_owned())
    }
}

/// The leaf hash of a row with its salt, hex.
fn leaf_of(
    line: Option<&str>,
    profile_id: &str,
    key: Option<&str>,
) -> Result<Option<String>, sqlx::Error> {
    let (Some(line), Some(key)) = (line, key) else {
        return Ok(None);
    };
    let mut bytes = SaltKey::default();
    hex::decode_to_slice(key, &mut bytes).map_err(|error| sqlx::Error::Decode(error.into()))?;
    let line = salted(line, profile_id, &bytes);
    Ok(Some(hex::encode(leaf(line.as_bytes()))))
}
