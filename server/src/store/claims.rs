//! Recording a proof and its claims: one transaction that either does everything or nothing.

use super::{Store, begin, each, is_unique_violation};
use crate::clock::UnixTime;
use crate::proof::binding::Binding;

pub mod change;
pub(super) mod deadlock;
mod record;
mod settle;
mod takeover;

use deadlock::{TRIES, is_deadlock, retry_deadlocks};
use record::Attempt;
use settle::expire_due;
pub(super) use settle::settle_holdings;

/// A proof that has passed every check, ready to be recorded.
#[derive(Clone, Debug)]
pub struct NewProof {
    /// A fresh UUID.
    pub id: String,
    /// Who proved it.
    pub user_id: String,
    /// Keyed hash of the transaction without scriptSigs and witnesses.
    pub tx_hash: String,
    /// Base name of the file, shown to its owner alone.
    pub file_name: String,
    /// How the file is tied to the user (decisions, D4).
    pub binding: Binding,
    /// The single-use number in the message that binds it, when a message does.
    pub nonce: Option<String>,
    /// Whether it is development's mock proof.
    pub mock: bool,
    /// Now, unix seconds.
    pub created_at: UnixTime,
    /// When it stops counting, unix seconds.
    pub expires_at: UnixTime,
    /// Name of the network, part of what makes a claim unique.
    pub network: &'static str,
    /// Hash of the newest block when the coins were looked up (rule B8).
    pub tip: String,
    /// The coins, at least one, without duplicates.
    pub coins: Vec<NewClaim>,
}

/// One coin of a proof.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewClaim {
    /// Txid of the outpoint, hex as people write it.
    pub txid: String,
    /// Output index of the outpoint.
    pub vout: i64,
    /// Value in sats.
    pub value_sats: i64,
    /// Hash of the block that funded it.
    pub funding_block: String,
}

/// What came of it (decisions, D3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// At least one outpoint is new. The user's new total in sats.
    Verified {
        /// Sum of all live claims of the user.
        total_sats: i64,
    },
    /// Every outpoint was already this user's; the proof is good for another 90 days.
    Reverified {
        /// Sum of all live claims of the user.
        total_sats: i64,
    },
    /// This very transaction is an active proof of this user. Nothing changed.
    AlreadyVerified {
        /// Sum of all live claims of the user.
        total_sats: i64,
        /// Until when the proof counts, unix seconds.
        expires_at: UnixTime,
        /// How it was bound when it was recorded.
        binding: Binding,
    },
    /// Somebody else has a live claim on one of the outpoints, bound at least as strongly. Nothing
    /// changed.
    Conflict,
    /// The message that binds it has expired or was used before. Nothing changed.
    MessageSpent,
    /// The transaction has proven something before and never proves again. Nothing changed.
    Replayed,
}

/// Why a proof was not recorded, though nothing is wrong with it.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The chain is not followed to the newest block of the look-up, or it is followed farther: a
    /// coin may have been spent meanwhile (rule B8).
    #[error("the chain has moved since the coins were looked up")]
    Moved,
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// An active proof of a user over one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveProof {
    /// How it was bound when it was recorded.
    pub binding: Binding,
    /// Until when it counts, unix seconds.
    pub expires_at: UnixTime,
    /// Sum of all live claims of the user.
    pub total_sats: i64,
}

impl From<ActiveProof> for Recorded {
    fn from(active: ActiveProof) -> Self {
        Self::AlreadyVerified {
            total_sats: active.total_sats,
            expires_at: active.expires_at,
            binding: active.binding,
        }
    }
}

impl Store {
    /// Records a proof, or says why not. All of its outpoints or none.
    ///
    /// Two submissions of one outpoint at the same moment, on any number of servers, are decided by
    /// the unique index on live claims: one commits, and the other looks again at what is there now.
    ///
    /// # Errors
    /// When the chain has moved since the look-up, or the database fails; nothing is recorded then.
    pub async fn record(&self, proof: &NewProof) -> Result<Recorded, RecordError> {
        for _ in 1..TRIES {
            match self.try_record(proof).await {
                Ok(Attempt::Done(recorded)) => return Ok(recorded),
                Ok(Attempt::Moved) => return Err(RecordError::Moved),
                Ok(Attempt::Crossed) => {}
                Err(error) if is_unique_violation(&error) || is_deadlock(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
        match self.try_record(proof).await {
            Ok(Attempt::Done(recorded)) => Ok(recorded),
            Ok(Attempt::Moved) => Err(RecordError::Moved),
            // Others have taken the coin again and again: it is theirs.
            Ok(Attempt::Crossed) => Ok(Recorded::Conflict),
            Err(error) if is_unique_violation(&error) => Ok(Recorded::Conflict),
            Err(error) => Err(error.into()),
        }
    }

    /// The user's active proof over this transaction, if there is one. Whoever asks learns nothing
    /// about anybody else.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn active_proof(
        &self,
        user_id: &str,
        tx_hash: &str,
        now: UnixTime,
    ) -> Result<Option<ActiveProof>, sqlx::Error> {
        let found = each!(self, |pool| {
            sqlx::query_as(record::ACTIVE_PROOF)
                .bind(user_id)
                .bind(tx_hash)
                .bind(now)
                .fetch_optional(pool)
                .await?
        });
        Ok(found.and_then(record::active_proof))
    }

    /// Ends every proof whose time is over and releases its claims. Answers how many ended.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn expire_due(&self, now: UnixTime) -> Result<u64, sqlx::Error> {
        if !self.anything_due(now).await? {
            return Ok(0);
        }
        retry_deadlocks!(self.try_expire_due(now))
    }

    async fn try_expire_due(&self, now: UnixTime) -> Result<u64, sqlx::Error> {
        begin!(self, |transaction| {
            let ended = expire_due!(transaction, now);
            transaction.commit().await?;
            Ok(ended)
        })
    }
}
