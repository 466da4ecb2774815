//! What a failure of the database means for whoever asked.

use std::error::Error as _;

/// Whether a row was refused because the account that it belongs to has just been deleted.
#[must_use]
pub fn is_account_gone(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation)
}

/// Whether the database could not be asked at all, and may be back in a moment: it is being started again, or has no
/// connection to give.
#[must_use]
pub fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        // PostgreSQL, appendix A: connection exceptions, too many connections, shutting down or starting.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            code.starts_with("08")
                || ["53300", "57P01", "57P02", "57P03", "3D000"].contains(&&*code)
        }),
        _ => false,
    }
}

/// The failure with what caused it: a connection that was refused says so only there.
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
