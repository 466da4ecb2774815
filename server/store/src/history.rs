//! The append-only log: its state, entries, tiles and rows (see [`crate::history`]). One transaction writes all of what an entry changes,
//! and holds the row of the state meanwhile.

use sqlx::FromRow;

use super::keys::NEWEST_KEY;
use super::sql::Column;
use super::tx::Tx;
use super::{Database, Store};
use chain::clock::UnixTime;

/// Which tree a tile is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tree {
    /// Over the entries.
    Log,
    /// Over the rows, as of the newest entry about the board.
    Rows,
}

impl Tree {
    fn word(self) -> &'static str {
        match self {
            Self::Log => "log",
            Self::Rows => "rows",
        }
    }
}

/// Where the log stands.
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
    /// The newest entry about the board.
    pub board_entry: Option<i64>,
    /// How many leaves the tree over the rows has.
    pub slots: i64,
    /// Up to which change of the board rows are logged.
    pub changes: i64,
    /// Hash of the block of the newest entry about the board.
    pub block: Option<String>,
    /// Whether more had changed than that entry takes.
    pub partial: bool,
}

/// A tile as it is kept.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct StoredTile {
    pub level: i64,
    pub tile: i64,
    /// Hex, one behind the other.
    pub hashes: String,
}

/// A row as it is logged.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct LoggedRow {
    pub profile_id: String,
    pub slot: i64,
    /// Hex.
    pub salt: String,
    pub logged: String,
}

/// A profile, and its place when it has one.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Place {
    pub id: String,
    pub slot: Option<i64>,
}

/// Where a log ended.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct EndedLog {
    pub number: i64,
    /// The last checkpoint, signed.
    pub checkpoint: String,
    /// The key that signed it; none when the database that had it was lost.
    pub verifier_key: Option<String>,
}

const STATE: &str = "select number, origin, size, root, checkpoint, verifier_key, board_entry, slots, changes, block, partial
    from log_state where id = 1";

impl Store {
    /// Where the log stands; none before it is begun.
    pub async fn log_state(&self) -> Result<Option<LogState>, sqlx::Error> {
        self.query(STATE, &[]).optional().await
    }

    /// Where an earlier log ended.
    pub async fn ended_log(&self, number: i64) -> Result<Option<EndedLog>, sqlx::Error> {
        let ended = "select number, checkpoint, verifier_key from ended_logs where number = $1";
        self.query(ended, &[&number]).optional().await
    }

    /// Whether rows are gone that the log still has.
    pub async fn log_has_gone_slots(&self) -> Result<bool, sqlx::Error> {
        let exists = "select exists (select 1 from log_gone_slots)";
        self.query(exists, &[]).value().await
    }

    /// The rows of these profiles, as they are logged.
    pub async fn logged_rows(&self, ids: &[&str]) -> Result<Vec<LoggedRow>, sqlx::Error> {
        let rows =
            "select profile_id, slot, salt, logged from log_rows where profile_id in ($list)";
        self.query(rows, &[]).list(ids).all().await
    }

    /// Up to `count` entries, from this one on.
    pub async fn log_entries(&self, first: i64, count: i64) -> Result<Vec<String>, sqlx::Error> {
        let entries = "select entry from log_entries where number >= $1 order by number limit $2";
        self.query(entries, &[&first, &count]).column().await
    }

    /// Tiles at these places, those that are there.
    pub async fn log_tiles(
        &self,
        tree: Tree,
        levels: Vec<i64>,
        tiles: Vec<i64>,
    ) -> Result<Vec<StoredTile>, sqlx::Error> {
        self.query(TILES, &[&tree.word()])
            .rows(places(levels, tiles))
            .all()
            .await
    }

    /// The notes that announce new keys, oldest first.
    pub async fn log_rotations(&self) -> Result<Vec<String>, sqlx::Error> {
        let notes = "select note from log_rotations order by number";
        self.query(notes, &[]).column().await
    }

    /// Notes that everything up to this change is logged, because none of it was to be seen. False when the log has moved meanwhile.
    pub async fn note_logged(&self, size: i64, changes: i64) -> Result<bool, sqlx::Error> {
        let note = "update log_state set changes = $2 where id = 1 and size = $1 and not partial";
        let noted = self.query(note, &[&size, &changes]).execute().await?;
        Ok(noted == 1)
    }

    /// Has SQLite write to the disk what is committed, which it may otherwise leave for later. PostgreSQL always does.
    pub async fn sync(&self) -> Result<(), sqlx::Error> {
        if let Database::Sqlite(_) = self.database {
            let sync = "pragma wal_checkpoint(passive)";
            self.query(sync, &[]).execute().await?;
        }
        Ok(())
    }

    /// Begins to write, alone until it is done.
    pub async fn hold_log(&self) -> Result<LogTx, sqlx::Error> {
        let mut tx = self.begin().await?;
        // SQLite has one writer at a time anyway.
        let state = if tx.is_postgres() {
            let lock = "select id from log_state where id = 1 for update";
            tx.query(lock, &[]).scalar::<i32>().await?;
            tx.query(STATE, &[]).optional().await?
        } else {
            tx.query(STATE, &[]).optional().await?
        };
        Ok(LogTx { tx, state })
    }
}

/// A change of the log that has begun. Without [`LogTx::commit`] it has never been.
pub struct LogTx {
    tx: Tx,
    /// Where the log stands; nobody else moves it.
    pub state: Option<LogState>,
}

impl std::fmt::Debug for LogTx {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("LogTx").field(&self.state).finish()
    }
}

