//! Copies everything from SQLite to PostgreSQL, for a board that outgrows one machine.
//!
//! The tables are read from the schema, so that a later table cannot be forgotten. Rows are copied as JSON, which both
//! databases read and write by column name. Keys and sessions are copied too, so users stay signed in.

use std::str::FromStr;
use std::time::Duration;

use futures_util::TryStreamExt;
use sqlx::error::DatabaseError;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteLockingMode};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::app::Failure;
use store::schema::{POSTGRES, SQLITE};
use store::sqlite_file::expect_there;

/// How long to wait for a process that is closing the SQLite database.
const TIMEOUT: Duration = Duration::from_secs(2);

/// `SQLITE_BUSY`.
const BUSY: &str = "5";

/// How many rows are sent at once; one with a picture has up to a megabyte.
const ROWS: usize = 100;

/// Moves the database at `from` into the empty one at `to`: all of it, or nothing.
pub(super) async fn run(from: &str, to: &str) -> Result<String, Failure> {
    if !(to.starts_with("postgres:") || to.starts_with("postgresql:")) {
        return Err("--to is not the address of a PostgreSQL database".into());
    }
    if !from.starts_with("sqlite:") {
        return Err("DATABASE_URL is not a SQLite database; set it to the one to move".into());
    }
    expect_there(from)?;
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
        "Moved {rows} rows of {} tables. The SQLite database is unchanged; set DATABASE_URL to the new database and start the server.",
        tables.len()
    ))
}

/// Opens the SQLite database and locks out every other process.
async fn open_source(url: &str) -> Result<SqliteConnection, Failure> {
    let options = SqliteConnectOptions::from_str(url)
        .map_err(unopened)?
        .create_if_missing(false)
        .locking_mode(SqliteLockingMode::Exclusive)
        .busy_timeout(TIMEOUT);
    let mut source = options.connect().await.map_err(unopened)?;
    // Locked before the first read, until the connection is closed. It fails while a server has the file open.
    sqlx::raw_sql("begin exclusive; commit")
        .execute(&mut source)
        .await
        .map_err(unopened)?;
    expect_production(&mut source).await?;
    SQLITE.run(&mut source).await?;
    Ok(source)
}

fn unopened(error: sqlx::Error) -> Failure {
    let code = error.as_database_error().and_then(DatabaseError::code);
    if code.is_some_and(|code| code == BUSY) {
        "the SQLite database is in use; stop the server first".into()
    } else {
        format!("the SQLite database cannot be opened: {error}").into()
    }
}

async fn expect_production(source: &mut SqliteConnection) -> Result<(), Failure> {
    let used: bool =
        sqlx::query_scalar("select exists (select 1 from sqlite_schema where name = 'instance')")
            .fetch_one(&mut *source)
            .await?;
    let environment: Option<String> = if used {
        sqlx::query_scalar("select environment from instance")
            .fetch_optional(source)
            .await?
    } else {
        None
    };
    match environment.as_deref() {
        Some("production") => Ok(()),
        Some(other) => Err(format!(
            "the SQLite database was made by a server in {other} mode: its proofs are worthless, and it is not moved"
        )
        .into()),
        None => Err("no server has ever used the SQLite database, so there is nothing to move".into()),
    }
}

/// The PostgreSQL database, with the schema of this release.
async fn open_target(url: &str) -> Result<PgConnection, Failure> {
    let unopened = |error| format!("the PostgreSQL database cannot be opened: {error}");
    let options = PgConnectOptions::from_str(url).map_err(unopened)?;
    let mut target = options.connect().await.map_err(unopened)?;
    POSTGRES.run(&mut target).await?;
    Ok(target)
}

/// All tables, each after those that its rows refer to. Each database keeps its own list of migrations.
async fn tables(source: &mut SqliteConnection) -> Result<Vec<String>, Failure> {
    let tables = sqlx::query_scalar(
        "with recursive ordered (name, place) as (
            select name, 0 from sqlite_schema
              where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> '_sqlx_migrations'
            union
            select tables.name, place + 1
              from ordered, sqlite_schema as tables, pragma_foreign_key_list(tables.name) as others
              where others.\"table\" = ordered.name and tables.name <> ordered.name and place < 20
         )
         select name from ordered group by name order by max(place), name",
    );
    Ok(tables.fetch_all(source).await?)
}

/// Checks that no table has rows, and locks all of them until the transaction ends.
async fn expect_empty(target: &mut PgConnection, tables: &[String]) -> Result<(), Failure> {
    for table in tables {
        // Rows that triggers would write are copied like all others.
        let prepare = format!(
            "lock table \"{table}\" in exclusive mode; alter table \"{table}\" disable trigger user"
        );
        sqlx::raw_sql(AssertSqlSafe(prepare))
            .execute(&mut *target)
            .await?;
        let filled = format!("select exists (select 1 from \"{table}\")");
        if sqlx::query_scalar(AssertSqlSafe(filled))
            .fetch_one(&mut *target)
            .await?
        {
            return Err(format!(
                "the PostgreSQL database is not empty: {table} has rows; name an empty one"
            )
            .into());
        }
    }
    Ok(())
}

/// Copies one table, and returns the number of its rows.
async fn copy(
    source: &mut SqliteConnection,
    target: &mut PgConnection,
    table: &str,
) -> Result<u64, Failure> {
    // Without generated columns.
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
    let (mut read, mut written) = (0, 0);
    while let Some(rows) = portions.try_next().await.map_err(|stopped| stopped.1)? {
        let inserted = sqlx::query(AssertSqlSafe(insert.as_str()))
            .bind(format!("[{}]", rows.join(",")))
            .execute(&mut *target)
            .await?;
        read += rows.len() as u64;
        written += inserted.rows_affected();
    }
    let enable = format!("alter table \"{table}\" enable trigger user");
    sqlx::raw_sql(AssertSqlSafe(enable))
        .execute(&mut *target)
        .await?;
    if read == written {
        Ok(written)
    } else {
        Err(format!("{table} has {read} rows, but {written} were copied").into())
    }
}
