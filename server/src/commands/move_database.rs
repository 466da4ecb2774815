//! Copies everything from SQLite to PostgreSQL, for the day on which one machine is no longer enough.
//!
//! The tables are read from the schema, so that one that is added later cannot be forgotten; what the
//! copy does not know how to carry, it refuses. Keys and sessions go along: nobody is signed out.

use sqlx::Connection;
use sqlx::migrate::MigrateError;

mod schema;
mod source;
mod target;

use schema::Table;
use source::Source;
use target::Target;

/// Why nothing has been moved.
#[derive(Debug, thiserror::Error)]
pub(super) enum MoveError {
    #[error("DATABASE_URL is not a SQLite database; it is the one to move from")]
    NotFromSqlite,
    #[error("--to is not the address of a PostgreSQL database")]
    NotToPostgres,
    #[error("the SQLite database cannot be opened: {0}")]
    OpenSource(#[source] sqlx::Error),
    #[error("the PostgreSQL database cannot be opened: {0}")]
    OpenTarget(#[source] sqlx::Error),
    #[error("the SQLite database is in use; stop the server first")]
    InUse,
    #[error("the database cannot be brought up to date: {0}")]
    Migrate(#[from] MigrateError),
    #[error("no server has ever used the SQLite database, so there is nothing to move")]
    Unused,
    #[error(
        "the SQLite database was made by a server in {0} mode: its proofs are worth nothing, and it is not moved"
    )]
    NotProduction(String),
    #[error("the PostgreSQL database is not empty: {0} has rows; name an empty one")]
    NotEmpty(String),
    #[error("the two databases have different tables: {sqlite} and {postgres}")]
    OtherSchema { sqlite: String, postgres: String },
    #[error(
        "the column {column} of {table} is of type {kind}, which this command does not know how to carry"
    )]
    UnknownType {
        table: String,
        column: String,
        kind: String,
    },
    #[error("tables refer to each other in a circle: {0}")]
    Circle(String),
    #[error("{table} has {sqlite} rows, but {postgres} have arrived")]
    Lost {
        table: String,
        sqlite: u64,
        postgres: u64,
    },
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

/// Moves the database at `from` into the empty one at `to`: all of it, or nothing.
pub(super) async fn run(from: &str, to: &str) -> Result<(), MoveError> {
    if !target::is_address(to) {
        return Err(MoveError::NotToPostgres);
    }
    let mut source = Source::open(from).await?;
    let mut target = Target::open(to).await?;
    let tables = source.tables().await?;
    target.expect_same(&tables).await?;

    let mut transaction = target.connection.begin().await?;
    target::expect_empty(&mut transaction, &tables).await?;
    let mut rows = 0;
    for table in &tables {
        rows += copy(&mut source, &mut transaction, table).await?;
    }
    transaction.commit().await?;
    println!(
        "{rows} rows of {} tables are moved. The SQLite database is as it was; set DATABASE_URL to the new one and start the server.",
        tables.len()
    );
    Ok(())
}

/// Copies one table and counts what has arrived.
async fn copy(
    source: &mut Source,
    target: &mut sqlx::PgConnection,
    table: &Table,
) -> Result<u64, MoveError> {
    let sent = target::copy(target, table, source.rows(table)).await?;
    let arrived = target::count(target, table).await?;
    if sent == arrived && sent == source.count(table).await? {
        Ok(arrived)
    } else {
        Err(MoveError::Lost {
            table: table.name.clone(),
            sqlite: source.count(table).await?,
            postgres: arrived,
        })
    }
}
