//! Classifies errors of the database.

use std::error::Error as _;
use std::iter::successors;

use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteError;

/// Whether a row was refused because its account has just been deleted.
pub fn is_account_gone(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(DatabaseError::is_foreign_key_violation)
}

/// Whether the error is temporary: the database is restarting, has no free connection, or its disk is full.
pub fn is_away(error: &sqlx::Error) -> bool {
    use sqlx::Error::{Io, PoolClosed, PoolTimedOut, Protocol, Tls, WorkerCrashed};
    // SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL. Connection exceptions, insufficient resources, shutting down or starting, a lock that another
    // replica held for too long, and a transaction that was ended because this one was silent.
    let (sqlite, postgres) = (
        [5, 10, 13],
        [
            "08", "53", "55P03", "25P03", "57P01", "57P02", "57P03", "3D000",
        ],
    );
    // A connection that closes before it says anything is an error of the protocol.
    matches!(
        error,
        Io(_) | Tls(_) | Protocol(_) | PoolTimedOut | PoolClosed | WorkerCrashed
    ) || has_code(error, &sqlite, &postgres)
}

/// Whether the database reported one of these primary result codes of SQLite, or a code of PostgreSQL (SQLSTATE, appendix A) that begins
/// with one of these.
pub(super) fn has_code(error: &sqlx::Error, sqlite: &[i32], postgres: &[&str]) -> bool {
    let Some(error) = error.as_database_error() else {
        return false;
    };
    let code = error.code().unwrap_or_default();
    match error.try_downcast_ref::<SqliteError>() {
        // The lower byte is the primary code.
        Some(_) => code
            .parse()
            .is_ok_and(|code: i32| sqlite.contains(&(code & 0xff))),
        None => postgres.iter().any(|it| code.starts_with(it)),
    }
}

/// The error with its causes: only those say, for example, that a connection was refused.
pub fn whole(error: &sqlx::Error) -> String {
    let mut text = error.to_string();
    for cause in successors(error.source(), |&cause| cause.source()) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}
