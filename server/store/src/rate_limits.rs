//! Counts of requests in a window of time. See `limits.rs` of the API.

use super::Store;
use chain::clock::UnixTime;

/// A count of requests of one kind from one account or address, and the maximum in a window.
#[derive(Clone, Debug)]
pub struct Count {
    /// Keyed hash of the kind and of an account or an address.
    pub keyed_hash: String,
    /// The limit in one window.
    pub most: i64,
    /// When the window is over, unix seconds.
    pub ends_at: UnixTime,
}

impl Store {
    /// Counts a request in each of these and returns none; or, if one of them is full, changes nothing
    /// and returns its index. Deletes the counts of past windows.
    ///
    /// Each count is one conditional statement, so that requests at the same moment cannot exceed the limit together.
    pub async fn count_request(
        &self,
        counts: &[Count],
        now: UnixTime,
    ) -> sqlx::Result<Option<usize>> {
        // First without a write, which would have to wait for others.
        for (index, count) in counts.iter().enumerate() {
            let used = "select used from rate_limits where keyed_hash = $1 and ends_at = $2";
            let used = self.query(used, &[&count.keyed_hash, &count.ends_at]);
            let used: Option<i64> = used.scalar().await?;
            if used.is_some_and(|used| used >= count.most) {
                return Ok(Some(index));
            }
        }
        let forget = "delete from rate_limits where ends_at <= $1";
        let sql = "insert into rate_limits (keyed_hash, ends_at, used) values ($1, $2, 1)
            on conflict (keyed_hash, ends_at) do update
              set used = rate_limits.used + 1 where rate_limits.used < $3";
        self.write(|mut tx| async move {
            tx.query(forget, &[&now]).run().await?;
            for (index, count) in counts.iter().enumerate() {
                let counted = tx.query(sql, &[&count.keyed_hash, &count.ends_at, &count.most]);
                if !counted.has_changed().await? {
                    return Ok(Some(index));
                }
            }
            tx.end(None).await
        })
        .await
    }

    /// Subtracts a request from each of these.
    pub async fn uncount_request(&self, counts: &[Count]) -> sqlx::Result<()> {
        for count in counts {
            let sql = "update rate_limits set used = used - 1
                where keyed_hash = $1 and ends_at = $2 and used > 0";
            self.query(sql, &[&count.keyed_hash, &count.ends_at])
                .run()
                .await?;
        }
        Ok(())
    }
}
