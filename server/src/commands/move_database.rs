//! Copies everything from SQLite to PostgreSQL, for the day on which one machine is no longer enough.
//!
//! The tables are read from the schema, so that one that is added later cannot be forgotten. Rows travel as JSON, which both
//! databases read and write by the names of the columns. Keys and sessions go along: nobody is signed out.

use std::str::FromStr;
use std::time::Duration;

use futures_util::TryStreamExt;
use sqlx::migrate::MigrateError;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteLockingMode};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::store::schema::{POSTGRES, SQLITE};
use crate::store::sole::{FileError, expect_there};

/// How long to wait for whoever has just closed the SQLite database.
const PATIENCE: Duration = Duration::from_secs(2);

/// `SQLITE_BUSY`.
const BUSY: &str = "5";

/// How many rows are sent at once; one with a picture has up to a megabyte.
const ROWS: usize = 100;

/// Why nothing has been moved.
#[derive(Debug, thiserror::Error)]
pub(super) enum MoveError {
    #[error("DATABASE_URL is not a SQLite database; it is the one to move from")]
    NotFromSqlite,
    #[error("--to is not the address of a PostgreSQL database")]
    NotToPostgres,
    #[error(transparent)]
    Nowhere(#[from] FileError),
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
    #[error("tables refer to each other in a circle: {0:?}")]
    Circle(Vec<String>),
    #[error("{table} has {sqlite} rows, but {postgres} have arrived")]
    Lost {
        table: String,
        sqlite: i64,
        postgres: i64,
    },
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

/// Moves the database at `from` into the empty one at `to`: all of it, or nothing.
pub(super) async fn run(from: &str, to: &str) -> Result<String, MoveError> {
    if !(to.starts_with("postgres:") || to.starts_with("postgresql:")) {
        return Err(MoveError::NotToPostgres);
    }
    if from.starts_with("sqlite:") {
        expect_there(from)?;
    }
    let mut source = open_source(from).await?;
    let mut target = open_target(to).await?;
    let tables = tables(&mut source).await?;
    let mut transaction = target.begin().await?;
    expect_empty(&mut transaction, &tables).await?;
    let mut rows = 0;
    for table in &tables {
        rows += copy(&mut source, &mut transaction, table).await?;
    }
    transaction.commit().await?;
    Ok(format!(
        "{rows} rows of {} tables are moved. The SQLite database is as it was; set DATABASE_URL to the new one and start the server.",
        tables.len()
    ))
}

/// The SQLite database, which nobody else can open meanwhile.
async fn open_source(url: &str) -> Result<SqliteConnection, MoveError> {
    if !url.starts_with("sqlite:") {
        return Err(MoveError::NotFromSqlite);
    }
    let options = SqliteConnectOptions::from_str(url)
        .map_err(MoveError::OpenSource)?
        .create_if_missing(false)
        .locking_mode(SqliteLockingMode::Exclusive)
        .busy_timeout(PATIENCE);
    let mut source = options.connect().await.map_err(refused)?;
    // Taken before anything else is asked, and kept: a running server has the file open.
    sqlx::raw_sql("begin exclusive; commit")
        .execute(&mut source)
        .await
        .map_err(refused)?;
    expect_production(&mut source).await?;
    SQLITE.run(&mut source).await?;
    Ok(source)
}

fn refused(error: sqlx::Error) -> MoveError {
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    if code.is_some_and(|code| code == BUSY) {
        MoveError::InUse
    } else {
        MoveError::OpenSource(error)
    }
}

async fn expect_production(source: &mut SqliteConnection) -> Result<(), MoveError> {
    let used: bool =
        sqlx::query_scalar("select exists (select 1 from sqlite_schema where name = 'instance')")
            .fetch_one(&mut *source)
            .await?;
    if !used {
        return Err(MoveError::Unused);
    }
    let environment: Option<String> = sqlx::query_scalar("select environment from instance")
        .fetch_optional(source)
        .await?;
    match environment.as_deref() {
        Some("production") => Ok(()),
        Some(other) => Err(MoveError::NotProduction(other.to_owned())),
        None => Err(MoveError::Unused),
    }
}

/// The PostgreSQL database, with the schema of this release.
async fn open_target(url: &str) -> Result<PgConnection, MoveError> {
    let options = PgConnectOptions::from_str(url).map_err(MoveError::OpenTarget)?;
    let mut target = options.connect().await.map_err(MoveError::OpenTarget)?;
    POSTGRES.run(&mut target).await?;
    Ok(target)
}

/// Every table, behind those that its rows refer to. The list of migrations is each database's own.
async fn tables(source: &mut SqliteConnection) -> Result<Vec<String>, MoveError> {
    let mut left: Vec<String> = sqlx::query_scalar(
        "select name from sqlite_schema where type = 'table'
         and name not like 'sqlite\\_%' escape '\\' and name <> '_sqlx_migrations' order by name",
    )
    .fetch_all(&mut *source)
    .await?;
    let references: Vec<(String, String)> = sqlx::query_as(
        "select tables.name, others.\"table\" from sqlite_schema as tables, pragma_foreign_key_list(tables.name) as others
         where tables.type = 'table' and others.\"table\" <> tables.name",
    )
    .fetch_all(source)
    .await?;
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let waits = |table: &String| {
            references
                .iter()
                .any(|(from, to)| from == table && left.contains(to))
        };
        let (waiting, free): (Vec<String>, Vec<String>) = left.iter().cloned().partition(waits);
        if free.is_empty() {
            return Err(MoveError::Circle(waiting));
        }
        ordered.extend(free);
        left = waiting;
    }
    Ok(ordered)
}

/// No table has rows, and none gets any from somebody else until the transaction ends.
async fn expect_empty(target: &mut PgConnection, tables: &[String]) -> Result<(), MoveError> {
    for table in tables {
        // What the triggers would note is copied like everything else.
        let prepare = format!(
            "lock table \"{table}\" in exclusive mode; alter table \"{table}\" disable trigger user"
        );
        sqlx::raw_sql(AssertSqlSafe(prepare))
            .execute(&mut *target)
            .await?;
        if count(target, table).await? > 0 {
            return Err(MoveError::NotEmpty(table.clone()));
        }
    }
    Ok(())
}

async fn count(target: &mut PgConnection, table: &str) -> Result<i64, sqlx::Error> {
    let count = format!("select count(*) from \"{table}\"");
    sqlx::query_scalar(AssertSqlSafe(count))
        .fetch_one(target)
        .await
}

/// Copies one table and counts what has arrived.
async fn copy(
    source: &mut SqliteConnection,
    target: &mut PgConnection,
    table: &str,
) -> Result<i64, MoveError> {
    let rows = format!("select count(*) from \"{table}\"");
    let sqlite: i64 = sqlx::query_scalar(AssertSqlSafe(rows))
        .fetch_one(&mut *source)
        .await?;
    // Without those that the database derives.
    let columns: Vec<(String, String)> = sqlx::query_as(
        "select format('''%s'', \"%s\"', name, name), format('\"%s\"', name) from pragma_table_info($1)",
    )
    .bind(table)
    .fetch_all(&mut *source)
    .await?;
    let (pairs, columns): (Vec<String>, Vec<String>) = columns.into_iter().unzip();
    let (pairs, columns) = (pairs.join(", "), columns.join(", "));
    let select = format!("select json_object({pairs}) from \"{table}\"");
    let insert = format!(
        "insert into \"{table}\" ({columns})
         select {columns} from json_populate_recordset(null::\"{table}\", $1::json)"
    );
    let rows = sqlx::query_scalar::<_, String>(AssertSqlSafe(select)).fetch(source);
    let mut portions = rows.try_chunks(ROWS);
    while let Some(rows) = portions.try_next().await.map_err(|stopped| stopped.1)? {
        sqlx::query(AssertSqlSafe(insert.as_str()))
            .bind(format!("[{}]", rows.join(",")))
            .execute(&mut *target)
            .await?;
    }
    let enable = format!("alter table \"{table}\" enable trigger user");
    sqlx::raw_sql(AssertSqlSafe(enable))
        .execute(&mut *target)
        .await?;
    let postgres = count(target, table).await?;
    if sqlite == postgres {
        Ok(postgres)
    } else {
        Err(MoveError::Lost {
            table: table.to_owned(),
            sqlite,
            postgres,
        })
    }
}
