//! The cursor's moves.

use std::collections::HashSet;

use bitcoin::OutPoint;

use super::{Applied, Block, ClaimedCoin, UNDONE};
use crate::Store;
use crate::claims::change::ClaimChanges;
use crate::tx::Tx;
use chain::clock::UnixTime;

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
        let mut tx = self.begin_reading().await?;
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
        self.write(|mut tx| async move {
            let sweep = by.needs_sweep(to);
            if !tx.move_cursor(network, from, to, sweep).await? {
                return Ok(Applied::Crossed);
            }
            // A claim that has not been looked up was recorded after the look-up.
            let live = tx.claims_to_look_up(network, by).await?;
            if !live.iter().all(|it| looked_up.contains(it.id.as_str())) {
                return Ok(Applied::Crossed);
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
            tx.end(Applied::Done(changed)).await
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
            Move::Next(outpoints) => self.live_claims_on(network, outpoints).await,
            Move::Back(gone) => self.live_claims_funded_by(network, gone).await,
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
}
