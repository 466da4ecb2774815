//! Writes to the log.

use futures_util::stream::BoxStream;
use serde_json::json;

use super::{ENTRIES, ISSUED, LogHead, LogState, LoggableRow, STATE};
use crate::Store;
use crate::chain_cursor::Block;
use crate::keys::NEWEST_KEY;
use crate::sql::Value;
use crate::tx::Tx;
use chain::clock::UnixTime;

/// How many numbers of changes there are for each second since 1970: more than changes can be made, and so few that JSON has all of them exactly
/// until 2242.
const NUMBERS_A_SECOND: i64 = 1 << 20;

/// The most lines that one statement writes.
const LINES: usize = 1_000;

const ISSUE: &str = "insert into log_issued
          (id, number, origin, size, checkpoint, verifier_key, board_entry, changes, height, block, salt_key, withdrawn, page, restored)
        select id, number, origin, size, $1, verifier_key, board_entry, changes, height, block, salt_key, withdrawn, page, restored
        from log_state";

/// A transaction that changes the log. Without [`LogTx::commit`] it changes nothing.
pub struct LogTx {
    tx: Tx,
    /// The state of the log, locked.
    pub state: Option<LogState>,
    /// The state that was issued, which visitors see. It lags while witnesses are asked.
    pub issued: Option<LogState>,
}

impl Store {
    /// Begins to write, with an exclusive lock.
    pub async fn hold_log(&self) -> sqlx::Result<LogTx> {
        let mut tx = self.begin().await?;
        tx.lock_log_state().await?;
        let state = tx.query(STATE, &[]).optional().await?;
        let issued = tx.query(ISSUED, &[]).optional().await?;
        Ok(LogTx { tx, state, issued })
    }
}

impl LogTx {
    /// The signing key, as it is stored.
    pub async fn key(&mut self, purpose: &str) -> sqlx::Result<Option<String>> {
        self.tx.query(NEWEST_KEY, &[&purpose]).scalar().await
    }

    /// Replaces the keys with this one.
    pub async fn put_key(
        &mut self,
        purpose: &str,
        material: &str,
        now: UnixTime,
    ) -> sqlx::Result<()> {
        let delete = "delete from server_keys where purpose = $1";
        self.tx.query(delete, &[&purpose]).run().await?;
        let insert =
            "insert into server_keys (id, purpose, material, created_at) values ($1, $1, $2, $3)";
        self.tx
            .query(insert, &[&purpose, &material, &now])
            .run()
            .await
    }

    /// As [`Store::log_entries`].
    pub async fn entries(&mut self, log: i64, first: i64, count: i64) -> sqlx::Result<Vec<String>> {
        let values: [&dyn Value; 3] = [&log, &first, &count];
        self.tx.query(ENTRIES, &values).column().await
    }

    /// The block of the cursor, which is locked until the transaction ends.
    pub async fn cursor(&mut self, network: &str) -> sqlx::Result<Option<Block>> {
        let cursor = "select height, hash from chain_cursor where network = $1";
        let cursor = self.tx.query(cursor, &[&network]);
        cursor.locking("for share").optional().await
    }

