//! The history of proofs, which only its owner sees.

use sqlx::FromRow;

use super::claims::settle_holdings;
use super::{Store, begin, each};
use crate::clock::UnixTime;

/// One row of `proofs`.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Proof {
    /// A UUID.
    pub id: String,
    /// Who proved it.
    pub user_id: String,
    /// Base name of the file.
    pub file_name: String,
    /// What it proved, in sats.
    pub amount_sats: i64,
    /// `verified`, `reverified` or `partial-reverify`.
    pub status: String,
    /// `unbound`, `amount` or `message` (decisions, D4).
    pub binding: String,
    /// Whether it is development's mock proof.
    pub mock: bool,
    /// When it was accepted, unix seconds.
    pub created_at: UnixTime,
    /// Until when it counts, unix seconds.
    pub expires_at: UnixTime,
    /// When it stopped counting, unix seconds; none while active.
    pub ended_at: Option<UnixTime>,
    /// Why it stopped counting: what happened to the last of its coins, `renewed`, `expired`,
    /// `spent`, `taken-over` or `reorganised`; none while active.
    pub ended_reason: Option<String>,
    /// Sats of its coins that somebody else has proven with a binding; none when that has not happened.
    pub taken_over_sats: Option<i64>,
    /// Sats of its coins that have been spent since; none when that has not happened.
    pub spent_sats: Option<i64>,
}

impl Store {
    /// The proofs of a user, newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn proofs(
        &self,
        user_id: &str,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<Proof>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as(
                "select id, user_id, file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at,
                   (select end_reason from claims
                    where claims.proof_id = proofs.id and proofs.ended_at is not null and claims.ended_at is not null
                    order by claims.ended_at desc, claims.id limit 1) as ended_reason,
                   (select cast(sum(value_sats) as bigint) from claims
                    where claims.proof_id = proofs.id and claims.end_reason = 'taken-over') as taken_over_sats,
                   (select cast(sum(value_sats) as bigint) from claims
                    where claims.proof_id = proofs.id and claims.end_reason = 'spent') as spent_sats
                 from proofs where user_id = $1 order by created_at desc, id desc limit $2 offset $3",
            )
            .bind(user_id)
            .bind(limit)
            .bind(offset)
            .fetch_all(pool)
            .await
        })
    }

    /// How many proofs a user has.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn proof_count(&self, user_id: &str) -> Result<i64, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_scalar("select count(*) from proofs where user_id = $1")
                .bind(user_id)
                .fetch_one(pool)
                .await
        })
    }

    /// Whether any proof's time is over without having been ended.
    pub(super) async fn anything_due(&self, now: UnixTime) -> Result<bool, sqlx::Error> {
        let due: Option<i64> = each!(self, |pool| {
            sqlx::query_scalar(
                "select expires_at from proofs where ended_at is null and expires_at <= $1 limit 1",
            )
            .bind(now)
            .fetch_optional(pool)
            .await?
        });
        Ok(due.is_some())
    }

    /// Deletes the user's mock proofs with this file name, as if they had never been: their claims,
    /// the memory of their transactions, and what they added to the total. Development only.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_mock_proofs(
        &self,
        user_id: &str,
        file_name: &str,
        now: UnixTime,
    ) -> Result<(), sqlx::Error> {
        begin!(self, |transaction| {
            sqlx::query(
                "delete from recorded_transactions where tx_hash in
                   (select tx_hash from proofs where user_id = $1 and file_name = $2 and mock)",
            )
            .bind(user_id)
            .bind(file_name)
            .execute(&mut *transaction)
            .await?;
            sqlx::query("delete from proofs where user_id = $1 and file_name = $2 and mock")
                .bind(user_id)
                .bind(file_name)
                .execute(&mut *transaction)
                .await?;
            let total = settle_holdings!(transaction, user_id, now);
            if total == 0 {
                sqlx::query("update profiles set last_verified = null where id = $1")
                    .bind(user_id)
                    .execute(&mut *transaction)
                    .await?;
            }
            transaction.commit().await
        })
    }
}
