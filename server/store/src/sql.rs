//! Statements that run on either database.
//!
//! The SQL is written once, in the subset that both understand (`migrations/README.md`). It is compiled against both drivers: a
//! [`Value`] is of a type that both support, and so are the fields of a [`Row`].

use std::time::Duration;

use futures_util::stream::{BoxStream, StreamExt};
use serde::de::DeserializeOwned;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArguments, PgConnection, PgPool, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqlitePool, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Encode, FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite, Type};

/// How long an answer of PostgreSQL may take: a little longer than its own limit for a statement, so this ends only what waits for a host
/// that is gone.
const DEADLINE: Duration = Duration::from_secs(65);

/// A value that a statement binds.
pub(super) trait Value: Sync {
    fn add_to_sqlite(&self, arguments: &mut SqliteArguments) -> Result<(), BoxDynError>;
    fn add_to_postgres(&self, arguments: &mut PgArguments) -> Result<(), BoxDynError>;
}

impl<T> Value for T
where
    T: Sync + Type<Sqlite> + Type<Postgres>,
    T: for<'v> Encode<'v, Sqlite> + for<'v> Encode<'v, Postgres>,
{
    fn add_to_sqlite(&self, arguments: &mut SqliteArguments) -> Result<(), BoxDynError> {
        arguments.add(self)
    }

    fn add_to_postgres(&self, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
        arguments.add(self)
    }
}

/// A row that a statement returns.
pub(super) trait Row:
    Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>
{
}

impl<T> Row for T where T: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>
{}

