//! Which changes to profiles open pages have not been told yet (see [`crate::live`]).

use super::Store;

/// What to listen to on PostgreSQL.
pub const CHANNEL: &str = "profiles_changed";

impl Store {
    /// Passes on what has been noted since the last time, to the other replicas too, and answers the
    /// number of the newest change.
    ///
    /// Only changes that are committed are seen, and the number moves after them: whoever reads
    /// the profiles after learning of it reads the change.
    pub async fn pass_on_changes(&self) -> Result<i64, sqlx::Error> {
        let (told, unsent): (i64, i64) = self
            .query(
                "select coalesce((select sequence from live_sequence where id = 1), 0),
                   (select count(*) from unsent_changes)",
                &[],
            )
            .one()
            .await?;
        if unsent == 0 {
            return Ok(told);
        }
        let mut tx = self.begin().await?;
        // First, so that replicas do it one after another.
        let next: i64 = tx
            .query(
                "insert into live_sequence (id, sequence) values (1, 1)
                 on conflict (id) do update set sequence = live_sequence.sequence + 1 returning sequence",
                &[],
            )
            .value()
            .await?;
        let passed = tx
            .query("delete from unsent_changes", &[])
            .execute()
            .await?;
        if passed == 0 {
            // Another replica was faster, and has said so.
            return Ok(next - 1);
        }
        if tx.is_postgres() {
            // The commit of a notification holds a lock of the whole database. That is why it happens here, a
            // few times a second at most, and not in the transactions that change something.
            let notify = "select pg_notify($1, '')";
            tx.query(notify, &[&CHANNEL]).execute().await?;
        }
        tx.commit().await?;
        Ok(next)
    }
}
