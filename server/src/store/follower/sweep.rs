//! Looking every live claim up again, a few at a time, over any number of steps and restarts.

use super::{Applied, Block, ClaimedCoin};
use sqlx::QueryBuilder;

use crate::clock::UnixTime;
use crate::store::claims::change::{ClaimChanges, change_claims, with_ids};
use crate::store::claims::deadlock::retry_deadlocks;
use crate::store::{Store, begin, each};

/// One step of looking every live claim up again.
#[derive(Clone, Copy, Debug)]
pub struct SweepStep<'s> {
    /// The network.
    pub network: &'s str,
    /// The newest block of the look-up, which must be the last that has been followed.
    pub at: &'s Block,
    /// The claim that the last step ended with; empty for the first step.
    pub after: &'s str,
    /// The claim that this step ends with; none when there are no more claims.
    pub until: Option<&'s str>,
    /// What the look-up said.
    pub changes: &'s ClaimChanges,
}

impl Store {
    /// Begins to look every live claim up again.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin_sweep(&self, network: &str) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            sqlx::query(
                "update chain_cursor set sweep_after = '', sweep_due = $2
                 where network = $1 and sweep_after is null and sweep_due",
            )
            .bind(network)
            .bind(false)
            .execute(pool)
            .await?;
        });
        Ok(())
    }

    /// The next live claims after the one with the id `after`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn live_claims_after(
        &self,
        network: &str,
        after: &str,
        limit: i64,
    ) -> Result<Vec<ClaimedCoin>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as(
                "select id, txid, vout, funding_block from claims
                 where ended_at is null and network = $1 and id > $2 order by id limit $3",
            )
            .bind(network)
            .bind(after)
            .bind(limit)
            .fetch_all(pool)
            .await
        })
    }

    /// Applies one step of looking every live claim up again.
    ///
    /// # Errors
    /// When the database fails; nothing has changed then.
    pub async fn sweep(&self, step: SweepStep<'_>, now: UnixTime) -> Result<Applied, sqlx::Error> {
        retry_deadlocks!(self.try_sweep(step, now))
    }

    async fn try_sweep(&self, step: SweepStep<'_>, now: UnixTime) -> Result<Applied, sqlx::Error> {
        begin!(self, |transaction| {
            let ours = sqlx::query(
                "update chain_cursor set sweep_after = $4
                 where network = $1 and hash = $2 and sweep_after = $3",
            )
            .bind(step.network)
            .bind(&step.at.hash)
            .bind(step.after)
            .bind(step.until)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
            if ours == 0 {
                return Ok(Applied::Crossed);
            }
            let changed = change_claims!(transaction, step.changes, &step.at.hash, now);
            transaction.commit().await?;
            Ok(Applied::Done(changed))
        })
    }

    pub(super) async fn try_change_claims(
        &self,
        network: &str,
        at: &Block,
        changes: &ClaimChanges,
        now: UnixTime,
    ) -> Result<Applied, sqlx::Error> {
        begin!(self, |transaction| {
            let held =
                sqlx::query("update chain_cursor set hash = $2 where network = $1 and hash = $2")
                    .bind(network)
                    .bind(&at.hash)
                    .execute(&mut *transaction)
                    .await?
                    .rows_affected();
            if held == 0 {
                return Ok(Applied::Crossed);
            }
            let changed = change_claims!(transaction, changes, &at.hash, now);
            transaction.commit().await?;
            Ok(Applied::Done(changed))
        })
    }
}
