//! A fresh database for each test, of either kind.

use std::path::PathBuf;

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use store::Store;
use tempfile::TempDir;
use uuid::Uuid;

/// An empty database. A SQLite file goes with it; a PostgreSQL database goes with the throwaway
/// cluster that it lives in.
#[derive(Debug)]
pub(crate) struct TestDatabase {
    /// What `DATABASE_URL` would be.
    pub(crate) url: String,
    _folder: Option<TempDir>,
}

impl TestDatabase {
    /// A SQLite file in a folder of its own.
    pub(crate) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let url = format!("sqlite:{}", folder.path().join("test.sqlite").display());
        Self {
            url,
            _folder: Some(folder),
        }
    }

    /// A database of its own in the cluster at `TEST_POSTGRES_URL`.
    pub(crate) async fn postgres() -> Self {
        let cluster = std::env::var("TEST_POSTGRES_URL").expect(
            "TEST_POSTGRES_URL is not set; run ./test, which starts a PostgreSQL for the tests",
        );
        let name = format!("test_{}", Uuid::new_v4().simple());
        let mut connection = PgConnection::connect(&cluster)
            .await
            .expect("the PostgreSQL at TEST_POSTGRES_URL answers");
        sqlx::query(AssertSqlSafe(format!("create database {name}")))
            .execute(&mut connection)
            .await
            .expect("a new database");
        let mut url = url::Url::parse(&cluster).expect("TEST_POSTGRES_URL is a URL");
        url.set_path(&name);
        Self {
            url: url.into(),
            _folder: None,
        }
    }

    /// The same database for another server; it is there as long as this one.
    pub(crate) fn again(&self) -> Self {
        Self {
            url: self.url.clone(),
            _folder: None,
        }
    }

    /// The files that hold it and its log; none for a database of a cluster.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let path = self.url.strip_prefix("sqlite:");
        path.map_or_else(Vec::new, |path| {
            vec![path.into(), format!("{path}-wal").into()]
        })
    }

    /// Takes a database of a cluster away, whoever uses it.
    pub(crate) async fn disappear(&self) {
        let mut cluster = url::Url::parse(&self.url).expect("an address");
        let name = cluster.path().trim_start_matches('/').to_owned();
        cluster.set_path("postgres");
        let mut admin = PgConnection::connect(cluster.as_str())
            .await
            .expect("a cluster");
        sqlx::query(AssertSqlSafe(format!("drop database {name} with (force)")))
            .execute(&mut admin)
            .await
            .expect("the database goes");
    }

    /// Opens it with the schema up to date.
    pub(crate) async fn store(&self) -> Store {
        Store::connect(&self.url).await.expect("a store")
    }
}

/// Runs each behaviour on SQLite and on PostgreSQL.
macro_rules! on_both {
    ($($behaviour:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test]
            async fn $behaviour() {
                super::$behaviour(crate::support::database::TestDatabase::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test]
            async fn $behaviour() {
                super::$behaviour(crate::support::database::TestDatabase::postgres().await).await;
            })*
        }
    };
}
pub(crate) use on_both;
