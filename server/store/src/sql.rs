//! Statements that run on either database.
//!
//! The SQL is written once, in the subset that both understand (`migrations/README.md`). It is compiled against both drivers: a
//! [`Value`] is of a type that both support, and so are the fields of a [`Row`].

use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArguments, PgConnection, PgPool, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqlitePool, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Encode, FromRow, Postgres, SqlSafeStr, SqlStr, Sqlite, Type};

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
    values: Vec<Parameter<'c>>,
}

enum Parameter<'c> {
    One(&'c dyn Value),
    /// All values of a list, or of one column of rows: an array for PostgreSQL, JSON text for SQLite. So the
    /// statement is the same for any number of values, and never has hundreds of parameters.
    Array(Column<'c>),
    Json(String),
}

/// One column of rows that a statement takes.
pub(super) enum Column<'c> {
    Texts(Vec<&'c str>),
    Integers(Vec<i64>),
    OptionalIntegers(Vec<Option<i64>>),
    Flags(Vec<bool>),
}

impl<'c> Column<'c> {
    fn len(&self) -> usize {
        match self {
            Self::Texts(values) => values.len(),
            Self::Integers(values) => values.len(),
            Self::OptionalIntegers(values) => values.len(),
            Self::Flags(values) => values.len(),
        }
    }

    fn json(&self, row: usize) -> serde_json::Value {
        match self {
            Self::Texts(values) => values[row].into(),
            Self::Integers(values) => values[row].into(),
            Self::OptionalIntegers(values) => values[row].into(),
            Self::Flags(values) => values[row].into(),
        }
    }
}

impl Parameter<'_> {
    fn add_to_sqlite(&self, arguments: &mut SqliteArguments) -> Result<(), BoxDynError> {
        match self {
            Self::One(value) => value.add_to_sqlite(arguments),
            Self::Json(text) => arguments.add(text),
            Self::Array(_) => Err("SQLite has no arrays".into()),
        }
    }

    fn add_to_postgres(&self, arguments: &mut PgArguments) -> Result<(), BoxDynError> {
        match self {
            Self::One(value) => value.add_to_postgres(arguments),
            Self::Array(Column::Texts(values)) => arguments.add(values),
            Self::Array(Column::Integers(values)) => arguments.add(values),
            Self::Array(Column::OptionalIntegers(values)) => arguments.add(values),
            Self::Array(Column::Flags(values)) => arguments.add(values),
            Self::Json(text) => arguments.add(text),
        }
    }
}

/// Runs the same code with the driver of either database.
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

fn arguments<'c, A: Arguments>(
    values: &[Parameter<'c>],
    add: impl Fn(&Parameter<'c>, &mut A) -> Result<(), BoxDynError>,
) -> Result<A, sqlx::Error> {
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
            values: values.iter().copied().map(Parameter::One).collect(),
        }
    }

    /// Replaces `in ($list)` with these values, as one parameter after the others.
    pub(super) fn list<T: AsRef<str>>(mut self, list: &'c [T]) -> Self {
        let values: Vec<&str> = list.iter().map(AsRef::as_ref).collect();
        let number = self.values.len() + 1;
        if self.is_postgres() {
            self.values.push(Parameter::Array(Column::Texts(values)));
            self.replace("in ($list)", &format!("= any(${number})"))
        } else {
            self.values
                .push(Parameter::Json(serde_json::Value::from(values).to_string()));
            let list = format!("in (select value from json_each(${number}))");
            self.replace("in ($list)", &list)
        }
    }

    /// Replaces `$rows` with a table `given` of rows with these columns, which have the same length.
    pub(super) fn rows<const WIDTH: usize>(mut self, columns: [(&str, Column<'c>); WIDTH]) -> Self {
        let first = self.values.len() + 1;
        if self.is_postgres() {
            let numbers: Vec<String> = (first..first + WIDTH)
                .map(|number| format!("${number}"))
                .collect();
            let names = columns.each_ref().map(|(name, _)| *name).join(", ");
            self.values.extend(
                columns
                    .into_iter()
                    .map(|(_, column)| Parameter::Array(column)),
            );
            let rows = format!("unnest({}) as given({names})", numbers.join(", "));
            return self.replace("$rows", &rows);
        }
        let rows = columns.first().map_or(0, |(_, column)| column.len());
        let rows: serde_json::Value = (0..rows)
            .map(|row| {
                let values = columns.iter().map(|(_, column)| column.json(row));
                values.collect::<serde_json::Value>()
            })
            .collect();
        self.values.push(Parameter::Json(rows.to_string()));
        let names: Vec<String> = columns
            .iter()
            .enumerate()
            .map(|(place, (name, _))| format!("value ->> {place} as {name}"))
            .collect();
        let names = names.join(", ");
        self.replace(
            "$rows",
            &format!("(select {names} from json_each(${first})) as given"),
        )
    }

    fn is_postgres(&self) -> bool {
        matches!(self.runner, Runner::PostgresPool(_) | Runner::Postgres(_))
    }

    fn replace(mut self, place: &str, text: &str) -> Self {
        let sql = self.sql.as_str().replace(place, text);
        self.sql = AssertSqlSafe(sql).into_sql_str();
        self
    }

    pub(super) async fn run(self) -> Result<(), sqlx::Error> {
        self.execute().await?;
        Ok(())
    }

    /// Returns the number of changed rows.
    pub(super) async fn execute(self) -> Result<u64, sqlx::Error> {
        each!(self, |runner, arguments| {
            let query = sqlx::query_with(self.sql, arguments);
            Ok(query.execute(runner).await?.rows_affected())
        })
    }

    pub(super) async fn all<R: Row>(self) -> Result<Vec<R>, sqlx::Error> {
        each!(self, |runner, arguments| {
            let query = sqlx::query_as_with(self.sql, arguments);
            query.fetch_all(runner).await
        })
    }

    pub(super) async fn optional<R: Row>(self) -> Result<Option<R>, sqlx::Error> {
        each!(self, |runner, arguments| {
            let query = sqlx::query_as_with(self.sql, arguments);
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

    /// The first column of the only row.
    pub(super) async fn value<T>(self) -> Result<T, sqlx::Error>
    where
        (T,): Row,
    {
        self.scalar().await?.ok_or(sqlx::Error::RowNotFound)
    }
}
