//! The append-only log: its entries, its state and the lines of its newest snapshot.
//!
//! One transaction writes an entry (`log_state`, `log_next_lines`), a later one issues it (`log_issued`, `log_lines`): witnesses are
//! asked in between. Both lock the row of the state.

use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, Type};

use super::shown_as::ShownAs;
use super::{Database, Store};
use chain::clock::UnixTime;

mod withdraw;
mod write;

pub use write::LogTx;

#[derive(Clone, Debug, Default, FromRow, PartialEq, Eq, Serialize)]
pub struct LogState {
    pub number: i64,
    pub origin: String,
    /// How many entries there are.
    pub size: i64,
    /// The newest checkpoint, signed.
    pub checkpoint: String,
    pub verifier_key: String,
    /// The newest entry about the board.
    pub board_entry: Option<i64>,
    /// The number of the newest change of the board that is in the log.
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
    /// Whether `restore-log` has written the newest entries.
    pub restored: Restored,
}

/// Whether entries were put back into a restored database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum Restored {
    #[default]
    No,
    /// They were, and no witness has been asked yet whether it knows more.
    Unconfirmed,
    /// They were, and the next entry waits for the chain.
    Waiting,
}

/// A row of the newest snapshot: its line without a salt, or its leaf hash (hex) once it is withdrawn.
#[derive(Clone, Debug, Deserialize, FromRow, PartialEq, Eq)]
pub struct LogLine {
    pub profile_id: String,
    pub line: Option<String>,
    pub withdrawn: Option<String>,
}

/// A profile's public data.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct LoggableRow {
    pub id: String,
    pub provider: String,
    pub username: String,
    /// 1 when the provider gave the name, 0 for a default one: SQLite has no booleans.
    pub named: u8,
    pub shown_as: ShownAs,
    pub shown_sats: Option<i64>,
    pub published_sats: Option<i64>,
    pub shown_verified: Option<UnixTime>,
    /// Its line in the issued snapshot, unless it is withdrawn.
    pub line: Option<String>,
}

/// The newest checkpoint of a log; the last one of an earlier log.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct LogHead {
    pub number: i64,
    /// Signed.
    pub checkpoint: String,
    /// The key that signed it.
    pub verifier_key: String,
}

impl LogState {
    /// Whether both are the same log with the same entries.
    pub fn is_same_size(&self, other: &Self) -> bool {
        (self.number, self.size) == (other.number, other.size)
    }

    /// Whether both have the same newest entry about the board, and so the same snapshot.
    fn has_same_snapshot(&self, other: &Self) -> bool {
        (self.number, self.board_entry) == (other.number, other.board_entry)
    }
}

const STATE: &str = "select * from log_state where id = 1";
const ENTRIES: &str =
    "select entry from log_entries where log = $1 and number >= $2 order by number limit $3";

const ISSUED: &str = "select * from log_issued where id = 1";

impl Store {
    /// The state of the log; `None` before it is begun.
    pub async fn log_state(&self) -> sqlx::Result<Option<LogState>> {
        self.query(STATE, &[]).optional().await
    }

    /// The state of the log that was issued; `None` before it is begun.
    pub async fn issued_log(&self) -> sqlx::Result<Option<LogState>> {
        self.query(ISSUED, &[]).optional().await
    }

    /// Which history of its server this database continues: the timeline of PostgreSQL, of which a promoted standby begins the next. `None` on SQLite,
    /// and where PostgreSQL does not say.
    pub async fn timeline(&self) -> Option<String> {
        let Database::Postgres(_) = &self.database else {
            return None;
        };
        let timeline = "select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)";
        self.query(timeline, &[]).value().await.ok()
    }

    /// Who has seen another history of the log, if anyone: a witness.
    pub async fn log_forked(&self) -> sqlx::Result<Option<String>> {
        let forked = "select forked from log_state where id = 1 and forked is not null";
        self.query(forked, &[]).scalar().await
    }

    /// Stores who has seen another history of the log, or that nobody has.
    pub async fn set_log_forked(&self, witness: Option<&str>) -> sqlx::Result<()> {
        let witness = witness.map(ToOwned::to_owned);
        let set = "update log_state set forked = $1 where id = 1";
        self.query(set, &[&witness]).run().await
    }

    /// The last checkpoint and key of each earlier log, oldest first.
    pub async fn ended_logs(&self) -> sqlx::Result<Vec<LogHead>> {
        let all = "select * from ended_logs order by number";
        self.query(all, &[]).all().await
    }

    /// The last checkpoint and key of an earlier log.
    pub async fn ended_log(&self, number: i64) -> sqlx::Result<Option<LogHead>> {
        let ended = "select * from ended_logs where number = $1";
        self.query(ended, &[&number]).optional().await
    }

    /// The rows of the issued snapshot, in any order: a database's order depends on its locale.
    pub async fn log_lines(&self) -> sqlx::Result<Vec<LogLine>> {
        let lines = "select $portion from log_lines group by substr(profile_id, 35)";
        let lines = self.query(lines, &[]);
        let lines = lines.portions("profile_id, line, withdrawn")?;
        lines.try_concat().await
    }

    /// The line of this profile in the issued snapshot; `None` when there is none, or it is withdrawn.
    pub async fn log_line(&self, profile_id: &str) -> sqlx::Result<Option<String>> {
        let line = "select line from log_lines where profile_id = $1 and line is not null";
        self.query(line, &[&profile_id]).scalar().await
    }

    /// Up to `count` entries of a log, from this one on.
    pub async fn log_entries(&self, log: i64, first: i64, count: i64) -> sqlx::Result<Vec<String>> {
        self.query(ENTRIES, &[&log, &first, &count]).column().await
    }

    /// The notes that announce new keys in the first `size` entries of a log, oldest first.
    pub async fn log_rotations(&self, log: i64, size: i64) -> sqlx::Result<Vec<String>> {
        let notes = "select note from log_rotations where log = $1 and number < $2 order by number";
        self.query(notes, &[&log, &size]).column().await
    }

    /// Stores that everything up to this change is logged, because none of it was visible, unless the log has changed in between.
    pub async fn note_logged(&self, size: i64, changes: i64) -> sqlx::Result<()> {
        let note = "update log_state set changes = $2 where id = 1 and size = $1";
        self.query(note, &[&size, &changes]).run().await
    }
}
