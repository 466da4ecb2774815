//! Work that replicas share: who does what at a time.

use uuid::Uuid;

use super::{Database, Store};
use crate::base::clock::UnixTime;

impl Store {
    /// Takes a piece of work for `holder` until `until`, or keeps it. Answers whether it is theirs:
    /// not while somebody else has it and their time is not over.
    pub async fn take_lease(
        &self,
        name: &str,
        holder: &str,
        now: UnixTime,
        until: UnixTime,
    ) -> Result<bool, sqlx::Error> {
        let taken = {
            self.query(
                "insert into leases (name, holder, expires_at) values ($1, $2, $3)
                 on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
                 where leases.holder = excluded.holder or leases.expires_at <= $4",
                &[&name, &holder, &until, &now],
            )
            .execute()
            .await?
        };
        Ok(taken == 1)
    }

    /// Gives up everything that `holder` has, so that another replica need not wait.
    pub async fn release_leases(&self, holder: &str) -> Result<(), sqlx::Error> {
        self.query("delete from leases where holder = $1", &[&holder])
            .run()
            .await
    }

    /// Takes the work from whoever had it before this process began, where no other process can have it: on SQLite.
    pub async fn forget_leases_of_the_dead(&self) -> Result<(), sqlx::Error> {
        if let Database::Sqlite(_) = self.database {
            self.query("delete from leases", &[]).run().await?;
        }
        Ok(())
    }

    /// Writes a few bytes, to learn whether the database takes any. A new value each time: SQLite does not write what stays the same.
    pub async fn try_write(&self) -> Result<(), sqlx::Error> {
        let value = Uuid::new_v4().to_string();
        self.query(
            "insert into leases (name, holder, expires_at) values ('write-check', $1, 0)
             on conflict (name) do update set holder = excluded.holder",
            &[&value],
        )
        .run()
        .await
    }
}
