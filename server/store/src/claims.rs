//! Records a proof and its claims in one transaction: all or nothing.

use super::Store;
use super::tx::{TRIES, is_check_violation, is_unique_violation};
use chain::clock::UnixTime;

pub mod change;
mod record;
mod recording;
mod settle;
mod takeover;

pub use recording::{ActiveProof, NewClaim, NewProof, RecordError, Recorded};

impl Store {
    /// Records a proof with all of its outpoints, or returns why not.
    ///
    /// Two submissions of one outpoint at the same moment, on any number of servers, are decided by
    /// the unique index on live claims: one commits, and the other reads again.
    ///
    /// # Errors
    /// When the chain has moved since the look-up, the account no longer exists, or the database fails; nothing is recorded then.
    pub async fn record(&self, proof: &NewProof) -> Result<Recorded, RecordError> {
        for _ in 0..TRIES {
            let recorded = self.write(|mut tx| async move {
                let recorded = tx.record(proof).await?;
                tx.end(recorded).await
            });
            match recorded.await {
                Ok(Err(RecordError::Crossed)) => {}
                Ok(recorded) => return recorded,
                Err(error) if is_unique_violation(&error) => {}
                // The database refuses to publish a proof whose owner has just chosen a range.
                Err(error) if proof.publication.is_some() && is_check_violation(&error) => {
                    return Err(RecordError::Range);
                }
                Err(error) => return Err(error.into()),
            }
        }
        // Another user has taken the coin repeatedly: it is theirs.
        Ok(Recorded::Conflict)
    }

    /// The user's active proof over this transaction, if there is one. Says nothing about other users.
    pub async fn active_proof(
        &self,
        user_id: &str,
        tx_hash: &str,
        now: UnixTime,
    ) -> sqlx::Result<Option<ActiveProof>> {
        self.query(record::ACTIVE_PROOF, &[&user_id, &tx_hash, &now])
            .optional()
            .await
    }
}
