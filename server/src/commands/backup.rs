//! Copies a SQLite database while a server works on it.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};

use crate::store::sole::{FileError, expect_there};

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub(super) enum BackupError {
    #[error(
        "DATABASE_URL is not a SQLite database; PostgreSQL has pg_dump for this (see .github/OPERATIONS.md)"
    )]
    NotSqlite,
    #[error(transparent)]
    Nowhere(#[from] FileError),
    #[error("{} is there already; name a file that is not", .0.display())]
    Exists(PathBuf),
    #[error("the backup cannot be written: {0}")]
    File(#[from] io::Error),
    #[error("the database cannot be copied: {0}")]
    Database(#[from] sqlx::Error),
    #[error("the copy is damaged, and so may be the database: {0}")]
    Damaged(String),
}

/// Writes a copy of the database at `url` to the file `to`. It has that name only once it is whole.
pub(super) async fn run(url: &str, to: &Path) -> Result<String, BackupError> {
    if !url.starts_with("sqlite:") {
        return Err(BackupError::NotSqlite);
    }
    expect_there(url)?;
    if to.try_exists()? {
        return Err(BackupError::Exists(to.to_owned()));
    }
    let mut partial = to.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let written = write(url, &partial).await;
    if written.is_err() {
        // What is missing has been said already; what is half written is of no use.
        let _ = std::fs::remove_file(&partial);
    }
    written?;
    std::fs::rename(&partial, to)?;
    Ok(format!("The database is copied to {}.", to.display()))
}

async fn write(url: &str, partial: &Path) -> Result<(), BackupError> {
    let options = SqliteConnectOptions::from_str(url)?.create_if_missing(false);
    let mut database = options.connect().await?;
    create_private(partial)?;
    // One consistent moment, however much is written meanwhile.
    sqlx::query("vacuum into $1")
        .bind(partial.to_string_lossy())
        .execute(&mut database)
        .await?;
    database.close().await?;
    check(partial).await
}

/// Whether the copy can be read to its last page.
async fn check(copy: &Path) -> Result<(), BackupError> {
    let options = SqliteConnectOptions::new().filename(copy).read_only(true);
    let mut copy: SqliteConnection = options.connect().await?;
    let verdict: String = sqlx::query_scalar("pragma integrity_check")
        .fetch_one(&mut copy)
        .await?;
    copy.close().await?;
    if verdict == "ok" {
        Ok(())
    } else {
        Err(BackupError::Damaged(verdict))
    }
}

/// An empty file for its owner alone: the database has the keys that sign access tokens.
fn create_private(path: &Path) -> Result<(), BackupError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?;
    Ok(())
}
