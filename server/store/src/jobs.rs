//! Leases on work that replicas share.

use uuid::Uuid;

use super::{Database, Store};
use chain::clock::UnixTime;

impl Store {
    /// Takes or extends the lease `name` for `holder` until `until`. Returns false while another holder's lease has not expired.
    pub async fn take_lease(
        &self,
        name: &str,
        holder: &str,
        now: UnixTime,
        until: UnixTime,
    ) -> sqlx::Result<bool> {
        self.query(
            "insert into leases (name, holder, expires_at) values ($1, $2, $3)
             on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
             where leases.holder = excluded.holder or leases.expires_at <= $4",
            &[&name, &holder, &until, &now],
        )
        .has_changed()
        .await
    }

    /// Releases all leases of `holder`, so that another replica does not have to wait.
    pub async fn release_leases(&self, holder: &str) -> sqlx::Result<()> {
        self.query("delete from leases where holder = $1", &[&holder])
            .run()
            .await
    }

    /// On SQLite, deletes all leases at start: no other process can have one, because SQLite is for one server.
    pub async fn forget_leases_of_the_dead(&self) -> sqlx::Result<()> {
        if let Database::Sqlite(_) = self.database {
            self.query("delete from leases", &[]).run().await?;
        }
        Ok(())
    }

    /// Writes a few bytes, to check whether the database accepts writes. A new value each time, because SQLite skips writes that change nothing.
    pub async fn try_write(&self) -> sqlx::Result<()> {
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