const TILES: &str = "select log_tiles.level, log_tiles.tile, log_tiles.hashes from $rows
    join log_tiles on log_tiles.tree = $1 and log_tiles.level = given.level and log_tiles.tile = given.tile";

fn places<'c>(levels: Vec<i64>, tiles: Vec<i64>) -> [(&'static str, Column<'c>); 2] {
    [
        ("level", Column::Integers(levels)),
        ("tile", Column::Integers(tiles)),
    ]
}

impl LogTx {
    /// The key that signs, as it is stored.
    pub async fn key(&mut self, purpose: &str) -> Result<Option<String>, sqlx::Error> {
        self.tx.query(NEWEST_KEY, &[&purpose]).scalar().await
    }

    /// Puts a key in the place of those that were there.
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

    /// Leaves whose row is gone, which are not asked for again.
    pub async fn take_gone_slots(&mut self) -> Result<Vec<i64>, sqlx::Error> {
        let take = "delete from log_gone_slots returning slot";
        self.tx.query(take, &[]).column().await
    }

    /// Those of these profiles that there still are, which stay until this is done.
    pub async fn places(&mut self, ids: &[&str]) -> Result<Vec<Place>, sqlx::Error> {
        if self.tx.is_postgres() {
            let keep = "select id from profiles where id in ($list) order by id for key share";
            self.tx
                .query(keep, &[])
                .list(ids)
                .column::<String>()
                .await?;
        }
        let places = "select profiles.id, log_rows.slot from profiles left join log_rows on log_rows.profile_id = profiles.id
            where profiles.id in ($list) order by profiles.id";
        self.tx.query(places, &[]).list(ids).all().await
    }

    /// Puts rows into their places.
    pub async fn put_rows(&mut self, rows: &[LoggedRow]) -> Result<(), sqlx::Error> {
        // The `where` keeps SQLite from taking the conflict for a part of a join.
        let put = "insert into log_rows (profile_id, slot, salt, logged)
            select profile_id, slot, salt, logged from $rows where true
            on conflict (profile_id) do update set salt = excluded.salt, logged = excluded.logged";
        let texts = |text: fn(&LoggedRow) -> &str| Column::Texts(rows.iter().map(text).collect());
        let columns = [
            ("profile_id", texts(|row| &row.profile_id)),
            (
                "slot",
                Column::Integers(rows.iter().map(|row| row.slot).collect()),
            ),
            ("salt", texts(|row| &row.salt)),
            ("logged", texts(|row| &row.logged)),
        ];
        self.tx.query(put, &[]).rows(columns).run().await
    }

    /// Tiles at these places, those that are there.
    pub async fn tiles(
        &mut self,
        tree: Tree,
        levels: Vec<i64>,
        tiles: Vec<i64>,
    ) -> Result<Vec<StoredTile>, sqlx::Error> {
        let word = tree.word();
        self.tx
            .query(TILES, &[&word])
            .rows(places(levels, tiles))
            .all()
            .await
    }

    /// Puts tiles into their places.
    pub async fn put_tiles(&mut self, tree: Tree, tiles: &[StoredTile]) -> Result<(), sqlx::Error> {
        let put = "insert into log_tiles (tree, level, tile, hashes)
            select $1, level, tile, hashes from $rows where true
            on conflict (tree, level, tile) do update set hashes = excluded.hashes";
        let columns = [
            (
                "level",
                Column::Integers(tiles.iter().map(|it| it.level).collect()),
            ),
            (
                "tile",
                Column::Integers(tiles.iter().map(|it| it.tile).collect()),
            ),
            (
                "hashes",
                Column::Texts(tiles.iter().map(|it| it.hashes.as_str()).collect()),
            ),
        ];
        let word = tree.word();
        self.tx.query(put, &[&word]).rows(columns).run().await
    }

    /// Adds an entry.
    pub async fn put_entry(&mut self, number: i64, entry: &str) -> Result<(), sqlx::Error> {
        let put = "insert into log_entries (number, entry) values ($1, $2)";
        self.tx.query(put, &[&number, &entry]).run().await
    }

    /// Adds a note that announces a new key.
    pub async fn put_rotation(&mut self, number: i64, note: &str) -> Result<(), sqlx::Error> {
        let put = "insert into log_rotations (number, note) values ($1, $2)";
        self.tx.query(put, &[&number, &note]).run().await
    }

    /// Keeps where a log ended.
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

    /// Forgets everything of the log but its state.
    pub async fn forget_all(&mut self) -> Result<(), sqlx::Error> {
        for table in [
            "delete from log_entries",
            "delete from log_tiles",
            "delete from log_rows",
            "delete from log_gone_slots",
            "delete from log_rotations",
        ] {
            self.tx.query(table, &[]).run().await?;
        }
        Ok(())
    }

    /// Says where the log stands now. False when somebody else has begun it at the same moment.
    pub async fn put_state(&mut self, state: &LogState) -> Result<bool, sqlx::Error> {
        let insert = "insert into log_state
              (id, number, origin, size, root, checkpoint, verifier_key, board_entry, slots, changes, block, partial)
            values (1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (id) do nothing";
        let update = "update log_state set number = $1, origin = $2, size = $3, root = $4, checkpoint = $5, verifier_key = $6,
              board_entry = $7, slots = $8, changes = $9, block = $10, partial = $11 where id = 1";
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
                &state.board_entry,
                &state.slots,
                &state.changes,
                &state.block,
                &state.partial,
            ],
        );
        Ok(put.execute().await? == 1)
    }

    /// Lets everybody see it.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        self.tx.commit().await
    }
}
