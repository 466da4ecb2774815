//! The single-use numbers in messages to sign. See [`crate::proof::binding::message`].

use super::Store;
use crate::base::clock::{DAY, UnixTime};

/// The most unused numbers that one account can have: older ones give way.
const MOST_UNUSED: i64 = 50;

/// Seconds for which an unused number is remembered after its time, so that a late file is told
/// that it is late.
const REMEMBERED: i64 = 7 * DAY;

/// A number that one account may sign once.
#[derive(Clone, Debug)]
pub struct MessageNonce {
    /// The number, hex.
    pub nonce: String,
    pub user_id: String,
    /// When it was made, unix seconds.
    pub created_at: UnixTime,
    /// Until when it can be used, unix seconds.
    pub expires_at: UnixTime,
}

impl Store {
    /// Adds a number, and forgets those that can be of no more use.
    pub async fn add_message_nonce(&self, nonce: &MessageNonce) -> Result<(), sqlx::Error> {
        let mut tx = self.begin().await?;
        // A used one is kept while its proof counts: the same file again is no new proof then.
        tx.query(
            "delete from message_nonces where user_id = $1 and
               case when proof_id is null then expires_at <= $2
                    else proof_id in (select id from proofs where user_id = $1 and ended_at is not null) end",
            &[&nonce.user_id, &(nonce.created_at - REMEMBERED)],
        )
        .execute()
        .await?;
        tx.query(
            "delete from message_nonces where nonce in
               (select nonce from message_nonces where user_id = $1 and proof_id is null
                order by created_at desc, nonce limit 1000 offset $2)",
            &[&nonce.user_id, &(MOST_UNUSED - 1)],
        )
        .execute()
        .await?;
        tx.query(
            "insert into message_nonces (nonce, user_id, created_at, expires_at) values ($1, $2, $3, $4)",
            &[&nonce.nonce, &nonce.user_id, &nonce.created_at, &nonce.expires_at],
        )
        .execute()
        .await?;
        tx.commit().await
    }

    /// Every number of this account that is remembered, newest first; also used and late ones.
    pub async fn message_nonces(&self, user_id: &str) -> Result<Vec<String>, sqlx::Error> {
        self.query(
            "select nonce from message_nonces where user_id = $1 order by created_at desc, nonce",
            &[&user_id],
        )
        .column()
        .await
    }
}
