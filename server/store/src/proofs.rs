//! The history of proofs, which only its owner sees.

use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use super::Store;
use super::values::{Btc, Time};
use chain::clock::UnixTime;

/// A proof: all of these columns, or those that `select` names.
#[derive(Clone, Debug, FromRow, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ProofRow)]
pub struct Proof {
    /// The proof's id.
    pub id: String,
    /// Its owner.
    pub user_id: String,
    /// Base name of the file.
    pub file_name: String,
    /// BTC with 8 decimals.
    #[serde(rename = "bitcoin_amount")]
    pub amount_sats: Btc,
    /// `verified`, `reverified` or `partial-reverify`.
    pub status: String,
    /// Always true: a file that is not verified is never recorded.
    verified: bool,
    /// RFC 3339.
    #[schema(value_type = String)]
    pub created_at: Time,
    /// RFC 3339.
    #[schema(value_type = String)]
    pub expires_at: Time,
    /// RFC 3339; null while it counts.
    #[schema(value_type = Option<String>)]
    pub ended_at: Option<Time>,
    /// Whether it counts now.
    active: bool,
    /// `unbound`, `message` or `transaction`.
    pub binding: String,
    /// Whether it is development's mock proof.
    pub mock: bool,
    /// Why it no longer counts: `renewed`, `expired`, `spent`, `taken-over`, or `reorganized` when a reorganization of the chain has undone
    /// its coins; null while it does.
    pub ended_reason: Option<String>,
    /// How much of it, in sats, another account has proven since with a file that is bound to it, which this one was not; null when
    /// that has not happened.
    pub taken_over_sats: Option<i64>,
    /// How much of what it proved, in sats, has been spent since and no longer counts; null when nothing has.
    pub spent_sats: Option<i64>,
    /// Whether anyone may see and check it.
    pub published: bool,
}

/// The holdings from a moment on.
#[derive(Clone, Debug, FromRow, PartialEq, Eq, Serialize, ToSchema)]
pub struct HoldingsPoint {
    /// RFC 3339.
    #[schema(value_type = String)]
    pub at: Time,
    pub sats: i64,
}

impl Store {
    /// The proofs of a user, newest first.
    pub async fn proofs(&self, user_id: &str, limit: i64, offset: i64) -> sqlx::Result<Vec<Proof>> {
        let sql = "select id, user_id, file_name, amount_sats, status, true as verified, binding, mock, created_at, expires_at, ended_at,
              ended_at is null as active,
              (select end_reason from claims
               where claims.proof_id = proofs.id and proofs.ended_at is not null and claims.ended_at is not null
               order by claims.ended_at desc, claims.id limit 1) as ended_reason,
              (select cast(sum(value_sats) as bigint) from claims
               where claims.proof_id = proofs.id and claims.end_reason = 'taken-over') as taken_over_sats,
              (select cast(sum(value_sats) as bigint) from claims
               where claims.proof_id = proofs.id and claims.end_reason = 'spent') as spent_sats,
              exists (select 1 from published_proofs where published_proofs.proof_id = proofs.id) as published
            from proofs where user_id = $1 order by created_at desc, id desc limit $2 offset $3";
        self.query(sql, &[&user_id, &limit, &offset]).all().await
    }

    /// A user's totals since the first proof, at most the `limit` newest of them, oldest first. Coins that one proof takes over from
    /// another at one moment change nothing.
    pub async fn holdings_history(
        &self,
        user_id: &str,
        limit: i64,
    ) -> sqlx::Result<Vec<HoldingsPoint>> {
        let points = self.query(
            "select moment as at, sats from
               (select moment, sum(sats) as change, cast(sum(sum(sats)) over (order by moment) as bigint) as sats from
                  (select proofs.created_at as moment, claims.value_sats as sats
                   from proofs join claims on claims.proof_id = proofs.id where proofs.user_id = $1
                   union all
                   select claims.ended_at, -claims.value_sats
                   from proofs join claims on claims.proof_id = proofs.id
                   where proofs.user_id = $1 and claims.ended_at is not null) as own_changes
                group by moment) as own_totals
             where change <> 0 order by moment desc limit $2",
            &[&user_id, &limit],
        );
        let mut points: Vec<HoldingsPoint> = points.all().await?;
        points.reverse();
        Ok(points)
    }

    /// The number of proofs that a user has.
    pub async fn proof_count(&self, user_id: &str) -> sqlx::Result<i64> {
        let sql = "select count(*) from proofs where user_id = $1";
        self.query(sql, &[&user_id]).value().await
    }

    /// Deletes the user's mock proofs with this file name, with their claims, the recorded
    /// transactions and their share of the total. Development only.
    pub async fn delete_mock_proofs(
        &self,
        user_id: &str,
        file_name: &str,
        now: UnixTime,
    ) -> sqlx::Result<()> {
        self.write(|mut tx| async move {
            let sql = "delete from recorded_transactions where tx_hash in
                (select tx_hash from proofs where user_id = $1 and file_name = $2 and mock)";
            tx.query(sql, &[&user_id, &file_name]).run().await?;
            let sql = "delete from proofs where user_id = $1 and file_name = $2 and mock";
            tx.query(sql, &[&user_id, &file_name]).run().await?;
            let total = tx.settle_holdings(user_id, now).await?;
            if total == 0 {
                let sql = "update profiles set last_verified = null where id = $1";
                tx.query(sql, &[&user_id]).run().await?;
            }
            tx.end(()).await
        })
        .await
    }
}
