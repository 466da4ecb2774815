//! The SQLite database that is moved.

use std::str::FromStr;
use std::time::Duration;

use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteLockingMode, SqliteRow};
use sqlx::{AssertSqlSafe, ConnectOptions, Row};

use super::MoveError;
use super::schema::{Column, Kind, Table, in_order};
use crate::store::MIGRATIONS;

/// How long to wait for whoever has just closed it.
const PATIENCE: Duration = Duration::from_secs(2);

/// `SQLITE_BUSY`.
const BUSY: &str = "5";

/// A value on its way; none is null.
pub(super) type Value = Option<String>;

/// The database, which nobody else can open meanwhile.
pub(super) struct Source {
    connection: SqliteConnection,
}

impl Source {
    pub(super) async fn open(url: &str) -> Result<Self, MoveError> {
        if !url.starts_with("sqlite:") {
            return Err(MoveError::NotFromSqlite);
        }
        let options = SqliteConnectOptions::from_str(url)
            .map_err(MoveError::OpenSource)?
            .create_if_missing(false)
            .locking_mode(SqliteLockingMode::Exclusive)
            .busy_timeout(PATIENCE);
        let mut connection = options.connect().await.map_err(refused)?;
        // Taken before anything else is asked, and kept: a running server has the file open.
        sqlx::raw_sql("begin exclusive; commit")
            .execute(&mut connection)
            .await
            .map_err(refused)?;
        let mut source = Self { connection };
        source.expect_production().await?;
        MIGRATIONS.run(&mut source.connection).await?;
        Ok(source)
    }

    async fn expect_production(&mut self) -> Result<(), MoveError> {
        let used: i64 =
            sqlx::query_scalar("select count(*) from sqlite_schema where name = 'instance'")
                .fetch_one(&mut self.connection)
                .await?;
        let environment: Option<String> = if used == 0 {
            None
        } else {
            sqlx::query_scalar("select environment from instance")
                .fetch_optional(&mut self.connection)
                .await?
        };
        match environment.as_deref() {
            Some("production") => Ok(()),
            Some(other) => Err(MoveError::NotProduction(other.to_owned())),
            None => Err(MoveError::Unused),
        }
    }

    /// Every table, in an order in which it can be filled. The list of migrations is the target's own.
    pub(super) async fn tables(&mut self) -> Result<Vec<Table>, MoveError> {
        let names: Vec<String> = sqlx::query_scalar(
            "select name from sqlite_schema where type = 'table'
             and name not like 'sqlite\\_%' escape '\\' and name <> '_sqlx_migrations' order by name",
        )
        .fetch_all(&mut self.connection)
        .await?;
        let mut tables = Vec::with_capacity(names.len());
        for name in names {
            let others: Vec<String> =
                sqlx::query_scalar("select \"table\" from pragma_foreign_key_list($1)")
                    .bind(&name)
                    .fetch_all(&mut self.connection)
                    .await?;
            let columns = self.columns(&name).await?;
            tables.push((Table { name, columns }, others));
        }
        in_order(tables)
    }

    async fn columns(&mut self, table: &str) -> Result<Vec<Column>, MoveError> {
        let columns: Vec<(String, String)> =
            sqlx::query_as("select name, type from pragma_table_info($1) order by cid")
                .bind(table)
                .fetch_all(&mut self.connection)
                .await?;
        columns
            .into_iter()
            .map(|(name, declared)| match Kind::named(&declared) {
                Some(kind) => Ok(Column { name, kind }),
                None => Err(MoveError::UnknownType {
                    table: table.to_owned(),
                    column: name,
                    kind: declared,
                }),
            })
            .collect()
    }

    pub(super) async fn count(&mut self, table: &Table) -> Result<u64, sqlx::Error> {
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(format!(
            "select count(*) from {}",
            table.quoted()
        )))
        .fetch_one(&mut self.connection)
        .await?;
        Ok(count.unsigned_abs())
    }

    /// Every row of a table, its values in the order of the columns.
    pub(super) fn rows<'a>(
        &'a mut self,
        table: &'a Table,
    ) -> BoxStream<'a, Result<Vec<Value>, sqlx::Error>> {
        let select = format!("select {} from {}", table.quoted_columns(), table.quoted());
        sqlx::query(AssertSqlSafe(select))
            .fetch(&mut self.connection)
            .and_then(|row| std::future::ready(values(&row, table)))
            .boxed()
    }
}

fn values(row: &SqliteRow, table: &Table) -> Result<Vec<Value>, sqlx::Error> {
    let mut values = Vec::with_capacity(table.columns.len());
    for (index, column) in table.columns.iter().enumerate() {
        values.push(match column.kind {
            Kind::Text => row.try_get::<Option<String>, _>(index)?,
            Kind::Number => row
                .try_get::<Option<i64>, _>(index)?
                .map(|number| number.to_string()),
            Kind::Boolean => row
                .try_get::<Option<bool>, _>(index)?
                .map(|truth| truth.to_string()),
        });
    }
    Ok(values)
}

/// Why the database cannot be had.
fn refused(error: sqlx::Error) -> MoveError {
    let busy = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code)
        .is_some_and(|code| code == BUSY);
    if busy {
        MoveError::InUse
    } else {
        MoveError::OpenSource(error)
    }
}
