//! Reorganizations (rule B9): goes back to the last followed block that is still in the chain.

use super::follower::{Follower, Result};
use super::look_up::funding;
use chain::{Coin, Tip};
use store::claims::change::ClaimChanges;
use store::follower::{Block, Cursor, Move};

impl Follower {
    /// Finds where the chain has forked, and moves the cursor back to it.
    pub(super) async fn go_back(&self, cursor: &Cursor, tip: &Tip) -> Result<()> {
        let network = self.network();
        let mut gone = Vec::new();
        let mut still_there = None;
        for block in self.store.followed_blocks(network).await? {
            if self.is_in_chain(&block).await? {
                still_there = Some(block);
                break;
            }
            gone.push(block);
        }
        let Some(to) = still_there else {
            tracing::warn!(
                height = tip.height,
                "the chain has forked before the oldest remembered block; looking up all claims"
            );
            let (to, nothing) = (Block::from(tip), ClaimChanges::default());
            return self
                .move_cursor(cursor, &to, Move::StartOver, &nothing)
                .await;
        };
        if gone.is_empty() {
            // The chain has switched back in between.
            return Ok(());
        }
        tracing::warn!(
            blocks = gone.len(),
            height = to.height,
            "the chain has forked"
        );
        let back = Move::Back(&gone);
        let changes = self.funding(back).await?;
        self.move_cursor(cursor, &to, back, &changes).await
    }

    /// Whether a followed block is still in the chain.
    pub(super) async fn is_in_chain(&self, block: &Block) -> Result<bool> {
        let here = self.chain.block_hash_at(block.height()).await?;
        Ok(here.is_some_and(|hash| hash.to_string() == block.hash))
    }

    /// Looks up the coins that stale blocks have funded: each is now in another block or in none.
    async fn funding(&self, back: Move<'_>) -> Result<ClaimChanges> {
        let claims = self.store.claims_to_look_up(self.network(), back).await?;
        let mut changes = ClaimChanges::default();
        for (claim, coin) in self.look_up(claims).await?.coins {
            match (funding(&claim, &coin), coin) {
                (Some(funding), _) => changes.funded.push(funding),
                (None, Coin::Unknown) => changes.unknown.push(claim.id),
                // If a block of the other branch has spent the coin, following that block will end the claim.
                (None, _) => changes.undone.push(claim.id),
            }
        }
        Ok(changes)
    }
}
