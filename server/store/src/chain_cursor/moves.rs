//! The cursor's moves, and the claims that a transaction reads once it has locked the cursor's row.
//!
//! A transaction that changes the row waits for those that record claims, and excludes other changes: the claims that it reads
//! afterwards are complete.

use std::collections::HashSet;

use bitcoin::OutPoint;
use serde_json::json;

use super::{Applied, Block, ClaimedCoin, UNDONE};
use crate::Store;
use crate::claims::change::ClaimChanges;
use crate::tx::Tx;
use chain::clock::UnixTime;

/// How many blocks are remembered: a week. A reorganization that reaches farther back has every
/// claim looked up again.
const REMEMBERED: i64 = 1_008;

/// Where the cursor goes.
#[derive(Clone, Copy, Debug)]
pub enum Move<'m> {
    /// To the next block, which spends these outpoints.
    Next(&'m [OutPoint]),
    /// To a newer block. The blocks in between are skipped, so a sweep looks up every live claim again.
    Skip,
    /// Back to where the chain has forked. These followed blocks are no longer in it, newest first.
    Back(&'m [Block]),
    /// To another chain, which has none of the followed blocks: a sweep looks up every live claim, and every claim that ended because its
    /// coin was spent may come back.
    StartOver,
}

impl Move<'_> {
    /// Whether blocks are skipped, now or among those that are gone.
    fn needs_sweep(self, to: &Block) -> bool {
        match self {
            Self::Next(_) => false,
            Self::Back(gone) => gone.last().is_some_and(|it| it.height != to.height + 1),
            Self::Skip | Self::StartOver => true,
        }
    }
}

impl Store {
    /// The live claims that a move may change, whose coins are looked up first.
    pub async fn claims_to_look_up(
        &self,
        network: &str,
        by: Move<'_>,
    ) -> sqlx::Result<Vec<ClaimedCoin>> {
        let mut tx = self.begin().await?;
        tx.claims_to_look_up(network, by).await
    }

    /// Moves the cursor and changes claims as the look-up of [`Store::claims_to_look_up`] said, all or nothing.
    pub async fn move_cursor(
        &self,
        network: &str,
        (from, to): (&Block, &Block),
        by: Move<'_>,
        changes: &ClaimChanges,
        now: UnixTime,
    ) -> sqlx::Result<Applied> {
        let looked_up: &HashSet<&str> = &changes.ids().collect();
        let advance =
            "update chain_cursor set height = $3, hash = $4, sweep_due = (sweep_due or $5)
            where network = $1 and hash = $2";
        self.write(|mut tx| async move {
            let sweep = by.needs_sweep(to);
            let cursor = tx.query(
                advance,
                &[&network, &from.hash, &to.height, &to.hash, &sweep],
            );
            if !cursor.has_changed().await? {
                return Ok(None);
            }
            // A claim that has not been looked up was recorded after the look-up.
            let live = tx.claims_to_look_up(network, by).await?;
            if !live.iter().all(|it| looked_up.contains(it.id.as_str())) {
                return Ok(None);
            }
            let mut changes = changes.clone();
            match by {
                Move::Next(outpoints) => {
                    let spent = tx.undone_claims_on(network, outpoints, now).await?;
                    changes.spent.extend(spent);
                }
                Move::Skip => {}
                Move::Back(gone) => {
                    tx.forget_above(network, to.height).await?;
                    tx.undo_spending_in(gone).await?;
                }
                Move::StartOver => {
                    tx.forget_above(network, -1).await?;
                    tx.undo_all_spending(network, now).await?;
                }
            }
            if !matches!(by, Move::Back(_)) {
                tx.remember(network, to).await?;
            }
            let changed = tx.change_claims(&changes, &to.hash, now).await?;
            tx.end(Some(changed)).await
        })
        .await
    }
}