    /// All rows as the board shows them now, in portions: those with the same end of a UUID. An account that is set aside counts nothing
    /// (decisions, D20).
    pub fn rows(&mut self) -> sqlx::Result<BoxStream<'_, sqlx::Result<Vec<LoggableRow>>>> {
        let rows = "select $portion from (
              select id, provider, username, case when named then 1 else 0 end as named, shown_as,
                case when id in (select user_id from accounts_set_aside) then null else shown_sats end as shown_sats,
                case when id in (select user_id from accounts_set_aside) then null else published_sats end as published_sats,
                shown_verified, (select line from log_lines where profile_id = profiles.id) as line
              from profiles
            ) as shown group by substr(id, 35)";
        self.tx.query(rows, &[]).portions(
            "id, provider, username, named, shown_as, shown_sats, published_sats, shown_verified, line",
        )
    }

    /// Removes the lines of deleted profiles from the next snapshot. Returns their number.
    pub async fn drop_gone_lines(&mut self) -> sqlx::Result<u64> {
        let gone = "insert into log_next_lines (profile_id)
            select profile_id from log_lines where line is not null and profile_id not in (select id from profiles)";
        self.tx.query(gone, &[]).execute().await
    }

    /// Writes these lines of profiles into the next snapshot.
    pub async fn put_lines(&mut self, lines: &[(String, String)]) -> sqlx::Result<()> {
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

    /// Adds an entry.
    pub async fn put_entry(&mut self, log: i64, number: i64, entry: &str) -> sqlx::Result<()> {
        let put = "insert into log_entries (log, number, entry) values ($1, $2, $3)";
        self.tx.query(put, &[&log, &number, &entry]).run().await
    }

    /// Adds a note that announces a new key.
    pub async fn put_rotation(&mut self, log: i64, number: i64, note: &str) -> sqlx::Result<()> {
        let put = "insert into log_rotations (log, number, note) values ($1, $2, $3) on conflict (log, number) do nothing";
        self.tx.query(put, &[&log, &number, &note]).run().await
    }

    /// Stores the end of a log that another one replaces, and deletes its entries.
    pub async fn put_ended(&mut self, end: &LogHead) -> sqlx::Result<()> {
        let put = "insert into ended_logs (number, checkpoint, verifier_key) values ($1, $2, $3)
            on conflict (number) do nothing";
        let values: [&dyn Value; 3] = [&end.number, &end.checkpoint, &end.verifier_key];
        self.tx.query(put, &values).run().await?;
        let delete = "delete from log_entries where log <= $1";
        self.tx.query(delete, &[&end.number]).run().await
    }

    /// Issues the current state of the log, with this checkpoint.
    pub async fn issue(&mut self, state: &LogState, checkpoint: &str) -> sqlx::Result<()> {
        let same_log = |it: &&LogState| it.number == state.number;
        match self.issued.as_ref().filter(same_log) {
            None => {
                for change in [
                    "delete from log_lines",
                    "delete from log_next_lines",
                    // Another log: the earlier one's alarm is over.
                    "update log_state set forked = null",
                ] {
                    self.tx.query(change, &[]).run().await?;
                }
            }
            Some(before) if !before.has_same_snapshot(state) => self.take_next_lines().await?,
            Some(_) => {}
        }
        self.tx.query("delete from log_issued", &[]).run().await?;
        let confirm = "update log_state set restored = 'waiting' where restored = 'unconfirmed'";
        self.tx.query(confirm, &[]).run().await?;
        self.tx.query(ISSUE, &[&checkpoint]).run().await?;
        self.issued = Some(state.clone());
        Ok(())
    }

    /// Replaces the issued snapshot with the next one.
    async fn take_next_lines(&mut self) -> sqlx::Result<()> {
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

    /// Stores the state of the log, which only grows. False when another replica has begun the log at the same moment.
    pub async fn put_state(&mut self, state: &LogState) -> sqlx::Result<bool> {
        let put = "insert into log_state
              (id, number, origin, size, checkpoint, verifier_key, board_entry, changes, height, block, salt_key, withdrawn, page, restored)
            select 1, number, origin, size, checkpoint, verifier_key, board_entry, changes, height, block, salt_key, withdrawn, page, restored
            from $rows where true
            on conflict (id) do update set number = excluded.number, origin = excluded.origin, size = excluded.size,
              checkpoint = excluded.checkpoint, verifier_key = excluded.verifier_key,
              board_entry = excluded.board_entry, changes = excluded.changes, height = excluded.height, block = excluded.block,
              salt_key = excluded.salt_key, withdrawn = excluded.withdrawn, page = excluded.page,
              restored = excluded.restored
            where (log_state.number, log_state.size) < (excluded.number, excluded.size)";
        let columns = "number bigint, origin text, size bigint, checkpoint text, verifier_key text, board_entry bigint, \
            changes bigint, height bigint, block text, salt_key text, withdrawn bigint, page bigint, restored text";
        let put = self.tx.query(put, &[]);
        put.rows(columns, vec![json!(state)]).has_changed().await
    }

    /// Replaces the state of the log after entries were put back. The snapshot is of an older entry and goes. The leases in the copy are of
    /// servers that used the lost database, and nobody waits for them.
    pub async fn restore(&mut self, state: &LogState, now: UnixTime) -> sqlx::Result<()> {
        for change in [
            "delete from log_lines",
            "delete from log_next_lines",
            "delete from log_issued",
            "delete from log_state",
            "delete from leases",
        ] {
            self.tx.query(change, &[]).run().await?;
        }
        self.put_state(state).await?;
        self.tx.query(ISSUE, &[&state.checkpoint]).run().await?;
        self.renew_numbers(now).await
    }

    /// Lets the numbers of changes go on from one that no client has seen, whatever copy of the database this is and how often it was
    /// restored: from the time, with a random part.
    pub async fn renew_numbers(&mut self, now: UnixTime) -> sqlx::Result<()> {
        let number = now * NUMBERS_A_SECOND + rand::random_range(0..NUMBERS_A_SECOND);
        let renew = "insert into live_sequence (id, sequence, forgotten) values (1, $1, $1)
            on conflict (id) do update set sequence = excluded.sequence, forgotten = excluded.forgotten
            where live_sequence.sequence < excluded.sequence";
        self.tx.query(renew, &[&number]).run().await
    }

    /// Lets everybody see it.
    pub async fn commit(self) -> sqlx::Result<()> {
        self.tx.commit().await
    }
}
