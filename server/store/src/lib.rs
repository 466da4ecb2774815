//! Everything that is remembered: one set of queries for SQLite and PostgreSQL.
//!
//! The SQL is written once ([`sql`]). What writes more than one row does so in a transaction ([`tx`]), whose methods tell
//! what it does, and whose commit rings a bell when others can see the change.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, SqlSafeStr};

use sole::{FileError, Identity};
use sql::{Runner, Statement, Value};
use tokio::sync::{Semaphore, SemaphorePermit, watch};

pub mod billing;
pub mod binding;
pub mod changes;
pub mod claims;
pub mod flows;
pub mod follower;
pub mod history;
pub mod jobs;
pub mod keyed_hash;
pub mod keys;
pub mod pictures;
pub mod profiles;
pub mod proofs;
pub mod published;
pub mod rate_limits;
pub mod records;
pub mod reverify;
pub mod schema;
pub mod sessions;
pub mod shown_as;
pub mod sole;
mod sql;
pub mod statement_blocks;
pub mod trouble;
mod tx;

/// PostgreSQL gives up a statement that takes longer, so that none holds its connection and its locks for ever.
const STATEMENT_TIMEOUT: &str = "60s";

/// How many connections are open at most, unless set otherwise.
const CONNECTIONS: u32 = 10;

/// How long somebody waits for a connection to PostgreSQL, which may be away.
const PATIENCE: Duration = Duration::from_secs(5);

/// How PostgreSQL plans: each time for the values at hand, because the right plan for one coin is not that for a thousand, and
/// without compiling, which takes many times as long as any of our statements.
const PLANNING: [(&str, &str); 2] = [("plan_cache_mode", "force_custom_plan"), ("jit", "off")];

/// Everything that is remembered. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    database: Database,
    /// How often profiles may have changed.
    bell: watch::Sender<u64>,
    visitors: Arc<Semaphore>,
    /// The file of a SQLite database, and which one it was when it was opened.
    file: Option<(PathBuf, Option<Identity>)>,
}

/// One database, whichever it is.
#[derive(Clone, Debug)]
pub enum Database {
    /// The embedded default.
    Sqlite(SqlitePool),
    /// For several replicas.
    Postgres(PgPool),
}

