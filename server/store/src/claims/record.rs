//! One attempt to record a proof: a transaction that does all or nothing.

use serde_json::json;
use uuid::Uuid;

use super::takeover::Takeover;
use super::{ACTIVE_PROOF, Attempt, NewClaim, NewProof, RecordError, Recorded};
use crate::sql::Value;
use crate::tx::Tx;

impl Tx {
    /// Records a proof. A refused one must leave no trace.
    pub(super) async fn record(&mut self, proof: &NewProof) -> sqlx::Result<Attempt> {
        let now = proof.created_at;
        let mut coins = proof.coins.clone();
        // All transactions use one order, so that two of them rarely wait for each other.
        coins.sort();
        if !self.hold_cursor(proof.network, &proof.tip).await? {
            return Ok(Err(RecordError::Moved));
        }
        // Other files of this user wait here, and so does a deletion of the account (rule C7).
        if !self.touch_profile(&proof.user_id, now).await? {
            return Ok(Err(RecordError::NoAccount));
        }
        self.expire_due(now).await?;
        // For good: a transaction proves something only once.
        let record = "insert into recorded_transactions (tx_hash, recorded_at) values ($1, $2)
            on conflict (tx_hash) do nothing";
        let record = self.query(record, &[&proof.tx_hash, &now]);
        let fresh = record.has_changed().await?;
        if !fresh {
            let active = self.query(ACTIVE_PROOF, &[&proof.user_id, &proof.tx_hash, &now]);
            if let Some(active) = active.optional().await? {
                return Ok(Ok(Recorded::AlreadyVerified(active)));
            }
        }
        let taken = match self.take_over(proof, &coins).await? {
            Ok(taken) => taken,
            Err(refused) => return Ok(Ok(refused)),
        };
        if !fresh && !self.may_count_again(proof).await? {
            return Ok(Ok(Recorded::Replayed));
        }
        let renewed = taken.own == coins.len();
        self.add_proof(proof, renewed).await?;
        self.add_claims(proof, &coins, &taken).await?;
        if let Some(publication) = &proof.publication {
            let (user, id) = (&proof.user_id, &proof.id);
            self.add_publication(user, id, publication).await?;
        }
        self.settle_each(&taken.users, now).await?;
        let total_sats = self.settle_holdings(&proof.user_id, now).await?;
        let verified = "update profiles set last_verified = $2 where id = $1";
        self.query(verified, &[&proof.user_id, &now]).run().await?;
        Ok(Ok(if renewed {
            Recorded::Reverified { total_sats }
        } else {
            Recorded::Verified { total_sats }
        }))
    }

    /// Whether a transaction of this user that no longer counts may count again: its claims ended only because the same user's
    /// newer proofs took them. Its line is still valid, or the file would not be bound.
    async fn may_count_again(&mut self, proof: &NewProof) -> sqlx::Result<bool> {
        if proof.statement.is_none() {
            return Ok(false);
        }
        let sql = "select exists (select 1 from proofs where user_id = $1 and tx_hash = $2)
            and not exists (select 1 from proofs join claims on claims.proof_id = proofs.id
              where proofs.user_id = $1 and proofs.tx_hash = $2 and coalesce(claims.end_reason, '') <> 'renewed')";
        self.query(sql, &[&proof.user_id, &proof.tx_hash])
            .value()
            .await
    }

    async fn add_proof(&mut self, proof: &NewProof, renewed: bool) -> sqlx::Result<()> {
        let statement = proof.statement.as_ref();
        let sql = "insert into proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at,
              statement_height, statement_name)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        let values: &[&dyn Value] = &[
            &proof.id,
            &proof.user_id,
            &proof.tx_hash,
            &proof.file_name,
            &proof.amount_sats(),
            &if renewed { "reverified" } else { "verified" },
            &proof.binding,
            &proof.mock,
            &proof.created_at,
            &proof.expires_at,
            &statement.map(|(height, _)| *height),
            &statement.map(|(_, name)| name.clone()),
        ];
        self.query(sql, values).run().await
    }

    async fn add_claims(
        &mut self,
        proof: &NewProof,
        coins: &[NewClaim],
        taken: &Takeover,
    ) -> sqlx::Result<()> {
        let rows = coins.iter().map(|coin| {
            json!({
                "id": Uuid::now_v7().to_string(),
                "txid": coin.txid,
                "vout": coin.vout,
                "value_sats": coin.value_sats,
                "funding_block": coin.funding_block,
                "funding_height": coin.funding_height,
                "bound": proof.binding.is_bound() || taken.was_bound(coin),
            })
        });
        let sql = "insert into claims
              (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, funding_height, bound, ordinal)
            select id, $1, $2, $3, txid, vout, value_sats, funding_block, funding_height, bound,
              (select coalesce(max(earlier.ordinal) + 1, 0) from claims as earlier
               where earlier.network = $3 and earlier.txid = given.txid and earlier.vout = given.vout)
            from $rows";
        self.query(sql, &[&proof.id, &proof.user_id, &proof.network])
        .rows(
            "id text, txid text, vout bigint, value_sats bigint, funding_block text, funding_height bigint, bound boolean",
            rows.collect(),
        )
        .run()
        .await
    }
}