impl Tx {
    async fn claims_to_look_up(
        &mut self,
        network: &str,
        by: Move<'_>,
    ) -> sqlx::Result<Vec<ClaimedCoin>> {
        match by {
            Move::Next(outpoints) => {
                let rows = outpoints
                    .iter()
                    .map(|it| json!({"txid": it.txid.to_string(), "vout": it.vout}));
                // One index look-up for each outpoint: for a join the planner might read all claims.
                let sql = "select id, txid, vout, funding_block, funding_height from claims
                    where ended_at is null and id in
                      (select (select live.id from claims as live where live.ended_at is null and live.network = $1
                         and live.txid = given.txid and live.vout = given.vout) from $rows)";
                self.query(sql, &[&network])
                    .rows("txid text, vout bigint", rows.collect())
                    .all()
                    .await
            }
            Move::Back(gone) => {
                let sql = "select id, txid, vout, funding_block, funding_height from claims
                    where ended_at is null and network = $1 and funding_block in ($list)";
                self.query(sql, &[&network]).list(&hashes(gone)).all().await
            }
            Move::Skip | Move::StartOver => Ok(Vec::new()),
        }
    }

    /// The claims on these outpoints that wait for their coin to be in a block again.
    async fn undone_claims_on(
        &mut self,
        network: &str,
        outpoints: &[OutPoint],
        now: UnixTime,
    ) -> sqlx::Result<Vec<String>> {
        let outpoints: HashSet<&OutPoint> = outpoints.iter().collect();
        let mut undone: Vec<ClaimedCoin> = self.query(UNDONE, &[&network, &now]).all().await?;
        undone.retain(|it| it.outpoint().is_some_and(|coin| outpoints.contains(&coin)));
        Ok(undone.into_iter().map(|claim| claim.id).collect())
    }

    /// Keeps the cursor where it is until the transaction ends; several transactions can do so at once. Returns whether it is at
    /// the block of this hash.
    pub(crate) async fn hold_cursor(&mut self, network: &str, hash: &str) -> sqlx::Result<bool> {
        let followed = "select hash from chain_cursor where network = $1";
        let followed = self.query(followed, &[&network]).locking("for share");
        let followed: Option<String> = followed.scalar().await?;
        Ok(followed.as_deref() == Some(hash))
    }

    /// Stores a block, and deletes old ones.
    pub(super) async fn remember(&mut self, network: &str, block: &Block) -> sqlx::Result<()> {
        let insert = "insert into chain_blocks (network, height, hash) values ($1, $2, $3)";
        self.query(insert, &[&network, &block.height, &block.hash])
            .run()
            .await?;
        let delete = "delete from chain_blocks where network = $1 and height <= $2";
        self.query(delete, &[&network, &(block.height - REMEMBERED)])
            .run()
            .await
    }

    /// Deletes the blocks above this height.
    async fn forget_above(&mut self, network: &str, height: i64) -> sqlx::Result<()> {
        let delete = "delete from chain_blocks where network = $1 and height > $2";
        self.query(delete, &[&network, &height]).run().await
    }

    /// Makes the claims that one of these blocks has ended wait for their coins to be in a block again.
    async fn undo_spending_in(&mut self, blocks: &[Block]) -> sqlx::Result<()> {
        let sql = "update claims set end_reason = 'reorganized', spent_block = null
            where end_reason = 'spent' and spent_block in ($list)";
        self.query(sql, &[]).list(&hashes(blocks)).run().await
    }

    /// As [`Tx::undo_spending_in`], for every claim of an unexpired proof that has ended because its coin was spent.
    async fn undo_all_spending(&mut self, network: &str, now: i64) -> sqlx::Result<()> {
        let sql = "update claims set end_reason = 'reorganized', spent_block = null
            where network = $1 and end_reason = 'spent'
              and proof_id in (select id from proofs where expires_at > $2)";
        self.query(sql, &[&network, &now]).run().await
    }
}

fn hashes(blocks: &[Block]) -> Vec<&str> {
    blocks.iter().map(|block| block.hash.as_str()).collect()
}
