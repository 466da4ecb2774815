//! The daily re-verification of premium users (decisions, D14). See [`crate::proof::reverify`].

use sqlx::QueryBuilder;

use super::claims::change::{ClaimChanges, change_claims, with_ids};
use super::claims::deadlock::retry_deadlocks;
use super::follower::{Applied, Block, ClaimedCoin};
use super::{Store, begin, each};
use crate::clock::{DAY, UnixTime};

/// Users whose coins are being looked up, and until when they are this replica's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Their ids.
    pub users: Vec<String>,
    /// Unix seconds. Also names the taking: whoever takes a user over has another time.
    pub until: UnixTime,
}

/// What the look-up of the coins of some users said.
#[derive(Clone, Copy, Debug)]
pub struct Reverified<'r> {
    /// The users.
    pub taken: &'r Taken,
    /// The network.
    pub network: &'r str,
    /// The newest block of the look-up.
    pub at: &'r Block,
    /// What became of their live claims.
    pub changes: &'r ClaimChanges,
    /// Until when their proofs count now, unix seconds.
    pub expires_at: UnixTime,
}

impl Store {
    /// Takes premium users who have not been looked at for a day, those who have waited longest
    /// first. Nobody else takes them before `until`; when this replica dies, somebody does then.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take_due_reverifications(
        &self,
        now: UnixTime,
        until: UnixTime,
        limit: i64,
    ) -> Result<Taken, sqlx::Error> {
        let users = each!(self, |pool| {
            sqlx::query_scalar(
                "update profiles set reverify_at = $2
                 where coalesce(reverify_at, 0) <= $1 and id in
                   (select id from profiles
                    where tier = 'premium' and coalesce(reverify_at, 0) <= $1 and holdings_sats is not null
                      and (reverify_at is not null or last_verified <= $3)
                    order by coalesce(reverify_at, 0) limit $4)
                 returning id",
            )
            .bind(now)
            .bind(until)
            .bind(now - DAY)
            .bind(limit)
            .fetch_all(pool)
            .await?
        });
        Ok(Taken { users, until })
    }

    /// Puts the users back until `again`, because they could not be looked at.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delay_reverifications(
        &self,
        taken: &Taken,
        again: UnixTime,
    ) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            let mut query = QueryBuilder::new("update profiles set reverify_at = ");
            query.push_bind(again);
            query.push(" where reverify_at = ").push_bind(taken.until);
            query.push(" and id in (");
            let mut ids = query.separated(", ");
            for user in &taken.users {
                ids.push_bind(user);
            }
            query.push(")");
            query.build().execute(pool).await?;
        });
        Ok(())
    }

    /// The live claims of these users.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn live_claims_of(
        &self,
        network: &str,
        users: &[String],
    ) -> Result<Vec<ClaimedCoin>, sqlx::Error> {
        each!(self, |pool| {
            let mut query = QueryBuilder::new(
                "select id, txid, vout, funding_block from claims where ended_at is null and network = ",
            );
            query.push_bind(network);
            query.push(" and user_id in (");
            let mut ids = query.separated(", ");
            for user in users {
                ids.push_bind(user);
            }
            query.push(")");
            query.build_query_as().fetch_all(pool).await
        })
    }

    /// Records a re-verification: ends claims, renews every active proof that has claims left, and
    /// sets when the users are looked at next, all or nothing. Users whom somebody else has taken
    /// meanwhile, or who are no longer premium, are passed over.
    ///
    /// # Errors
    /// When the database fails; nothing has changed then.
    pub async fn reverify(
        &self,
        result: Reverified<'_>,
        now: UnixTime,
    ) -> Result<Applied, sqlx::Error> {
        retry_deadlocks!(self.try_reverify(result, now))
    }

    async fn try_reverify(
        &self,
        result: Reverified<'_>,
        now: UnixTime,
    ) -> Result<Applied, sqlx::Error> {
        let holding_the_cursor = self.holding_the_cursor();
        begin!(self, |transaction| {
            let followed: Option<String> = sqlx::query_scalar(holding_the_cursor)
                .bind(result.network)
                .fetch_optional(&mut *transaction)
                .await?;
            if followed.as_ref() != Some(&result.at.hash) {
                return Ok(Applied::Crossed);
            }
            let mut query = QueryBuilder::new("update profiles set updated_at = ");
            query.push_bind(now);
            query.push(", last_auto_reverify = ").push_bind(now);
            query.push(", reverify_at = ").push_bind(now + DAY);
            query.push(" where tier = 'premium' and reverify_at = ");
            query.push_bind(result.taken.until);
            query.push(" and id in (");
            let mut ids = query.separated(", ");
            for user in &result.taken.users {
                ids.push_bind(user);
            }
            query.push(") returning id");
            let users: Vec<String> = query
                .build_query_scalar()
                .fetch_all(&mut *transaction)
                .await?;
            let ended = change_claims!(transaction, result.changes, &result.at.hash, now);
            if !users.is_empty() {
                let mut query = QueryBuilder::new("update proofs set expires_at = ");
                query.push_bind(result.expires_at);
                query.push(
                    ", status = case when exists
                         (select 1 from claims where claims.proof_id = proofs.id and claims.ended_at is not null)
                         then 'partial-reverify' else 'reverified' end,
                       amount_sats = (select cast(sum(value_sats) as bigint) from claims
                         where claims.proof_id = proofs.id and claims.ended_at is null)
                     where ended_at is null and exists
                       (select 1 from claims where claims.proof_id = proofs.id and claims.ended_at is null)
                       and expires_at > ",
                );
                query.push_bind(now);
                query.push(" and user_id in (");
                let mut ids = query.separated(", ");
                for user in &users {
                    ids.push_bind(user);
                }
                query.push(")");
                query.build().execute(&mut *transaction).await?;

                let mut query = QueryBuilder::new("update profiles set last_verified = ");
                query.push_bind(now);
                query.push(" where holdings_sats is not null and id in (");
                let mut ids = query.separated(", ");
                for user in &users {
                    ids.push_bind(user);
                }
                query.push(")");
                query.build().execute(&mut *transaction).await?;
            }
            transaction.commit().await?;
            Ok(Applied::Done(ended))
        })
    }
}
