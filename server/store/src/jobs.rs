//! Leases on jobs that one replica does at a time.

use std::time::Duration;

use uuid::Uuid;

use super::{Database, Store};
use chain::clock::UnixTime;

/// The length of a lease, in seconds, and how often it is extended. When a replica crashes, another one takes its jobs over at the end of the
/// lease. The database's clock decides, because those of replicas may differ. It may be set back, or be that of a standby that was promoted: a
/// lease that ends later than any that is taken now is nobody's.
const LEASE: i64 = 10;
pub const HEARTBEAT: Duration = Duration::from_secs(3);

impl Store {
    /// Takes the lease on this job, or extends it. Returns false while the lease of another process has not expired.
    pub async fn take_lease(&self, job: &str) -> sqlx::Result<bool> {
        let sql = "insert into leases (name, holder, expires_at) values ($1, $2, $now + $3)
            on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
            where leases.holder = excluded.holder or leases.expires_at <= $now or leases.expires_at > $now + $3";
        let taken = self.query(sql, &[&job, &self.process, &LEASE]).timed();
        taken.has_changed().await
    }

    /// Extends all leases of this process.
    pub async fn extend_leases(&self) -> sqlx::Result<()> {
        let extend = "update leases set expires_at = $now + $2 where holder = $1";
        let extended = self.query(extend, &[&self.process, &LEASE]).timed();
        extended.run().await
    }

    /// Releases all leases of this process, so that another replica does not have to wait.
    pub async fn release_leases(&self) -> sqlx::Result<()> {
        let release = "delete from leases where holder = $1";
        self.query(release, &[&self.process]).run().await
    }

    /// On SQLite, deletes all leases at start: no other process can have one, because SQLite is for one server.
    pub async fn forget_leases_of_the_dead(&self) -> sqlx::Result<()> {
        if let Database::Sqlite(_) = self.database {
            let sql = "delete from leases";
            self.query(sql, &[]).run().await?;
        }
        Ok(())
    }

    /// Writes a few bytes, to check whether the database accepts writes, and returns the database's time. A new value each time, because SQLite
    /// skips writes that change nothing. On PostgreSQL a small change still finds room on a full disk, so it also makes a file.
    pub async fn try_write(&self) -> sqlx::Result<UnixTime> {
        if let Database::Postgres(_) = self.database {
            let file = "create temporary table write_check on commit drop as select 1 as one";
            self.query(file, &[]).run().await?;
        }
        let value = Uuid::new_v4().to_string();
        let sql = "insert into leases (name, holder, expires_at) values ('write-check', $1, 0)
            on conflict (name) do update set holder = excluded.holder returning $now";
        self.query(sql, &[&value]).timed().value().await
    }
}
