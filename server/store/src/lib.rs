//! The database: one set of queries for SQLite and PostgreSQL.
//!
//! The SQL is written once ([`sql`]). Code that writes more than one row does so in a transaction ([`tx`]), whose commit
//! notifies subscribers that profiles may have changed.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, SqlSafeStr};

use sql::{Runner, Statement, Value, within};
use sqlite_file::{FileError, Identity};
use tokio::sync::watch;
use uuid::Uuid;

pub mod billing;
pub mod binding;
pub mod board_log;
pub mod chain_cursor;
pub mod changes;
pub mod claims;
pub mod errors;
pub mod flows;
pub mod jobs;
pub mod keyed_hash;
pub mod keys;
pub mod pictures;
pub mod profiles;
pub mod proofs;
pub mod published_proofs;
pub mod rate_limits;
pub mod records;
pub mod removals;
pub mod reverify;
pub mod schema;
pub mod sessions;
pub mod shown_as;
mod sql;
pub mod sqlite_file;
pub mod statement_blocks;
mod tx;
pub mod values;

/// The most open connections, unless set otherwise.
const CONNECTIONS: u32 = 10;

/// How long a query waits for a connection, which may be in use or lead to a PostgreSQL that is down.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How long SQLite's write-ahead log waits for its readers to be emptied. Writers wait as long, and a backup may read for minutes.
const BRIEFLY: Duration = Duration::from_secs(1);

/// How long a write waits for SQLite's lock while another program holds it. A write is tried once, and a free connection takes as long at
/// most, so a request ends within ten seconds.
const LOCKED: Duration = Duration::from_secs(5);

/// PostgreSQL cancels a statement that takes longer than a minute, so that none holds its connection and its locks forever. It ends a
/// transaction whose replica is silent (a paused machine, a lost network), because other replicas wait for its locks, for which they wait
/// longer than that. It plans each statement for its values, because the right plan for one coin is not the one for a thousand, and does
/// not compile it, which takes much longer than any of our statements.
const SETTINGS: [(&str, &str); 9] = [
    ("statement_timeout", "60s"),
    ("idle_in_transaction_session_timeout", "8s"),
    ("lock_timeout", "10s"),
    ("tcp_keepalives_idle", "5"),
    ("tcp_keepalives_interval", "2"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "10s"),
    ("plan_cache_mode", "force_custom_plan"),
    ("jit", "off"),
];

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    /// Counts the commits that may have changed profiles.
    notifier: watch::Sender<u64>,
    /// Identifies this process in leases.
    process: String,
    /// The file of a SQLite database, and its identity when it was opened.
    file: Option<(PathBuf, Option<Identity>)>,
}

/// The connections to one of the two databases.
#[derive(Clone, Debug)]
pub enum Database {
    /// The embedded default.
    Sqlite(SqlitePool),
    /// For several replicas.
    Postgres(PgPool),
}

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be opened or reached.
    #[error("cannot open the database in DATABASE_URL: {0}")]
    Connect(#[source] sqlx::Error),
    /// The address is of an unsupported database.
    #[error("DATABASE_URL must begin with sqlite: or postgres:")]
    UnknownKind,
    /// The file of a SQLite database cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// A query failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    /// Its schema cannot be migrated.
    #[error("cannot migrate the database in DATABASE_URL: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// It belongs to the other mode (decisions, D11).
    #[error(
        "this database was created in {found} mode and cannot be used in {wanted} mode; use another DATABASE_URL"
    )]
    OtherEnvironment {
        /// The mode of the database.
        found: String,
        /// The mode of this server.
        wanted: &'static str,
    },
}

