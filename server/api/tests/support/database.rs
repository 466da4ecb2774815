//! A fresh database for each test, of either kind.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use sqlx::AssertSqlSafe;

use crate::support::prelude::*;
use crate::support::process::ended;

/// An empty database. A SQLite file is deleted with it; a PostgreSQL database with its throwaway
/// cluster.
pub(crate) struct TestDatabase {
    /// The value for `DATABASE_URL`.
    pub(crate) url: String,
    _folder: Option<TempDir>,
}

impl TestDatabase {
    /// A SQLite file in its own folder.
    pub(crate) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("test.sqlite").display());
        let _folder = Some(folder);
        Self { url, _folder }
    }

    /// A new database in the cluster at `TEST_POSTGRES_URL`.
    pub(crate) async fn postgres() -> Self {
        let cluster = std::env::var("TEST_POSTGRES_URL");
        let cluster = cluster.expect("TEST_POSTGRES_URL: run ./test, which starts a PostgreSQL");
        let name = format!("test_{}", Uuid::new_v4().simple());
        administer(&cluster, format!("create database {name}")).await;
        let mut url = Url::parse(&cluster).expect("TEST_POSTGRES_URL is a URL");
        url.set_path(&name);
        let (url, _folder) = (url.into(), None);
        Self { url, _folder }
    }

    /// Another one of the same kind.
    pub(crate) async fn alike(&self) -> Self {
        match self.url.starts_with("sqlite:") {
            true => Self::sqlite().await,
            false => Self::postgres().await,
        }
    }

    /// A backup of it, as an operator makes one.
    pub(crate) async fn copy(&self) -> Self {
        let copy = self.alike().await;
        match self.files().first() {
            Some(file) => {
                let from = sqlx::SqliteConnection::connect(&format!("sqlite:{}", file.display()));
                let to = copy.files()[0].display().to_string();
                let copied = sqlx::query("vacuum into $1").bind(to);
                copied.execute(&mut from.await.unwrap()).await.unwrap();
            }
            None => dump_into(&self.url, &copy.url),
        }
        copy
    }

    /// The same database for another server; it exists as long as this one.
    pub(crate) fn again(&self) -> Self {
        let (url, _folder) = (self.url.clone(), None);
        Self { url, _folder }
    }

    /// The file and -wal file of a SQLite database; nothing for PostgreSQL.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let path = self.url.strip_prefix("sqlite:").into_iter();
        path.flat_map(|path| [path.into(), format!("{path}-wal").into()])
            .collect()
    }

    /// Drops a database of a cluster, even while it is in use.
    pub(crate) async fn disappear(&self) {
        let mut cluster = Url::parse(&self.url).unwrap();
        let drop = cluster.path().replace('/', "drop database ") + " with (force)";
        cluster.set_path("postgres");
        administer(cluster.as_str(), drop).await;
    }

    /// Opens it with the current schema.
    pub(crate) async fn store(&self) -> Store {
        Store::connect(&self.url).await.expect("a store")
    }
}

/// The two commands of `.github/OPERATIONS.md`, for a backup and for restoring it.
pub(crate) fn dump_into(from: &str, to: &str) {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("reserves.dump").display().to_string();
    let (file, target) = (format!("--file={dump}"), format!("--dbname={to}"));
    let from = ["--format=custom", &file, from, "--no-password"];
    let to = ["--no-owner", "--exit-on-error", &target, &dump];
    for (name, arguments) in [("pg_dump", from), ("pg_restore", to)] {
        ended(postgres_program(name).args(arguments)).done();
    }
}

/// A program of PostgreSQL: on the PATH, or the newest in Debian's folder.
fn postgres_program(name: &str) -> Command {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let folders = versions.flatten().map(|it| it.path().join("bin"));
    let programs = folders.map(|it| it.join(name));
    let newest = programs.filter(|program| program.is_file()).max();
    newest.map_or_else(|| Command::new(name), Command::new)
}

