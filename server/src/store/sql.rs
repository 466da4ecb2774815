//! Statements that run on either database.
//!
//! The SQL is written once, in what both speak (`migrations/README.md`). It is compiled against both drivers: a
//! [`Value`] is of a type that both know, and so are the fields of a [`Row`].

use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArguments, PgConnection, PgPool, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqlitePool, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Encode, FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite, Type};

/// How many rows one statement names at most. Both databases take more parameters, but SQLite finds each by walking
/// along their names.
pub(super) const CHUNK: usize = 500;

/// What a statement binds.
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

/// What a statement answers.
pub(super) trait Row:
    Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>
{
}

impl<T> Row for T where T: Send + Unpin + for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow>
{}

/// Who runs a statement: whichever connection is free, or the one of a transaction.
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
    prepared: bool,
}

/// Runs the same body with the driver of either database.
macro_rules! each {
    ($statement:ident, |$runner:ident, $arguments:ident| $body:expr) => {
        match $statement.runner {
            Runner::SqlitePool($runner) => {
                let $arguments =
                    arguments(&$statement.values, |value, to| value.add_to_sqlite(to))?;
                $body
            }
            Runner::Sqlite($runner) => {
                let $arguments =
                    arguments(&$statement.values, |value, to| value.add_to_sqlite(to))?;
                $body
            }
            Runner::PostgresPool($runner) => {
                let $arguments =
                    arguments(&$statement.values, |value, to| value.add_to_postgres(to))?;
                $body
            }
            Runner::Postgres($runner) => {
                let $arguments =
                    arguments(&$statement.values, |value, to| value.add_to_postgres(to))?;
                $body
            }
        }
    };
}

fn arguments<A: Arguments>(
    values: &[&dyn Value],
    add: impl Fn(&dyn Value, &mut A) -> Result<(), BoxDynError>,
) -> Result<A, sqlx::Error> {
    let mut arguments = A::default();
    for value in values {
        add(*value, &mut arguments).map_err(sqlx::Error::Encode)?;
    }
    Ok(arguments)
}

impl<'c> Statement<'c> {
    pub(super) fn new(runner: Runner<'c>, sql: impl SqlSafeStr, values: &[&'c dyn Value]) -> Self {
        Self {
            runner,
            sql: sql.into_sql_str(),
            values: values.to_vec(),
            prepared: true,
        }
    }

    /// Puts these values, behind those that are there, in the place of `$list`.
    pub(super) fn list<V: Value>(self, list: &'c [V]) -> Self {
        self.extend(
            "$list",
            list.iter().map(|value| value as &dyn Value),
            |numbers| numbers.join(", "),
        )
    }

    /// Puts rows of so many values, behind those that are there, in the place of `$rows`.
    pub(super) fn rows(self, width: usize, values: impl Iterator<Item = &'c dyn Value>) -> Self {
        self.extend("$rows", values, |numbers| {
            let rows: Vec<String> = numbers
                .chunks(width)
                .map(|row| format!("({})", row.join(", ")))
                .collect();
            rows.join(", ")
        })
    }

    fn extend(
        mut self,
        place: &str,
        values: impl Iterator<Item = &'c dyn Value>,
        text: impl Fn(&[String]) -> String,
    ) -> Self {
        let first = self.values.len() + 1;
        self.values.extend(values);
        let numbers: Vec<String> = (first..=self.values.len())
            .map(|number| format!("${number}"))
            .collect();
        let sql = self.sql.as_str().replace(place, &text(&numbers));
        self.sql = AssertSqlSafe(sql).into_sql_str();
        self
    }

    /// Does not keep the statement prepared, because another one of the same text is unlikely.
    pub(super) fn once(mut self) -> Self {
        self.prepared = false;
        self
    }

    pub(super) async fn run(self) -> Result<(), sqlx::Error> {
        self.execute().await?;
        Ok(())
    }

    /// Answers how many rows it has changed.
    pub(super) async fn execute(self) -> Result<u64, sqlx::Error> {
        each!(self, |runner, arguments| {
            let query = sqlx::query_with(self.sql, arguments).persistent(self.prepared);
            Ok(query.execute(runner).await?.rows_affected())
        })
    }

    pub(super) async fn all<R: Row>(self) -> Result<Vec<R>, sqlx::Error> {
        each!(self, |runner, arguments| {
            let query = sqlx::query_as_with(self.sql, arguments).persistent(self.prepared);
            query.fetch_all(runner).await
        })
    }

    pub(super) async fn optional<R: Row>(self) -> Result<Option<R>, sqlx::Error> {
        each!(self, |runner, arguments| {
            let query = sqlx::query_as_with(self.sql, arguments).persistent(self.prepared);
            query.fetch_optional(runner).await
        })
    }

    pub(super) async fn one<R: Row>(self) -> Result<R, sqlx::Error> {
        self.optional().await?.ok_or(sqlx::Error::RowNotFound)
    }

    /// The first column of every row.
    pub(super) async fn column<T>(self) -> Result<Vec<T>, sqlx::Error>
    where
        (T,): Row,
    {
        let rows = self.all().await?;
        Ok(rows.into_iter().map(|(value,)| value).collect())
    }

    /// The first column of the first row.
    pub(super) async fn scalar<T>(self) -> Result<Option<T>, sqlx::Error>
    where
        (T,): Row,
    {
        let row = self.optional().await?;
        Ok(row.map(|(value,)| value))
    }

    /// The first column of the one row.
    pub(super) async fn value<T>(self) -> Result<T, sqlx::Error>
    where
        (T,): Row,
    {
        self.scalar().await?.ok_or(sqlx::Error::RowNotFound)
    }
}
