//! Transactions that wait for each other.

/// How often a transaction that crossed another one is tried again. The first repetition sees what
/// the other one did; more are needed only when yet another one comes in between.
pub(in crate::store) const TRIES: usize = 5;

/// Whether PostgreSQL ended the transaction because it and another one waited for each other
/// (SQLSTATE 40P01). SQLite has one writer at a time.
pub(in crate::store) fn is_deadlock(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code)
        .is_some_and(|code| code == "40P01")
}

/// Tries a transaction again when it was ended so that another one could go on.
macro_rules! retry_deadlocks {
    ($attempt:expr) => {{
        let mut tries = 1;
        loop {
            match $attempt.await {
                Err(error)
                    if tries < $crate::store::claims::deadlock::TRIES
                        && $crate::store::claims::deadlock::is_deadlock(&error) =>
                {
                    tries += 1;
                }
                other => break other,
            }
        }
    }};
}
pub(in crate::store) use retry_deadlocks;
