//! Records a proof and its claims in one transaction: all or nothing.

use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use crate::Store;
use crate::binding::Binding;
use crate::tx::{TRIES, is_check_violation, is_unique_violation, retry};
use crate::values::Time;
use chain::clock::UnixTime;

pub mod change;
mod record;
mod settle;
mod takeover;

/// The active proof over one transaction: $1 the user, $2 the hash of the transaction, $3 now.
const ACTIVE_PROOF: &str =
    "select proofs.id, proofs.created_at, proofs.binding, proofs.expires_at, proofs.statement_height, proofs.statement_name,
       coalesce(profiles.holdings_sats, 0) as total_sats,
       exists (select 1 from published_proofs where published_proofs.proof_id = proofs.id) as published
     from proofs
     join profiles on profiles.id = proofs.user_id
     where proofs.user_id = $1 and proofs.tx_hash = $2
       and proofs.ended_at is null and proofs.expires_at > $3";

/// What an attempt in one transaction comes to.
type Attempt = Result<Recorded, RecordError>;

impl Store {
    /// Records a proof with all of its outpoints, or returns why not.
    ///
    /// Two submissions of one outpoint at the same moment, on any number of servers, are decided by
    /// the unique index on live claims: one commits, and the other reads again.
    ///
    /// # Errors
    /// When the chain has moved since the look-up, the account no longer exists, or the database fails; nothing is recorded then.
    pub async fn record(&self, proof: &NewProof) -> Result<Recorded, RecordError> {
        let record = || {
            self.write(|mut tx| async move {
                match tx.record(proof).await? {
                    recorded @ Ok(Recorded::Verified { .. } | Recorded::Reverified { .. }) => {
                        tx.end(recorded).await
                    }
                    refused => Ok(refused),
                }
            })
        };
        match retry(TRIES, is_unique_violation, record).await {
            Ok(recorded) => recorded,
            // Another user has taken the coin repeatedly: it is theirs.
            Err(error) if is_unique_violation(&error) => Ok(Recorded::Conflict),
            // The database refuses to publish a proof whose owner has just chosen a range.
            Err(error) if proof.publication.is_some() && is_check_violation(&error) => {
                Err(RecordError::Range)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The user's active proof over this transaction, if there is one. Says nothing about other users.
    pub async fn active_proof(
        &self,
        user_id: &str,
        tx_hash: &str,
        now: UnixTime,
    ) -> sqlx::Result<Option<ActiveProof>> {
        self.query(ACTIVE_PROOF, &[&user_id, &tx_hash, &now])
            .optional()
            .await
    }
}

/// A proof that has passed every check, ready to be recorded.
#[derive(Clone, Debug)]
pub struct NewProof {
    /// A fresh UUID.
    pub id: String,
    pub user_id: String,
    /// Keyed hash of the transaction without scriptSigs and witnesses.
    pub tx_hash: String,
    /// Base name of the file, shown only to its owner.
    pub file_name: String,
    /// How the file is bound to the user (decisions, D4).
    pub binding: Binding,
    /// The height of the block that its statement commits to, and the full name as signed; `None` for an unbound proof.
    pub statement: Option<(i64, String)>,
    /// Development's mock proof (decisions, D11).
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
    /// The published part, when its owner wants that.
    pub publication: Option<Publication>,
}

impl NewProof {
    /// The sum of its coins.
    pub fn amount_sats(&self) -> i64 {
        self.coins.iter().map(|coin| coin.value_sats).sum()
    }
}

/// The published data of a proof, in addition to its row.
#[derive(Clone, Debug, FromRow, PartialEq, Eq, Serialize, ToSchema)]
pub struct Publication {
    pub published_at: Time,
    /// Name of the network.
    #[serde(skip)]
    pub network: String,
    /// Hex.
    #[sqlx(rename = "final_transaction")]
    pub transaction: String,
    /// The outputs that its inputs spend, as a list in the consensus encoding, hex.
    pub previous_outputs: String,
    pub statement: String,
    #[serde(skip)]
    pub provider: String,
    /// The holder's permanent id at the provider.
    #[serde(skip)]
    pub subject: String,
    /// The origin and the nonce, hex, to which the code of the statement commits in addition to the account.
    pub origin: String,
    pub nonce: String,
    /// The full name, and height and header (hex) of the block, to which a dated code commits as well.
    pub statement_name: String,
    pub block_height: i64,
    pub block_header: String,
}

/// One coin of a proof.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewClaim {
    /// Txid of the outpoint, in the usual hex form.
    pub txid: String,
    pub vout: i64,
    pub value_sats: i64,
    /// Hash of the block that funded it.
    pub funding_block: String,
    /// Height of that block.
    pub funding_height: i64,
}

/// The outcome of recording a proof (decisions, D3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// At least one outpoint is new. The user's new total in sats.
    Verified {
        /// Sum of all live claims of the user.
        total_sats: i64,
    },
    /// Every outpoint was already this user's; the proof counts from now on as long as a new one.
    Reverified {
        /// Sum of all live claims of the user.
        total_sats: i64,
    },
    /// This transaction is already an active proof of this user. Nothing changed.
    AlreadyVerified(ActiveProof),
    /// Another user has a live claim on one of the outpoints, bound at least as strongly. Nothing
    /// changed.
    Conflict,
    /// The transaction has proven something before and can never prove again. Nothing changed.
    Replayed,
    /// One of the coins is already proven by this user with a statement of a newer block. Nothing changed.
    Older,
}

/// Why a correct proof was not recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The cursor is not at the newest block of the look-up, but before or after it: a
    /// coin may have been spent since (rule B8).
    #[error("the chain has moved since the coins were looked up")]
    Moved,
    /// The account has just been deleted.
    #[error("the account no longer exists")]
    NoAccount,
    /// It was to be published, but its owner has chosen a range since (decisions, D17).
    #[error("its owner shows a range")]
    Range,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// An active proof of a user over one transaction.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct ActiveProof {
    pub id: String,
    /// When it was recorded, unix seconds.
    pub created_at: UnixTime,
    pub published: bool,
    /// How it was bound when it was recorded.
    pub binding: Binding,
    /// Until when it counts, unix seconds.
    pub expires_at: UnixTime,
    /// The two halves of [`NewProof::statement`].
    pub statement_height: Option<i64>,
    pub statement_name: Option<String>,
    /// Sum of all live claims of the user.
    pub total_sats: i64,
}
