//! The single-use numbers in messages to sign. See [`crate::proof::binding::message`].

use super::{Store, begin, each};
use crate::clock::{DAY, UnixTime};

/// How many unused numbers one account can have: older ones give way.
const MOST_UNUSED: i64 = 50;

/// How long an unused number is remembered after its time, in seconds, so that a late file is told
/// that it is late.
const REMEMBERED: i64 = 7 * DAY;

/// A number that one account may sign once.
#[derive(Clone, Debug)]
pub struct MessageNonce {
    /// The number, hex.
    pub nonce: String,
    /// Whose it is.
    pub user_id: String,
    /// When it was made, unix seconds.
    pub created_at: UnixTime,
    /// Until when it can be used, unix seconds.
    pub expires_at: UnixTime,
}

impl Store {
    /// Adds a number, and forgets those that can be of no more use.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add_message_nonce(&self, nonce: &MessageNonce) -> Result<(), sqlx::Error> {
        begin!(self, |transaction| {
            // A used one is kept while its proof counts: the same file again is no new proof then.
            sqlx::query(
                "delete from message_nonces where user_id = $1 and
                   case when proof_id is null then expires_at <= $2
                        else proof_id in (select id from proofs where user_id = $1 and ended_at is not null) end",
            )
            .bind(&nonce.user_id)
            .bind(nonce.created_at - REMEMBERED)
            .execute(&mut *transaction)
            .await?;
            sqlx::query(
                "delete from message_nonces where nonce in
                   (select nonce from message_nonces where user_id = $1 and proof_id is null
                    order by created_at desc, nonce limit 1000 offset $2)",
            )
            .bind(&nonce.user_id)
            .bind(MOST_UNUSED - 1)
            .execute(&mut *transaction)
            .await?;
            sqlx::query(
                "insert into message_nonces (nonce, user_id, created_at, expires_at) values ($1, $2, $3, $4)",
            )
            .bind(&nonce.nonce)
            .bind(&nonce.user_id)
            .bind(nonce.created_at)
            .bind(nonce.expires_at)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await
        })
    }

    /// Every number of this account that is remembered, newest first; also used and late ones.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn message_nonces(&self, user_id: &str) -> Result<Vec<String>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_scalar(
                "select nonce from message_nonces where user_id = $1 order by created_at desc, nonce",
            )
            .bind(user_id)
            .fetch_all(pool)
            .await
        })
    }
}