impl Store {
    /// Opens the database at `url` and migrates it.
    ///
    /// # Errors
    /// When it cannot be reached, opened or migrated.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        Self::connect_with(url, CONNECTIONS).await
    }

    /// As [`Store::connect`], with at most `connections` connections.
    ///
    /// # Errors
    /// When it cannot be reached, opened or migrated.
    pub async fn connect_with(url: &str, connections: u32) -> Result<Self, StoreError> {
        // Replicas that start together wait for each other: sqlx locks the database while it migrates.
        let database = if url.starts_with("sqlite:") {
            let pool = open_sqlite(url, connections).await?;
            schema::SQLITE.run(&pool).await?;
            Database::Sqlite(pool)
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            Database::Postgres(open_postgres(url, connections).await?)
        } else {
            return Err(StoreError::UnknownKind);
        };
        let file = sqlite_file::file(url)?.map(|path| {
            let opened = sqlite_file::identity(&path);
            (path, opened)
        });
        Ok(Self {
            database,
            file,
            notifier: watch::Sender::new(0),
            process: Uuid::new_v4().to_string(),
        })
    }

    /// The database itself, for features that only one of the two has.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// A receiver that is notified when profiles may have changed. Its value counts those changes.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.notifier.subscribe()
    }

    /// Notifies subscribers that profiles may have changed.
    pub fn notify(&self) {
        self.notifier.send_modify(|changes| *changes += 1);
    }

    fn query<'c>(&'c self, sql: impl SqlSafeStr, values: &[&'c dyn Value]) -> Statement<'c> {
        let runner = match &self.database {
            Database::Sqlite(pool) => Runner::SqlitePool(pool),
            Database::Postgres(pool) => Runner::PostgresPool(pool),
        };
        Statement::new(runner, sql, values)
    }

    /// Whether the schema has every migration of this release. It may have newer ones as well, which an older release ignores.
    pub async fn is_migrated(&self) -> sqlx::Result<bool> {
        let sql = "select version from _sqlx_migrations where success";
        let applied: Vec<i64> = self.query(sql, &[]).column().await?;
        let wanted = match self.database {
            Database::Sqlite(_) => &schema::SQLITE,
            Database::Postgres(_) => &schema::POSTGRES,
        };
        Ok(wanted
            .iter()
            .all(|migration| applied.contains(&migration.version)))
    }

    /// Whether SQLite's file has been replaced or removed since it was opened, so that everything written now is lost.
    pub fn is_replaced(&self) -> bool {
        let file = self.file.as_ref();
        file.is_some_and(|(path, opened)| sqlite_file::identity(path) != *opened)
    }

    /// How many connections are open, and how many of these are idle.
    pub fn connections(&self) -> (usize, usize) {
        let (open, idle) = match &self.database {
            Database::Sqlite(pool) => (pool.size(), pool.num_idle()),
            Database::Postgres(pool) => (pool.size(), pool.num_idle()),
        };
        (usize::try_from(open).unwrap_or(usize::MAX), idle)
    }

    /// Empties SQLite's write-ahead log into the database, unless others read from it for longer than [`BRIEFLY`]. Until then it may
    /// hold pages from before something in them was deleted. PostgreSQL needs no such step.
    pub async fn empty_wal(&self) -> sqlx::Result<()> {
        if let Database::Sqlite(pool) = &self.database {
            let options = pool.connect_options().as_ref().clone();
            let options = options.create_if_missing(false).busy_timeout(BRIEFLY);
            let mut connection = options.connect().await?;
            let empty = sqlx::query("pragma wal_checkpoint(truncate)");
            empty.execute(&mut connection).await?;
            connection.close().await?;
        }
        Ok(())
    }

    /// As [`Store::empty_wal`], after something was deleted. A failure is only logged, because a job empties it later.
    async fn empty_wal_or_warn(&self) {
        if let Err(error) = self.empty_wal().await {
            tracing::warn!(%error, "deleted data is still in the database's write-ahead log, which is emptied later");
        }
    }

    /// Closes the database, once running queries are done.
    pub async fn close(&self) {
        match &self.database {
            Database::Sqlite(pool) => pool.close().await,
            Database::Postgres(pool) => pool.close().await,
        }
    }

    /// Marks a new database as one of this mode (development or production), and refuses one of the other mode.
    ///
    /// # Errors
    /// When the database is of the other mode, or fails.
    pub async fn stamp(&self, mode: &'static str) -> Result<(), StoreError> {
        let stamp = "insert into instance (id, environment) values (1, $1)
            on conflict (id) do update set environment = instance.environment returning environment";
        let found: String = self.query(stamp, &[&mode]).value().await?;
        match found == mode {
            true => Ok(()),
            false => Err(StoreError::OtherEnvironment {
                found,
                wanted: mode,
            }),
        }
    }
}

async fn open_postgres(url: &str, connections: u32) -> Result<PgPool, StoreError> {
    let options = PgConnectOptions::from_str(url).map_err(StoreError::Connect)?;
    // On a connection of its own, because a migration may take as long as it needs.
    let mut migrating = options.connect().await.map_err(StoreError::Connect)?;
    schema::POSTGRES.run(&mut migrating).await?;
    migrating.close().await.map_err(StoreError::Connect)?;
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(TIMEOUT)
        // sqlx sets no time-outs on its sockets. A connection to a host that is gone is closed here; else its return to the pool would wait
        // for a quarter of an hour.
        .after_release(|connection, _| {
            Box::pin(async move {
                within(TIMEOUT, connection.ping()).await?;
                Ok(true)
            })
        })
        .connect_with(options.options(SETTINGS))
        .await
        .map_err(StoreError::Connect)
}

async fn open_sqlite(url: &str, connections: u32) -> Result<SqlitePool, StoreError> {
    let options = SqliteConnectOptions::from_str(url)
        .map_err(StoreError::Connect)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // A commit that returned survives a power cut.
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(LOCKED)
        .foreign_keys(true)
        // Overwrites deleted rows, so that the file holds nothing of a deleted account.
        .pragma("secure_delete", "on")
        // For statement journals: a read-only container has no folder for temporary files.
        .pragma("temp_store", "memory");
    sqlite_file::make_private(url)?;
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(TIMEOUT)
        // After an error such as SQLITE_FULL, SQLite may roll back by itself. sqlx's own ROLLBACK then fails, and sqlx would take every later
        // transaction on this connection for a nested one. The ping waits for that ROLLBACK, which sqlx sends without waiting.
        .after_release(|connection, _| {
            Box::pin(async move {
                connection.ping().await?;
                Ok(!connection.is_in_transaction())
            })
        })
        .connect_with(options)
        .await
        .map_err(StoreError::Connect)
}
