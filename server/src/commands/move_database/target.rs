//! The PostgreSQL database that receives everything.

use std::str::FromStr;

use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions};

use super::MoveError;
use super::schema::{Column, Kind, Table};
use super::source::Value;
use crate::store::MIGRATIONS;

/// How many bytes are sent at once.
const CHUNK: usize = 64 * 1024;

/// Whether an address is of PostgreSQL.
pub(super) fn is_address(url: &str) -> bool {
    url.starts_with("postgres:") || url.starts_with("postgresql:")
}

/// The database, with the schema of this release.
pub(super) struct Target {
    pub(super) connection: PgConnection,
}

impl Target {
    pub(super) async fn open(url: &str) -> Result<Self, MoveError> {
        let options = PgConnectOptions::from_str(url).map_err(MoveError::OpenTarget)?;
        let mut connection = options.connect().await.map_err(MoveError::OpenTarget)?;
        MIGRATIONS.run(&mut connection).await?;
        Ok(Self { connection })
    }

    /// Both databases have the same tables with the same columns of the same types.
    pub(super) async fn expect_same(&mut self, tables: &[Table]) -> Result<(), MoveError> {
        let columns: Vec<(String, String, String)> = sqlx::query_as(
            "select cast(columns.table_name as text), cast(columns.column_name as text), cast(columns.data_type as text)
             from information_schema.columns
             join information_schema.tables using (table_schema, table_name)
             where table_schema = current_schema() and tables.table_type = 'BASE TABLE'
             and columns.table_name <> '_sqlx_migrations'
             order by columns.table_name, columns.ordinal_position",
        )
        .fetch_all(&mut self.connection)
        .await?;
        let mut found: Vec<Table> = Vec::new();
        for (table, name, kind) in columns {
            let Some(kind) = Kind::named(&kind) else {
                return Err(MoveError::UnknownType {
                    table,
                    column: name,
                    kind,
                });
            };
            if found.last().is_none_or(|last| last.name != table) {
                found.push(Table {
                    name: table,
                    columns: Vec::new(),
                });
            }
            if let Some(last) = found.last_mut() {
                last.columns.push(Column { name, kind });
            }
        }
        let describe = |tables: &[Table]| {
            let mut described: Vec<String> = tables.iter().map(Table::describe).collect();
            described.sort_unstable();
            described.join(", ")
        };
        let (sqlite, postgres) = (describe(tables), describe(&found));
        if sqlite == postgres {
            Ok(())
        } else {
            Err(MoveError::OtherSchema { sqlite, postgres })
        }
    }
}

/// No table has rows, and none gets any from somebody else until the transaction ends.
pub(super) async fn expect_empty(
    connection: &mut PgConnection,
    tables: &[Table],
) -> Result<(), MoveError> {
    let names: Vec<String> = tables.iter().map(Table::quoted).collect();
    let lock = format!("lock table {} in exclusive mode", names.join(", "));
    sqlx::query(AssertSqlSafe(lock))
        .execute(&mut *connection)
        .await?;
    for table in tables {
        if count(connection, table).await? > 0 {
            return Err(MoveError::NotEmpty(table.name.clone()));
        }
    }
    Ok(())
}

pub(super) async fn count(
    connection: &mut PgConnection,
    table: &Table,
) -> Result<u64, sqlx::Error> {
    let count = format!("select count(*) from {}", table.quoted());
    let count: i64 = sqlx::query_scalar(AssertSqlSafe(count))
        .fetch_one(connection)
        .await?;
    Ok(count.unsigned_abs())
}

/// Writes rows into a table and answers how many.
pub(super) async fn copy(
    connection: &mut PgConnection,
    table: &Table,
    mut rows: BoxStream<'_, Result<Vec<Value>, sqlx::Error>>,
) -> Result<u64, sqlx::Error> {
    let statement = format!(
        "copy {} ({}) from stdin",
        table.quoted(),
        table.quoted_columns()
    );
    let mut copy = connection.copy_in_raw(&statement).await?;
    let mut sent = 0;
    let mut lines = String::new();
    loop {
        let row = match rows.try_next().await {
            Ok(Some(row)) => row,
            Ok(None) => break,
            Err(error) => {
                copy.abort("the source failed").await?;
                return Err(error);
            }
        };
        write_line(&mut lines, &row);
        sent += 1;
        if lines.len() >= CHUNK {
            copy.send(std::mem::take(&mut lines).into_bytes()).await?;
        }
    }
    copy.send(lines.into_bytes()).await?;
    copy.finish().await?;
    Ok(sent)
}

/// One row in the text format of COPY (PostgreSQL's documentation of COPY, "Text Format").
fn write_line(lines: &mut String, row: &[Value]) {
    for (index, value) in row.iter().enumerate() {
        if index > 0 {
            lines.push('\t');
        }
        match value {
            None => lines.push_str("\\N"),
            Some(value) => value.chars().for_each(|character| match character {
                '\\' => lines.push_str("\\\\"),
                '\n' => lines.push_str("\\n"),
                '\r' => lines.push_str("\\r"),
                '\t' => lines.push_str("\\t"),
                other => lines.push(other),
            }),
        }
    }
    lines.push('\n');
}
