//! Live claims on the coins of a new proof: the proof takes them over, or cannot be recorded.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow::{self, Break, Continue};

use serde_json::json;
use sqlx::FromRow;

use super::{Attempt, NewClaim, NewProof, RecordError, Recorded};
use crate::tx::Tx;
use chain::clock::UnixTime;

/// A live claim on one of the proof's coins.
#[derive(FromRow)]
struct Live {
    id: String,
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
    fn new(own: Vec<Live>, others: Vec<Live>) -> Self {
        let count = own.len();
        let users: BTreeSet<String> = others.into_iter().map(|claim| claim.user_id).collect();
        let bound = own.into_iter().filter(|claim| claim.bound);
        Self {
            own: count,
            bound: bound.map(|claim| (claim.txid, claim.vout)).collect(),
            users: users.into_iter().collect(),
        }
    }

    pub(super) fn was_bound(&self, coin: &NewClaim) -> bool {
        self.bound.contains(&(coin.txid.clone(), coin.vout))
    }
}

impl Tx {
    /// Ends the live claims on the proof's coins, so that it can claim them: the user's own, and those of others
    /// that are bound less strongly. Breaks the attempt off when that is not possible.
    pub(super) async fn take_over(
        &mut self,
        proof: &NewProof,
        coins: &[NewClaim],
    ) -> sqlx::Result<ControlFlow<Attempt, Takeover>> {
        let live = self.live_claims(proof.network, coins).await?;
        let (own, others): (Vec<Live>, Vec<Live>) = live
            .into_iter()
            .partition(|claim| claim.user_id == proof.user_id);
        let stronger = |other: &Live| other.bound || !proof.binding.is_bound();
        if others.iter().any(stronger) {
            return Ok(Break(Ok(Recorded::Conflict)));
        }
        let height = proof.statement.as_ref().map(|(height, _)| *height);
        if height.is_some() && own.iter().any(|own| own.statement_height > height) {
            return Ok(Break(Ok(Recorded::Older)));
        }
        for (claims, reason) in [(&own, "renewed"), (&others, "taken-over")] {
            if !self.end_claims(claims, reason, proof.created_at).await? {
                return Ok(Break(Err(RecordError::Crossed)));
            }
        }
        Ok(Continue(Takeover::new(own, others)))
    }

    async fn live_claims(&mut self, network: &str, coins: &[NewClaim]) -> sqlx::Result<Vec<Live>> {
        let outpoints = coins.iter().map(|coin| (coin.txid.clone(), coin.vout));
        let ids = self.live_ids(network, outpoints).await?;
        let sql = "select claims.id, claims.user_id, txid, vout, bound, statement_height
            from claims join proofs on proofs.id = claims.proof_id
            where claims.ended_at is null and claims.id in ($list)";
        self.query(sql, &[]).list(&ids).all().await
    }

    /// The ids of the live claims on these outpoints. One index look-up for each outpoint: for a join the planner might read all claims.
    pub(crate) async fn live_ids(
        &mut self,
        network: &str,
        outpoints: impl Iterator<Item = (String, i64)>,
    ) -> sqlx::Result<Vec<String>> {
        let rows = outpoints.map(|(txid, vout)| json!({"txid": txid, "vout": vout}));
        let sql = "with live as materialized (
              select (select id from claims where ended_at is null and network = $1
                and txid = given.txid and vout = given.vout) as id from $rows)
            select id from live where id is not null";
        self.query(sql, &[&network])
            .rows("txid text, vout bigint", rows.collect())
            .column()
            .await
    }

    /// Ends these claims. Returns whether all of them were still live.
    async fn end_claims(
        &mut self,
        claims: &[Live],
        reason: &str,
        now: UnixTime,
    ) -> sqlx::Result<bool> {
        let ids: Vec<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
        let sql = "update claims set ended_at = $1, end_reason = $2 where ended_at is null and id in ($list)";
        let ended = self
            .query(sql, &[&now, &reason])
            .list(&ids)
            .execute()
            .await?;
        Ok(ended == ids.len() as u64)
    }
}
