//! Live claims on the coins of a new proof: the proof takes them over, or cannot be recorded.

use std::collections::{BTreeSet, HashSet};

use serde_json::json;
use sqlx::FromRow;

use super::{NewClaim, NewProof, Recorded};
use crate::tx::Tx;

/// A live claim that a new proof has ended.
#[derive(FromRow)]
struct Ended {
    user_id: String,
    txid: String,
    vout: i64,
    bound: bool,
    /// Height of the block that its proof's statement commits to.
    statement_height: Option<i64>,
}

/// The claims that a new proof has ended, to claim their coins.
pub(super) struct Takeover {
    /// How many of them were the user's own.
    pub(super) own: usize,
    /// The coins of the user's own bound claims, which stay bound.
    bound: HashSet<(String, i64)>,
    /// The other users whose totals have changed.
    pub(super) users: Vec<String>,
}

impl Takeover {
    pub(super) fn was_bound(&self, coin: &NewClaim) -> bool {
        self.bound.contains(&(coin.txid.clone(), coin.vout))
    }
}

impl Tx {
    /// Ends the live claims on the proof's coins, so that it can claim them: the user's own, and those of others
    /// that are bound less strongly. When one of them must not end, returns the outcome, with which the transaction is undone.
    pub(super) async fn take_over(
        &mut self,
        proof: &NewProof,
        coins: &[NewClaim],
    ) -> sqlx::Result<Result<Takeover, Recorded>> {
        let rows = coins
            .iter()
            .map(|coin| json!({"txid": coin.txid, "vout": coin.vout}));
        // One index look-up for each coin: for a join the planner might read all claims.
        let sql = "update claims set ended_at = $3, end_reason = case when user_id = $2 then 'renewed' else 'taken-over' end
            where ended_at is null and id in
              (select (select live.id from claims as live where live.ended_at is null and live.network = $1
                 and live.txid = given.txid and live.vout = given.vout) from $rows)
            returning user_id, txid, vout, bound,
              (select statement_height from proofs where proofs.id = proof_id) as statement_height";
        let (user, now) = (&proof.user_id, &proof.created_at);
        let ended: Vec<Ended> = self
            .query(sql, &[&proof.network, user, now])
            .rows("txid text, vout bigint", rows.collect())
            .all()
            .await?;
        let (own, others): (Vec<Ended>, Vec<Ended>) =
            ended.into_iter().partition(|claim| claim.user_id == *user);
        let is_stronger = |other: &Ended| other.bound || !proof.binding.is_bound();
        if others.iter().any(is_stronger) {
            return Ok(Err(Recorded::Conflict));
        }
        let height = proof.statement.as_ref().map(|(height, _)| *height);
        if height.is_some() && own.iter().any(|own| own.statement_height > height) {
            return Ok(Err(Recorded::Older));
        }
        let users: BTreeSet<String> = others.into_iter().map(|claim| claim.user_id).collect();
        Ok(Ok(Takeover {
            own: own.len(),
            users: users.into_iter().collect(),
            bound: own
                .into_iter()
                .filter(|claim| claim.bound)
                .map(|claim| (claim.txid, claim.vout))
                .collect(),
        }))
    }
}
