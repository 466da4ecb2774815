//! How many attempts there were in a window of time. See [`crate::proof::attempts`].

use super::{Store, begin, each};

/// Whose attempts are counted, and how many are let in during one window.
#[derive(Clone, Debug)]
pub struct AttemptKey {
    /// Keyed hash of an account or of an address.
    pub keyed_hash: String,
    /// The most attempts in one window.
    pub limit: i64,
}

impl Store {
    /// Counts an attempt for every key and answers true; or, when one of them has reached its limit,
    /// counts nothing and answers false. Counts of windows that are over are deleted.
    ///
    /// Each count is one conditional statement, so attempts at the same moment cannot all be the last.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin_attempt(
        &self,
        keys: &[AttemptKey],
        window: i64,
    ) -> Result<bool, sqlx::Error> {
        begin!(self, |transaction| {
            sqlx::query("delete from attempts where time_window < $1")
                .bind(window)
                .execute(&mut *transaction)
                .await?;
            for key in keys {
                let counted = sqlx::query(
                    "insert into attempts (keyed_hash, time_window, attempts) values ($1, $2, 1)
                     on conflict (keyed_hash, time_window) do update
                       set attempts = attempts.attempts + 1 where attempts.attempts < $3",
                )
                .bind(&key.keyed_hash)
                .bind(window)
                .bind(key.limit)
                .execute(&mut *transaction)
                .await?
                .rows_affected();
                if counted == 0 {
                    return Ok(false);
                }
            }
            transaction.commit().await?;
            Ok(true)
        })
    }

    /// Takes an attempt back for every key.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forgive_attempt(
        &self,
        keys: &[AttemptKey],
        window: i64,
    ) -> Result<(), sqlx::Error> {
        for key in keys {
            each!(self, |pool| {
                sqlx::query(
                    "update attempts set attempts = attempts - 1
                     where keyed_hash = $1 and time_window = $2 and attempts > 0",
                )
                .bind(&key.keyed_hash)
                .bind(window)
                .execute(pool)
                .await?;
            });
        }
        Ok(())
    }
}
