//! Copies a SQLite database, also while a server uses it.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use crate::app::Failure;
use store::sqlite_file::{expect_there, private_file};

/// Writes a copy of the database at `url` to the file `to`, which gets that name once it is complete.
pub(super) async fn run(url: &str, to: &Path) -> Result<String, Failure> {
    if !url.starts_with("sqlite:") {
        return Err(
            "DATABASE_URL is not a SQLite database; back up PostgreSQL with pg_dump (see .github/OPERATIONS.md)".into(),
        );
    }
    expect_there(url)?;
    if to.try_exists()? {
        return Err(format!("{} already exists; name a new file", to.display()).into());
    }
    let mut partial = to.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    if let Err(error) = write(url, &partial).await {
        let _ = std::fs::remove_file(&partial);
        return Err(format!("cannot write the backup: {error}").into());
    }
    std::fs::rename(&partial, to)?;
    Ok(format!("Copied the database to {}.", to.display()))
}

async fn write(url: &str, partial: &Path) -> Result<(), Failure> {
    let options = SqliteConnectOptions::from_str(url)?.create_if_missing(false);
    let mut database = options.connect().await?;
    // It contains the keys that sign access tokens.
    private_file().create_new(true).open(partial)?;
    // One consistent moment, whatever is written meanwhile.
    sqlx::query("vacuum into $1")
        .bind(partial.to_string_lossy())
        .execute(&mut database)
        .await?;
    database.close().await?;
    Ok(())
}
