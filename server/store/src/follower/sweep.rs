//! Sweeps: every live claim is looked up again, some at a time. A sweep survives restarts.

use super::{Applied, Block, ClaimedCoin};
use crate::Store;
use crate::claims::change::ClaimChanges;
use chain::clock::UnixTime;

#[derive(Clone, Copy, Debug)]
pub struct SweepStep<'s> {
    pub network: &'s str,
    /// The newest block of the look-up; the cursor must be there.
    pub at: &'s Block,
    /// The last claim of the previous step; empty for the first step.
    pub after: &'s str,
    /// The last claim of this step; `None` when there are no more claims.
    pub until: Option<&'s str>,
    pub changes: &'s ClaimChanges,
}

impl Store {
    /// Begins a sweep, if one is due.
    pub async fn begin_sweep(&self, network: &str) -> sqlx::Result<()> {
        self.query(
            "update chain_cursor set sweep_after = '', sweep_due = $2
             where network = $1 and sweep_after is null and sweep_due",
            &[&network, &false],
        )
        .run()
        .await
    }

    /// The next live claims after the one with the id `after`, without those whose coins are unknown, which are looked up elsewhere.
    pub async fn live_claims_after(
        &self,
        network: &str,
        after: &str,
        limit: i64,
    ) -> sqlx::Result<Vec<ClaimedCoin>> {
        self.query(
            "select id, txid, vout, funding_block, funding_height from claims
             where ended_at is null and unknown_since is null and network = $1 and id > $2 order by id limit $3",
            &[&network, &after, &limit],
        )
        .all()
        .await
    }

    /// Applies one step of a sweep.
    pub async fn sweep(&self, step: SweepStep<'_>, now: UnixTime) -> sqlx::Result<Applied> {
        let until = &step.until.map(str::to_owned);
        let advance = "update chain_cursor set sweep_after = $4
            where network = $1 and hash = $2 and sweep_after = $3";
        self.write(|mut tx| async move {
            let (network, hash) = (&step.network, &step.at.hash);
            let cursor = tx.query(advance, &[network, hash, &step.after, until]);
            if !cursor.has_changed().await? {
                return Ok(Applied::Crossed);
            }
            let changed = tx.change_claims(step.changes, &step.at.hash, now).await?;
            tx.end(Applied::Done(changed)).await
        })
        .await
    }
}