/// Creates or drops a database.
async fn administer(cluster: &str, sql: String) {
    let admin = PgConnection::connect(cluster).await;
    let mut admin = admin.expect("the PostgreSQL at TEST_POSTGRES_URL answers");
    let done = sqlx::query(AssertSqlSafe(sql)).execute(&mut admin).await;
    done.unwrap();
}

/// Makes all leases older by this many seconds; they run by the database's clock.
pub(crate) async fn leases_age(store: &Store, seconds: i64) {
    let age = format!("update leases set expires_at = expires_at - {seconds}");
    execute(store, age).await;
}

/// Runs statements that the store has no method for.
pub(crate) async fn run(database: &Database, sql: impl Into<String>) -> Result<(), sqlx::Error> {
    let sql = sqlx::raw_sql(AssertSqlSafe(sql.into()));
    match database {
        Database::Sqlite(pool) => sql.execute(pool).await.map(drop),
        Database::Postgres(pool) => sql.execute(pool).await.map(drop),
    }
}

/// The first column of a query's result.
pub(crate) async fn texts(database: &Database, sql: impl Into<String>) -> Vec<String> {
    let sql = AssertSqlSafe(sql.into());
    let found = match database {
        Database::Sqlite(pool) => sqlx::query_scalar(sql).fetch_all(pool).await,
        Database::Postgres(pool) => sqlx::query_scalar(sql).fetch_all(pool).await,
    };
    found.unwrap()
}

/// The single number in a query's result.
pub(crate) async fn number(database: &Database, sql: impl Into<String>) -> i64 {
    let found = texts(database, format!("select cast(({}) as text)", sql.into())).await;
    found[0].parse().unwrap()
}

/// A column of a table, and its type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::FromRow)]
pub(crate) struct Column {
    pub(crate) table: String,
    pub(crate) name: String,
    pub(crate) kind: String,
}

/// Every column of every table except the system's and the migrations', in an order that both databases have.
pub(crate) async fn columns(database: &Database) -> Vec<Column> {
    const SQLITE: &str = r#"select tables.name as "table", columns.name, lower(columns.type) as kind
        from sqlite_schema as tables, pragma_table_xinfo(tables.name) as columns
        where tables.type = 'table' and tables.name not like 'sqlite%' and tables.name <> '_sqlx_migrations'"#;
    const POSTGRES: &str = r#"select cast(table_name as text) as "table", cast(column_name as text) as name,
          cast(data_type as text) as kind
        from information_schema.columns where table_schema = current_schema() and table_name <> '_sqlx_migrations'"#;
    let columns = match database {
        Database::Sqlite(pool) => sqlx::query_as(SQLITE).fetch_all(pool).await,
        Database::Postgres(pool) => sqlx::query_as(POSTGRES).fetch_all(pool).await,
    };
    let mut columns: Vec<Column> = columns.expect("a schema");
    columns.sort_unstable();
    columns
}

/// Every row of each table as text, with these columns.
pub(crate) async fn contents(of: &Database, columns: &[Column]) -> BTreeMap<String, Vec<String>> {
    let mut contents = BTreeMap::new();
    for of_table in columns.chunk_by(|one, other| one.table == other.table) {
        let texts_of = |column: &Column| {
            let name = &column.name;
            let text = match (of, column.kind.as_str()) {
                (Database::Sqlite(_), "boolean") => {
                    format!("case {name} when 1 then 'true' when 0 then 'false' end")
                }
                _ => format!("cast({name} as text)"),
            };
            format!("coalesce({text}, '(null)')")
        };
        let row: Vec<_> = of_table.iter().map(texts_of).collect();
        let table = &of_table[0].table;
        let rows = format!("select {} from {table}", row.join(" || '|' || "));
        let mut rows = texts(of, rows).await;
        rows.sort_unstable();
        contents.insert(table.clone(), rows);
    }
    contents
}

/// Runs each behavior on SQLite and on PostgreSQL.
macro_rules! on_both {
    ($($behavior:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $behavior() {
                super::$behavior(crate::support::database::TestDatabase::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test]
            async fn $behavior() {
                super::$behavior(crate::support::database::TestDatabase::postgres().await).await;
            })*
        }
    };
}
pub(crate) use on_both;
