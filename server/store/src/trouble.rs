//! Classifies errors of the database.

use std::error::Error as _;

use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteError;

/// SQLite's primary result codes of temporary errors: SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL.
const TEMPORARY: [i32; 3] = [5, 10, 13];

/// Whether a row was refused because its account has just been deleted.
#[must_use]
pub fn is_account_gone(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(DatabaseError::is_foreign_key_violation)
}

/// Whether the error is temporary: the database is restarting, has no free connection, or its disk is full.
#[must_use]
pub fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            if error.try_downcast_ref::<SqliteError>().is_some() {
                // The lower byte is the primary code.
                return code
                    .parse()
                    .is_ok_and(|code: i32| TEMPORARY.contains(&(code & 0xff)));
            }
            // PostgreSQL, appendix A: connection exceptions, insufficient resources, shutting down or starting.
            code.starts_with("08")
                || code.starts_with("53")
                || ["57P01", "57P02", "57P03", "3D000"].contains(&&*code)
        }),
        _ => false,
    }
}

/// The error with its causes: only those say, for example, that a connection was refused.
#[must_use]
pub fn whole(error: &sqlx::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        cause = inner.source();
    }
    text
}
