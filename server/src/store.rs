//! Everything that is remembered: one set of queries for SQLite and PostgreSQL.
//!
//! The SQL is written once in the subset that both speak (`migrations/README.md`), and [`each!`]
//! compiles it against both drivers, so that a type that only one of them knows is a compile error.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

use crate::config::Environment;

pub mod billing;
pub mod board;
pub mod claims;
pub mod flows;
pub mod follower;
pub mod jobs;
pub mod keys;
pub mod live;
pub mod names;
pub mod nonces;
pub mod pictures;
pub mod profiles;
pub mod proofs;
pub mod rate_limits;
pub mod reverify;
pub mod sessions;

/// The schema, in steps.
pub static MIGRATIONS: Migrator = sqlx::migrate!("../migrations");

/// How many connections are open at most, unless set otherwise.
const CONNECTIONS: u32 = 10;

/// One database, whichever it is.
#[derive(Clone, Debug)]
pub enum Store {
    /// The embedded default.
    Sqlite(SqlitePool),
    /// For several replicas.
    Postgres(PgPool),
}

/// Runs the same body with the pool of either database.
macro_rules! each {
    ($store:expr, |$pool:ident| $body:expr) => {
        match $store {
            $crate::store::Store::Sqlite($pool) => $body,
            $crate::store::Store::Postgres($pool) => $body,
        }
    };
}
pub(crate) use each;

/// Begins a transaction that will write. SQLite takes the write lock at once: a transaction that
/// reads first and locks later can fail in the middle.
macro_rules! begin {
    ($store:expr, |$transaction:ident| $body:expr) => {
        match $store {
            $crate::store::Store::Sqlite(pool) => {
                let mut $transaction = pool.begin_with("begin immediate").await?;
                $body
            }
            $crate::store::Store::Postgres(pool) => {
                let mut $transaction = pool.begin().await?;
                $body
            }
        }
    };
}
pub(crate) use begin;

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be opened or reached.
    #[error("the database in DATABASE_URL cannot be opened: {0}")]
    Connect(#[source] sqlx::Error),
    /// The address is of no database that we speak.
    #[error("DATABASE_URL must begin with sqlite: or postgres:")]
    UnknownKind,
    /// Its schema cannot be brought up to date.
    #[error("the database cannot be migrated: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// It belongs to the other mode (decisions, D11).
    #[error(
        "this database was made by a server in {found} mode, so a server in {wanted} mode does not touch it; use another DATABASE_URL"
    )]
    OtherEnvironment {
        /// What the database is stamped with.
        found: String,
        /// What this server is.
        wanted: &'static str,
    },
}

impl Store {
    /// Opens the database at `url` and brings its schema up to date.
    ///
    /// # Errors
    /// When it cannot be reached, opened or migrated.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        Self::connect_with(url, CONNECTIONS).await
    }

    /// The same with at most so many connections.
    ///
    /// # Errors
    /// When it cannot be reached, opened or migrated.
    pub async fn connect_with(url: &str, connections: u32) -> Result<Self, StoreError> {
        let store = if url.starts_with("sqlite:") {
            Self::open_sqlite(url, connections).await?
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            let pool = PgPoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(Duration::from_secs(10))
                .connect(url)
                .await
                .map_err(StoreError::Connect)?;
            Self::Postgres(pool)
        } else {
            return Err(StoreError::UnknownKind);
        };
        // Replicas that start together take turns: sqlx holds a lock of the database meanwhile.
        each!(&store, |pool| MIGRATIONS.run(pool).await)?;
        Ok(store)
    }

    /// Whether the schema is as this release wants it. A newer release may have added to it since: what
    /// it adds, an older one does not see.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_migrated(&self) -> Result<bool, sqlx::Error> {
        let applied: Vec<i64> = each!(self, |pool| {
            sqlx::query_scalar("select version from _sqlx_migrations where success")
                .fetch_all(pool)
                .await?
        });
        Ok(MIGRATIONS
            .iter()
            .all(|migration| applied.contains(&migration.version)))
    }

    /// How many connections are open, and how many of these are idle.
    #[must_use]
    pub fn connections(&self) -> (usize, usize) {
        each!(self, |pool| {
            (
                usize::try_from(pool.size()).unwrap_or(usize::MAX),
                pool.num_idle(),
            )
        })
    }

    /// Empties SQLite's write-ahead log into the database. Until then the log may hold pages as they were before
    /// something in them was deleted. PostgreSQL looks after itself.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn empty_log(&self) -> Result<(), sqlx::Error> {
        if let Self::Sqlite(pool) = self {
            sqlx::query("pragma wal_checkpoint(truncate)")
                .execute(pool)
                .await?;
        }
        Ok(())
    }

    /// Closes the database, once whoever uses it is done.
    pub async fn close(&self) {
        each!(self, |pool| pool.close().await);
    }

    async fn open_sqlite(url: &str, connections: u32) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::from_str(url)
            .map_err(StoreError::Connect)?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .busy_timeout(Duration::from_secs(10))
            .foreign_keys(true)
            // What is deleted is overwritten: the file of a deleted account's server holds nothing of it.
            .pragma("secure_delete", "on");
        if let Some(folder) = options.get_filename().parent()
            && folder != Path::new("")
        {
            // A missing folder is not worth an error message; a real problem shows on opening.
            let _ = std::fs::create_dir_all(folder);
        }
        let pool = SqlitePoolOptions::new()
            .max_connections(connections)
            .connect_with(options)
            .await
            .map_err(StoreError::Connect)?;
        Ok(Self::Sqlite(pool))
    }

    /// Stamps a new database with what it is for, and refuses one made for something else.
    ///
    /// # Errors
    /// When the database is of the other mode, or fails.
    pub async fn stamp(&self, environment: Environment) -> Result<(), StoreError> {
        let wanted = environment.as_str();
        let found: String = each!(self, |pool| {
            sqlx::query(
                "insert into instance (id, environment) values (1, $1) on conflict (id) do nothing",
            )
            .bind(wanted)
            .execute(pool)
            .await
            .map_err(StoreError::Connect)?;
            sqlx::query_scalar("select environment from instance where id = 1")
                .fetch_one(pool)
                .await
                .map_err(StoreError::Connect)?
        });
        if found == wanted {
            Ok(())
        } else {
            Err(StoreError::OtherEnvironment { found, wanted })
        }
    }
}

/// Whether the database refused a row because of a unique constraint. The name of the constraint is
/// not compared, because SQLite does not tell it.
pub(crate) fn is_unique_violation(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}
