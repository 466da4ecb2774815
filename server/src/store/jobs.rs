//! Work that replicas share: who does what at a time, and what is due.

use super::{Store, each};
use crate::clock::UnixTime;

impl Store {
    /// Takes a piece of work for `holder` until `until`, or keeps it. Answers whether it is theirs:
    /// not while somebody else has it and their time is not over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take_lease(
        &self,
        name: &str,
        holder: &str,
        now: UnixTime,
        until: UnixTime,
    ) -> Result<bool, sqlx::Error> {
        let taken = each!(self, |pool| {
            sqlx::query(
                "insert into leases (name, holder, expires_at) values ($1, $2, $3)
                 on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
                 where leases.holder = excluded.holder or leases.expires_at <= $4",
            )
            .bind(name)
            .bind(holder)
            .bind(until)
            .bind(now)
            .execute(pool)
            .await?
            .rows_affected()
        });
        Ok(taken == 1)
    }

    /// Gives up everything that `holder` has, so that another replica need not wait.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release_leases(&self, holder: &str) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            sqlx::query("delete from leases where holder = $1")
                .bind(holder)
                .execute(pool)
                .await?;
        });
        Ok(())
    }

    /// When the next proof's time is over; none when there is no active proof.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next_expiry(&self) -> Result<Option<UnixTime>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_scalar("select min(expires_at) from proofs where ended_at is null")
                .fetch_one(pool)
                .await
        })
    }
}
