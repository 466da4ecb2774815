//! Sweeps: every live claim is looked up again, a few at a time, over any number of steps and restarts.

use super::{Applied, Block, ClaimedCoin};
use crate::Store;
use crate::claims::change::ClaimChanges;
use crate::tx::Tx;
use chain::clock::UnixTime;

/// One step of looking every live claim up again.
#[derive(Clone, Copy, Debug)]
pub struct SweepStep<'s> {
    pub network: &'s str,
    /// The newest block of the look-up, which must be the last that has been followed.
    pub at: &'s Block,
    /// The claim that the last step ended with; empty for the first step.
    pub after: &'s str,
    /// The claim that this step ends with; none when there are no more claims.
    pub until: Option<&'s str>,
    /// The changes that the look-up found.
    pub changes: &'s ClaimChanges,
}

impl Store {
    /// Begins to look every live claim up again, when that is due.
    pub async fn begin_sweep(&self, network: &str) -> Result<(), sqlx::Error> {
        self.query(
            "update chain_cursor set sweep_after = '', sweep_due = $2
             where network = $1 and sweep_after is null and sweep_due",
            &[&network, &false],
        )
        .run()
        .await
    }

    /// The next live claims after the one with the id `after`. Those about whose coins nothing is known are asked for by
    /// themselves.
    pub async fn live_claims_after(
        &self,
        network: &str,
        after: &str,
        limit: i64,
    ) -> Result<Vec<ClaimedCoin>, sqlx::Error> {
        self.query(
            "select id, txid, vout, funding_block, funding_height from claims
             where ended_at is null and unknown_since is null and network = $1 and id > $2 order by id limit $3",
            &[&network, &after, &limit],
        )
        .all()
        .await
    }

    /// Applies one step of looking every live claim up again.
    pub async fn sweep(&self, step: SweepStep<'_>, now: UnixTime) -> Result<Applied, sqlx::Error> {
        self.write(|mut tx| async move {
            if !tx.advance_sweep(step).await? {
                return Ok(Applied::Crossed);
            }
            let changed = tx.change_claims(step.changes, &step.at.hash, now).await?;
            tx.end(Applied::Done(changed)).await
        })
        .await
    }
}

impl Tx {
    async fn advance_sweep(&mut self, step: SweepStep<'_>) -> Result<bool, sqlx::Error> {
        let until = step.until.map(str::to_owned);
        let advanced = self
            .query(
                "update chain_cursor set sweep_after = $4
                 where network = $1 and hash = $2 and sweep_after = $3",
                &[&step.network, &step.at.hash, &step.after, &until],
            )
            .execute()
            .await?;
        Ok(advanced == 1)
    }
}
