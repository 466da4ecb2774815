//! Sweeps: every live claim is looked up again, some at a time. A sweep survives restarts.

use super::{Applied, Block, ClaimedCoin};
use crate::Store;
use crate::claims::change::ClaimChanges;
use chain::clock::UnixTime;

impl Store {
    /// Begins a sweep, if one is due.
    pub async fn begin_sweep(&self, network: &str) -> sqlx::Result<()> {
        let sql = "update chain_cursor set sweep_after = '', sweep_due = $2
            where network = $1 and sweep_after is null and sweep_due";
        self.query(sql, &[&network, &false]).run().await
    }

    /// The next live claims after the one with the id `after`, without those whose coins are unknown, which are looked up elsewhere.
    pub async fn live_claims_after(
        &self,
        network: &str,
        after: &str,
        limit: i64,
    ) -> sqlx::Result<Vec<ClaimedCoin>> {
        let sql = "select id, txid, vout, funding_block, funding_height from claims
            where ended_at is null and unknown_since is null and network = $1 and id > $2 order by id limit $3";
        self.query(sql, &[&network, &after, &limit]).all().await
    }

    /// Applies one step of a sweep, which has looked up the claims from the one with the id `after` on up to `until`; `None` when there are
    /// no more claims.
    pub async fn sweep(
        &self,
        network: &str,
        at: &Block,
        (after, until): (&str, Option<String>),
        changes: &ClaimChanges,
        now: UnixTime,
    ) -> sqlx::Result<Applied> {
        let advance = "update chain_cursor set sweep_after = $4
            where network = $1 and hash = $2 and sweep_after = $3";
        let until = &until;
        self.write(|mut tx| async move {
            let cursor = tx.query(advance, &[&network, &at.hash, &after, until]);
            if !cursor.has_changed().await? {
                return Ok(Applied::Crossed);
            }
            let changed = tx.change_claims(changes, &at.hash, now).await?;
            tx.end(Applied::Done(changed)).await
        })
        .await
    }
}