/// Where a statement runs: on any free connection, or on that of a transaction.
pub(super) enum Runner<'c> {
    SqlitePool(&'c SqlitePool),
    Sqlite(&'c mut SqliteConnection),
    PostgresPool(&'c PgPool),
    Postgres(&'c mut PgConnection),
}

/// A statement with its values, `$1` and so on.
pub(super) struct Statement<'c> {
    runner: Runner<'c>,
    sql: SqlStr,
    values: Vec<&'c dyn Value>,
    /// A list or rows, as JSON: the last value.
    given: Option<String>,
}

/// Runs the same code with the driver of either database.
macro_rules! each {
    ($statement:ident, |$runner:ident, $arguments:ident| $body:expr) => {{
        let given = $statement.given.iter().map(|it| it as &dyn Value);
        let values = $statement.values.iter().copied().chain(given);
        match $statement.runner {
            Runner::SqlitePool($runner) => {
                let $arguments = arguments(values, <dyn Value>::add_to_sqlite)?;
                $body
            }
            Runner::Sqlite($runner) => {
                let $arguments = arguments(values, <dyn Value>::add_to_sqlite)?;
                $body
            }
            Runner::PostgresPool($runner) => {
                let $arguments = arguments(values, <dyn Value>::add_to_postgres)?;
                $body
            }
            Runner::Postgres($runner) => {
                let $arguments = arguments(values, <dyn Value>::add_to_postgres)?;
                $body
            }
        }
    }};
}

fn arguments<'v, A: Arguments>(
    values: impl Iterator<Item = &'v dyn Value>,
    add: fn(&(dyn Value + 'v), &mut A) -> Result<(), BoxDynError>,
) -> sqlx::Result<A> {
    let mut arguments = A::default();
    for value in values {
        add(value, &mut arguments).map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

impl<'c> Statement<'c> {
    pub(super) fn new(runner: Runner<'c>, sql: impl SqlSafeStr, values: &[&'c dyn Value]) -> Self {
        Self {
            runner,
            sql: sql.into_sql_str(),
            values: values.to_vec(),
            given: None,
        }
    }

    /// Replaces `in ($list)` with these values, as one parameter after the others.
    pub(super) fn list(self, list: &[impl AsRef<str>]) -> Self {
        let list: Vec<&str> = list.iter().map(AsRef::as_ref).collect();
        let number = self.values.len() + 1;
        // An array, so that PostgreSQL looks each value up in an index.
        let sql = match self.is_postgres() {
            true => {
                format!("= any(array(select json_array_elements_text(cast(${number} as json))))")
            }
            false => format!("in (select value from json_each(${number}))"),
        };
        self.give(list.into(), "in ($list)", &sql)
    }

    /// Replaces `$rows` with a table `given` of these rows, which are JSON objects, as one parameter after the others. `columns` have
    /// PostgreSQL's types: `txid text, vout bigint`.
    pub(super) fn rows(self, columns: &str, rows: Vec<serde_json::Value>) -> Self {
        let number = self.values.len() + 1;
        let table = if self.is_postgres() {
            format!("json_to_recordset(cast(${number} as json)) as given({columns})")
        } else {
            let names = columns.split(", ").filter_map(|it| it.split(' ').next());
            let values: Vec<_> = names
                .map(|name| format!("value ->> '{name}' as {name}"))
                .collect();
            let values = values.join(", ");
            format!("(select {values} from json_each(${number})) as given")
        };
        self.give(rows.into(), "$rows", &table)
    }

    fn give(mut self, given: serde_json::Value, placeholder: &str, sql: &str) -> Self {
        self.given = Some(given.to_string());
        self.replace(placeholder, sql)
    }

    /// Locks the rows that a `select` returns, as in `for update`. SQLite has only one writer, and needs no such lock.
    pub(super) fn locking(mut self, lock: &str) -> Self {
        if self.is_postgres() {
            let sql = format!("{} {lock}", self.sql.as_str());
            self.sql = AssertSqlSafe(sql).into_sql_str();
        }
        self
    }

    /// Replaces `$now` with the database's time in unix seconds, which is the same for every replica.
    pub(super) fn timed(self) -> Self {
        let now = match self.is_postgres() {
            true => "cast(extract(epoch from clock_timestamp()) as bigint)",
            false => "unixepoch()",
        };
        self.replace("$now", now)
    }

    fn is_postgres(&self) -> bool {
        matches!(self.runner, Runner::PostgresPool(_) | Runner::Postgres(_))
    }

    fn replace(mut self, placeholder: &str, text: &str) -> Self {
        let sql = self.sql.as_str().replace(placeholder, text);
        self.sql = AssertSqlSafe(sql).into_sql_str();
        self
    }

    pub(super) async fn run(self) -> sqlx::Result<()> {
        self.execute().await?;
        Ok(())
    }

    /// Returns the number of changed rows.
    pub(super) async fn execute(self) -> sqlx::Result<u64> {
        each!(self, |runner, arguments| {
            let query = sqlx::query_with(self.sql, arguments);
            let done = within(DEADLINE, query.execute(runner)).await?;
            Ok(done.rows_affected())
        })
    }

    /// Whether it changed a row.
    pub(super) async fn has_changed(self) -> sqlx::Result<bool> {
        Ok(self.execute().await? > 0)
    }

    pub(super) async fn all<R: Row>(self) -> sqlx::Result<Vec<R>> {
        each!(self, |runner, arguments| {
            let query = sqlx::query_as_with(self.sql, arguments);
            within(DEADLINE, query.fetch_all(runner)).await
        })
    }

    /// All rows, many in each row of the result: SQLite's driver wakes a thread for each of those, which costs more than the row does.
    /// The statement has `$portion` where `columns`, which are the fields of `R`, become JSON.
    pub(super) fn portions<R: DeserializeOwned>(
        self,
        columns: &str,
    ) -> sqlx::Result<BoxStream<'c, sqlx::Result<Vec<R>>>> {
        let json = if self.is_postgres() {
            format!("cast(json_agg(json_build_array({columns})) as text)")
        } else {
            format!("json_group_array(json_array({columns}))")
        };
        let statement = self.replace("$portion", &json);
        each!(statement, |runner, arguments| {
            let portions = sqlx::query_scalar_with(statement.sql, arguments).fetch(runner);
            Ok(portions.map(|json| parse(json?)).boxed())
        })
    }

    /// The first row. The statement is read to its end: a write that returns rows is committed only there, and fails there when the disk
    /// is full.
    pub(super) async fn optional<R: Row>(self) -> sqlx::Result<Option<R>> {
        let rows = self.all().await?;
        Ok(rows.into_iter().next())
    }

    pub(super) async fn one<R: Row>(self) -> sqlx::Result<R> {
        self.optional().await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// The first column of every row.
    pub(super) async fn column<T>(self) -> sqlx::Result<Vec<T>>
    where
        (T,): Row,
    {
        let rows = self.all().await?;
        Ok(rows.into_iter().map(|(value,)| value).collect())
    }

    /// The first column of the first row.
    pub(super) async fn scalar<T>(self) -> sqlx::Result<Option<T>>
    where
        (T,): Row,
    {
        let row = self.optional().await?;
        Ok(row.map(|(value,)| value))
    }

    /// The first column of the only row.
    pub(super) async fn value<T>(self) -> sqlx::Result<T>
    where
        (T,): Row,
    {
        self.scalar().await?.ok_or(sqlx::Error::RowNotFound)
    }
}

/// The result of `work`, or an error of the connection when it takes longer.
pub(super) async fn within<T>(
    limit: Duration,
    work: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<T> {
    let done = tokio::time::timeout(limit, work).await;
    done.unwrap_or_else(|late| Err(sqlx::Error::Io(late.into())))
}

/// PostgreSQL has null for a portion without rows.
fn parse<R: DeserializeOwned>(portion: Option<String>) -> sqlx::Result<Vec<R>> {
    let rows = serde_json::from_str(portion.as_deref().unwrap_or("[]"));
    rows.map_err(|error| sqlx::Error::Decode(error.into()))
}