/// Does the same with the pool of either database.
macro_rules! each {
    ($store:expr, |$pool:ident| $body:expr) => {
        match &$store.database {
            Database::Sqlite($pool) => $body,
            Database::Postgres($pool) => $body,
        }
    };
}

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be opened or reached.
    #[error("the database in DATABASE_URL cannot be opened: {0}")]
    Connect(#[source] sqlx::Error),
    /// The address is of no database that we speak.
    #[error("DATABASE_URL must begin with sqlite: or postgres:")]
    UnknownKind,
    /// Its file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A query failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
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
        // Replicas that start together take turns: sqlx holds a lock of the database while it migrates.
        let database = if url.starts_with("sqlite:") {
            let pool = open_sqlite(url, connections).await?;
            schema::SQLITE.run(&pool).await?;
            Database::Sqlite(pool)
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            Database::Postgres(open_postgres(url, connections).await?)
        } else {
            return Err(StoreError::UnknownKind);
        };
        let file = sole::file(url)?.map(|path| {
            let opened = sole::identity(&path);
            (path, opened)
        });
        Ok(Self {
            database,
            file,
            bell: watch::Sender::new(0),
            visitors: Arc::new(Semaphore::new((connections as usize / 2).max(1))),
        })
    }

    /// The database itself, for what only one of the two can do.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Hears when profiles may have changed, and how often they have.
    #[must_use]
    pub fn bell(&self) -> watch::Receiver<u64> {
        self.bell.subscribe()
    }

    /// Says that profiles may have changed.
    pub fn ring(&self) {
        self.bell.send_modify(|rung| *rung += 1);
    }

    /// A turn to read something for somebody who is not signed in. However many come, they have no more than every other connection,
    /// and those who sign in or send a proof find one.
    pub async fn turn_of_a_visitor(&self) -> Option<SemaphorePermit<'_>> {
        // Nobody closes the semaphore.
        self.visitors.acquire().await.ok()
    }

    fn query<'c>(&'c self, sql: impl SqlSafeStr, values: &[&'c dyn Value]) -> Statement<'c> {
        let runner = match &self.database {
            Database::Sqlite(pool) => Runner::SqlitePool(pool),
            Database::Postgres(pool) => Runner::PostgresPool(pool),
        };
        Statement::new(runner, sql, values)
    }

    /// Whether the schema is as this release wants it. A newer release may have added to it since: what
    /// it adds, an older one does not see.
    pub async fn is_migrated(&self) -> Result<bool, sqlx::Error> {
        let applied: Vec<i64> = self
            .query("select version from _sqlx_migrations where success", &[])
            .column()
            .await?;
        let wanted = match self.database {
            Database::Sqlite(_) => &schema::SQLITE,
            Database::Postgres(_) => &schema::POSTGRES,
        };
        Ok(wanted
            .iter()
            .all(|migration| applied.contains(&migration.version)))
    }

    /// Whether SQLite's file has been replaced or removed since it was opened: what is written now is lost with the old one.
    #[must_use]
    pub fn is_replaced(&self) -> bool {
        let file = self.file.as_ref();
        file.is_some_and(|(path, opened)| sole::identity(path) != *opened)
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

    /// Empties SQLite's write-ahead log into the database, as soon as nobody reads it. Until then the log may hold pages as they were
    /// before something in them was deleted. PostgreSQL looks after itself.
    pub async fn empty_log(&self) -> Result<(), sqlx::Error> {
        if let Database::Sqlite(_) = self.database {
            let empty = "pragma wal_checkpoint(truncate)";
            self.query(empty, &[]).execute().await?;
        }
        Ok(())
    }

    /// Closes the database, once whoever uses it is done.
    pub async fn close(&self) {
        each!(self, |pool| pool.close().await);
    }

    /// Stamps a new database with what it is for, and refuses one made for something else.
    ///
    /// # Errors
    /// When the database is of the other mode, or fails.
    pub async fn stamp(&self, mode: &'static str) -> Result<(), StoreError> {
        let wanted = mode;
        let stamp =
            "insert into instance (id, environment) values (1, $1) on conflict (id) do nothing";
        self.query(stamp, &[&wanted]).execute().await?;
        let found: String = self
            .query("select environment from instance where id = 1", &[])
            .value()
            .await?;
        if found == wanted {
            Ok(())
        } else {
            Err(StoreError::OtherEnvironment { found, wanted })
        }
    }
}

async fn open_postgres(url: &str, connections: u32) -> Result<PgPool, StoreError> {
    let options = PgConnectOptions::from_str(url).map_err(StoreError::Connect)?;
    // A step of the schema may take as long as it needs.
    let mut alone = options.connect().await.map_err(StoreError::Connect)?;
    schema::POSTGRES.run(&mut alone).await?;
    alone.close().await.map_err(StoreError::Connect)?;
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        .connect_with(
            options
                .options(PLANNING)
                .options([("statement_timeout", STATEMENT_TIMEOUT)]),
        )
        .await
        .map_err(StoreError::Connect)
}

async fn open_sqlite(url: &str, connections: u32) -> Result<SqlitePool, StoreError> {
    let options = SqliteConnectOptions::from_str(url)
        .map_err(StoreError::Connect)?
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // A commit that was answered survives a power cut.
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(10))
        .foreign_keys(true)
        // What is deleted is overwritten: the file of a deleted account's server holds nothing of it.
        .pragma("secure_delete", "on")
        // What a statement within a transaction may have to undo: a read-only container has no place for temporary files.
        .pragma("temp_store", "memory");
    sole::make_private(url)?;
    SqlitePoolOptions::new()
        .max_connections(connections)
        // After an error such as SQLITE_FULL, SQLite may roll back by itself. sqlx's own ROLLBACK then fails, and the connection would
        // begin every later transaction inside one that is over. The ping waits for that ROLLBACK, which sqlx sends without waiting.
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
