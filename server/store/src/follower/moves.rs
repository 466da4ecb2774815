//! The cursor's moves.

use std::collections::HashSet;

use bitcoin::OutPoint;

use super::{Applied, Block, ClaimedCoin};
use crate::Store;
use crate::claims::change::ClaimChanges;
use chain::clock::UnixTime;

/// The block after the cursor.
#[derive(Clone, Copy, Debug)]
pub struct NextBlock<'b> {
    pub network: &'b str,
    /// The last block that has been followed.
    pub after: &'b Block,
    pub block: &'b Block,
    /// The outpoints that it spends.
    pub outpoints: &'b [OutPoint],
    /// The live claims on them, whose coins have been looked up and are spent.
    pub spent: &'b [ClaimedCoin],
    /// Live claims on them that do not end, because too many sources report their coins as unspent.
    pub unknown: &'b [ClaimedCoin],
}

/// Blocks that have left the chain.
#[derive(Clone, Copy, Debug)]
pub struct Fork<'b> {
    pub network: &'b str,
    /// The last block that has been followed.
    pub from: &'b Block,
    /// The last followed block that is still in the chain.
    pub to: &'b Block,
    /// The followed blocks that no longer are, newest first.
    pub gone: &'b [Block],
    /// The changes of the live claims that those have funded.
    pub changes: &'b ClaimChanges,
    /// Whether blocks in between were skipped, so that a sweep is needed.
    pub gap: bool,
}

impl Store {
    /// Follows the next block: ends the claims whose coins it spends, all or none.
    pub async fn follow_block(&self, next: NextBlock<'_>, now: UnixTime) -> sqlx::Result<Applied> {
        let network = next.network;
        let ids = |claims: &'_ [ClaimedCoin]| -> HashSet<String> {
            claims.iter().map(|claim| claim.id.clone()).collect()
        };
        let (spent, unknown) = (&ids(next.spent), &ids(next.unknown));
        let outpoints: &HashSet<&OutPoint> = &next.outpoints.iter().collect();
        self.write(|mut tx| async move {
            if !tx
                .move_cursor(network, next.after, next.block, false)
                .await?
            {
                return Ok(Applied::Crossed);
            }
            tx.remember(network, next.block).await?;
            let live = tx.live_claims_on(network, next.outpoints).await?;
            let (ending, staying): (Vec<_>, Vec<_>) = live
                .into_iter()
                .map(|claim| claim.id)
                .partition(|claim| spent.contains(claim));
            // A claim that has not been looked up was recorded after the look-up.
            if !staying.iter().all(|claim| unknown.contains(claim)) {
                return Ok(Applied::Crossed);
            }
            let undone = tx.undone_claims(network).await?.into_iter();
            let undone = undone
                .filter(|claim| {
                    claim
                        .outpoint()
                        .is_some_and(|coin| outpoints.contains(&coin))
                })
                .map(|claim| claim.id);
            let changes = ClaimChanges {
                spent: ending.into_iter().chain(undone).collect(),
                unknown: staying,
                ..ClaimChanges::default()
            };
            let changed = tx.change_claims(&changes, &next.block.hash, now).await?;
            tx.end(Applied::Done(changed)).await
        })
        .await
    }

    /// Goes on from a newer block and skips those in between; a sweep looks up every live claim again.
    pub async fn skip_to(&self, network: &str, from: &Block, to: &Block) -> sqlx::Result<Applied> {
        self.write(|mut tx| async move {
            if !tx.move_cursor(network, from, to, true).await? {
                return Ok(Applied::Crossed);
            }
            tx.remember(network, to).await?;
            tx.end(Applied::Done(0)).await
        })
        .await
    }

    /// Goes back to where the chain has forked. Claims that a block which is gone has ended wait for their coins to be in a block
    /// again; live claims whose coin such a block has funded change as the look-up said.
    pub async fn go_back(&self, fork: Fork<'_>, now: UnixTime) -> sqlx::Result<Applied> {
        let network = fork.network;
        let looked_up: &HashSet<&str> = &fork.changes.ids().collect();
        self.write(|mut tx| async move {
            if !tx
                .move_cursor(network, fork.from, fork.to, fork.gap)
                .await?
            {
                return Ok(Applied::Crossed);
            }
            tx.forget_above(network, fork.to.height).await?;
            let funded = tx.live_claims_funded_by(network, fork.gone).await?;
            // A claim that has not been looked up was recorded after the look-up.
            if !funded.iter().all(|it| looked_up.contains(it.id.as_str())) {
                return Ok(Applied::Crossed);
            }
            tx.undo_spending_in(fork.gone).await?;
            let changed = tx.change_claims(fork.changes, &fork.to.hash, now).await?;
            tx.end(Applied::Done(changed)).await
        })
        .await
    }

    /// Starts over at `to` when none of the followed blocks is in the chain any more: a sweep looks up every live
    /// claim, and every claim that ended because its coin was spent may come back.
    pub async fn start_over(
        &self,
        network: &str,
        from: &Block,
        to: &Block,
        now: UnixTime,
    ) -> sqlx::Result<Applied> {
        self.write(|mut tx| async move {
            if !tx.move_cursor(network, from, to, true).await? {
                return Ok(Applied::Crossed);
            }
            tx.forget_above(network, -1).await?;
            tx.remember(network, to).await?;
            tx.undo_all_spending(network, now).await?;
            tx.end(Applied::Done(0)).await
        })
        .await
    }
}
