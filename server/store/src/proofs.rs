//! The history of proofs, which only its owner sees.

use sqlx::FromRow;

use super::Store;
use chain::clock::UnixTime;

/// One row of `proofs`.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Proof {
    /// A UUID.
    pub id: String,
    pub user_id: String,
    /// Base name of the file.
    pub file_name: String,
    /// The sum of its coins, in sats.
    pub amount_sats: i64,
    /// `verified`, `reverified` or `partial-reverify`.
    pub status: String,
    /// `unbound`, `message` or `transaction` (decisions, D4); `amount` in old proofs, which have ended.
    pub binding: String,
    /// Development's mock proof (decisions, D11).
    pub mock: bool,
    /// When it was accepted, unix seconds.
    pub created_at: UnixTime,
    /// Until when it counts, unix seconds.
    pub expires_at: UnixTime,
    /// When it stopped counting, unix seconds; none while active.
    pub ended_at: Option<UnixTime>,
    /// Why it stopped counting, from the last of its claims: `renewed`, `expired`,
    /// `spent`, `taken-over`, `reorganised` or `binding-withdrawn`; none while active.
    pub ended_reason: Option<String>,
    /// Sats of its coins that another user has taken over with a bound proof; none if there are none.
    pub taken_over_sats: Option<i64>,
    /// Sats of its coins that have been spent since; none if there are none.
    pub spent_sats: Option<i64>,
    /// Whether it is published (proofs, section 4).
    pub published: bool,
}

impl Store {
    /// The proofs of a user, newest first.
    pub async fn proofs(
        &self,
        user_id: &str,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<Proof>, sqlx::Error> {
        self.query(
            "select id, user_id, file_name, amount_sats, status, binding, mock, created_at, expires_at, ended_at,
               (select end_reason from claims
                where claims.proof_id = proofs.id and proofs.ended_at is not null and claims.ended_at is not null
                order by claims.ended_at desc, claims.id limit 1) as ended_reason,
               (select cast(sum(value_sats) as bigint) from claims
                where claims.proof_id = proofs.id and claims.end_reason = 'taken-over') as taken_over_sats,
               (select cast(sum(value_sats) as bigint) from claims
                where claims.proof_id = proofs.id and claims.end_reason = 'spent') as spent_sats,
               exists (select 1 from published_proofs where published_proofs.proof_id = proofs.id) as published
             from proofs where user_id = $1 order by created_at desc, id desc limit $2 offset $3",
            &[&user_id, &limit, &offset],
        )
        .all()
        .await
    }

    /// The changes of a user's total in sats, by time. Coins that one proof takes over from another at one moment cancel out.
    pub async fn holdings_changes(
        &self,
        user_id: &str,
    ) -> Result<Vec<(UnixTime, i64)>, sqlx::Error> {
        self.query(
            "select moment, cast(sum(sats) as bigint) from
               (select proofs.created_at as moment, claims.value_sats as sats
                from proofs join claims on claims.proof_id = proofs.id where proofs.user_id = $1
                union all
                select claims.ended_at, -claims.value_sats
                from proofs join claims on claims.proof_id = proofs.id
                where proofs.user_id = $1 and claims.ended_at is not null) as own_changes
             group by moment order by moment",
            &[&user_id],
        )
        .all()
        .await
    }

    /// The number of proofs that a user has.
    pub async fn proof_count(&self, user_id: &str) -> Result<i64, sqlx::Error> {
        self.query(
            "select count(*) from proofs where user_id = $1",
            &[&user_id],
        )
        .value()
        .await
    }

    /// Deletes the user's mock proofs with this file name, with their claims, the recorded
    /// transactions and their share of the total. Development only.
    pub async fn delete_mock_proofs(
        &self,
        user_id: &str,
        file_name: &str,
        now: UnixTime,
    ) -> Result<(), sqlx::Error> {
        self.write(|mut tx| async move {
            tx.query(
                "delete from recorded_transactions where tx_hash in
               (select tx_hash from proofs where user_id = $1 and file_name = $2 and mock)",
                &[&user_id, &file_name],
            )
            .run()
            .await?;
            tx.query(
                "delete from proofs where user_id = $1 and file_name = $2 and mock",
                &[&user_id, &file_name],
            )
            .run()
            .await?;
            let total = tx.settle_holdings(user_id, now).await?;
            if total == 0 {
                tx.query(
                    "update profiles set last_verified = null where id = $1",
                    &[&user_id],
                )
                .run()
                .await?;
            }
            tx.end(()).await
        })
        .await
    }
}
