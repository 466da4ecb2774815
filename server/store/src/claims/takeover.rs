//! Live claims that stand in the way of a proof, and what becomes of them.

use std::collections::{BTreeSet, HashSet};

use sqlx::FromRow;

use super::recording::{NewClaim, NewProof};
use crate::sql::Column;
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
    /// Height of the block to which the statement of its proof commits.
    statement_height: Option<i64>,
}

/// What came of taking coins over.
pub(super) enum Taken {
    Over(Takeover),
    /// Somebody else's claim is bound at least as strongly.
    Conflict,
    /// Another transaction has ended a claim meanwhile.
    Crossed,
    /// One of the user's own claims is of a newer statement.
    Older,
}

/// The claims that a proof has ended to make its own.
pub(super) struct Takeover {
    /// The number of the user's own.
    pub(super) own: usize,
    /// The coins of the user's own claims that were bound, and stay so.
    bound: HashSet<(String, i64)>,
    /// The other users whose totals have changed.
    pub(super) users: Vec<String>,
}

impl Takeover {
    fn of(own: Vec<Live>, others: Vec<Live>) -> Self {
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
    /// that are bound less strongly.
    pub(super) async fn take_over(
        &mut self,
        proof: &NewProof,
        coins: &[NewClaim],
    ) -> Result<Taken, sqlx::Error> {
        let live = self.live_claims(proof.network, coins).await?;
        let (own, others): (Vec<Live>, Vec<Live>) = live
            .into_iter()
            .partition(|claim| claim.user_id == proof.user_id);
        let stronger = |other: &Live| other.bound || !proof.binding.is_bound();
        if others.iter().any(stronger) {
            return Ok(Taken::Conflict);
        }
        let height = proof.statement.as_ref().map(|(height, _)| *height);
        if height.is_some() && own.iter().any(|own| own.statement_height > height) {
            return Ok(Taken::Older);
        }
        for (claims, reason) in [(&own, "renewed"), (&others, "taken-over")] {
            if !self.end_claims(claims, reason, proof.created_at).await? {
                return Ok(Taken::Crossed);
            }
        }
        Ok(Taken::Over(Takeover::of(own, others)))
    }

    async fn live_claims(
        &mut self,
        network: &str,
        coins: &[NewClaim],
    ) -> Result<Vec<Live>, sqlx::Error> {
        let ids = self
            .live_ids(
                network,
                coins.iter().map(|coin| coin.txid.as_str()).collect(),
                coins.iter().map(|coin| coin.vout).collect(),
            )
            .await?;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.query(
            "select claims.id, claims.user_id, txid, vout, bound, statement_height
             from claims join proofs on proofs.id = claims.proof_id
             where claims.ended_at is null and claims.id in ($list)",
            &[],
        )
        .list(&ids)
        .all()
        .await
    }

    /// The ids of the live claims on these outpoints: one look into the index for each, however many claims there are; of a join
    /// the planner might make one reading of them all.
    pub(crate) async fn live_ids(
        &mut self,
        network: &str,
        txids: Vec<&str>,
        vouts: Vec<i64>,
    ) -> Result<Vec<String>, sqlx::Error> {
        self.query(
            "with live as materialized (
               select (select id from claims where ended_at is null and network = $1
                 and txid = given.txid and vout = given.vout) as id from $rows)
             select id from live where id is not null",
            &[&network],
        )
        .rows([
            ("txid", Column::Texts(txids)),
            ("vout", Column::Integers(vouts)),
        ])
        .column()
        .await
    }

    /// Answers whether all of them were still there to end.
    async fn end_claims(
        &mut self,
        claims: &[Live],
        reason: &str,
        now: UnixTime,
    ) -> Result<bool, sqlx::Error> {
        if claims.is_empty() {
            return Ok(true);
        }
        let ids: Vec<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
        let ended = self
            .query(
                "update claims set ended_at = $1, end_reason = $2 where ended_at is null and id in ($list)",
                &[&now, &reason],
            )
            .list(&ids)
            .execute()
            .await?;
        Ok(ended == ids.len() as u64)
    }
}
