//! Moves the cursor towards the newest block, and back when the chain has forked.

use bitcoin::BlockHash;

use super::follower::{Follower, Missing, Position, Result, report_changes};
use super::look_up::funding;
use chain::{ChainError, Coin, Spends, Tip};
use store::chain_cursor::{Block, ClaimedCoin, Cursor, Move};
use store::claims::change::ClaimChanges;

/// The most steps of one call of [`Follower::advance`] when a request waits for it: a week of blocks.
/// When more blocks are missing, skips them and sweeps over all claims.
pub const ALL: u32 = 1_008;

/// How often a block is requested before it counts as one that no source has (a pruned node).
const REQUESTS: u32 = 3;

impl Follower {
    /// Follows at most `steps` blocks.
    ///
    /// # Errors
    /// When the chain sources or the database fail. The blocks that were followed before stay followed.
    pub async fn advance(&self, steps: u32) -> Result<Position> {
        let mut missing = self.missing.lock().await;
        for _ in 0..steps {
            let position = self.follow_one(&mut missing).await?;
            if position != Position::Behind {
                return Ok(position);
            }
        }
        Ok(Position::Behind)
    }

    async fn follow_one(&self, missing: &mut Missing) -> Result<Position> {
        let network = self.network();
        let tip = self.chain.tip().await?;
        let Some(cursor) = self.store.cursor(network).await? else {
            self.store
                .start_following(network, &Block::from(&tip))
                .await?;
            return Ok(Position::Behind);
        };
        if cursor.block.hash == tip.hash.to_string() {
            if cursor.median_time != Some(tip.median_time) {
                let note = self.store.note_median_time(network, tip.median_time);
                note.await?;
            }
            return Ok(Position::Newest);
        }
        if tip.height <= cursor.block.height() {
            if self.is_only_shorter(&tip).await? {
                return Ok(Position::Ahead);
            }
            self.go_back(&cursor, &tip).await?;
            return Ok(Position::Behind);
        }
        if tip.height - cursor.block.height() > ALL {
            self.skip(&cursor, &tip).await?;
            return Ok(Position::Behind);
        }
        let height = cursor.block.height() + 1;
        let hash = self.chain.block_hash_at(height).await?;
        let hash = hash.ok_or(ChainError::Moved)?;
        match self.spends(missing, hash).await? {
            Some(spends) if spends.previous.to_string() == cursor.block.hash => {
                self.follow(&cursor, &Block::new(height, hash), &spends)
                    .await?;
            }
            Some(_) => self.go_back(&cursor, &tip).await?,
            None => self.skip(&cursor, &tip).await?,
        }
        Ok(Position::Behind)
    }

    /// Whether a tip below the cursor is of the same chain, so that the sources only lag and there is no
    /// reorganization. A tip below all remembered blocks counts as the same chain, except where
    /// chains are disposable.
    async fn is_only_shorter(&self, tip: &Tip) -> Result<bool> {
        let blocks = self.store.followed_blocks(self.network()).await?;
        let followed = blocks.iter().find(|block| block.height() == tip.height);
        Ok(match followed {
            Some(block) => block.hash == tip.hash.to_string(),
            None => !self.disposable,
        })
    }

    /// The outpoints that the block spends. `None` when no source has the block any more.
    async fn spends(&self, missing: &mut Missing, hash: BlockHash) -> Result<Option<Spends>> {
        let failure = match self.chain.spent_in_block(hash).await {
            Ok(spends) => return Ok(Some(spends)),
            Err(failure) => failure,
        };
        let known = missing.filter(|(block, _)| *block == hash);
        let times = known.map_or(1, |(_, times)| times + 1);
        *missing = Some((hash, times));
        if times < REQUESTS {
            return Err(failure.into());
        }
        tracing::warn!(%failure, "no chain source has the block; looking up all claims instead");
        Ok(None)
    }

    async fn follow(&self, cursor: &Cursor, block: &Block, spends: &Spends) -> Result<()> {
        let next = Move::Next(&spends.outpoints);
        let claims = self.store.claims_to_look_up(self.network(), next).await?;
        let changes = self.confirm_spent(block, claims).await?;
        self.move_cursor(cursor, block, next, &changes).await
    }

    /// The claims that the block ends, and those that it does not. The block came from one source, so this also looks the coins
    /// up at the quorum (decisions, D12). If the quorum has no answer about a coin, the block decides, because the quorum
    /// agrees on its hash, which commits to the outpoints that it spends.
    async fn confirm_spent(&self, block: &Block, claims: Vec<ClaimedCoin>) -> Result<ClaimChanges> {
        let (mut changes, mut sure) = (ClaimChanges::default(), true);
        for (claim, coin) in self.look_up(claims).await?.coins {
            sure &= matches!(coin, Coin::Spent | Coin::SpentOrMissing);
            match coin {
                Coin::Spent | Coin::SpentOrMissing | Coin::Unknown => changes.spent.push(claim.id),
                _ => changes.unknown.push(claim.id),
            }
        }
        if !sure && !self.is_in_chain(block).await? {
            return Err(ChainError::Moved.into());
        }
        Ok(changes)
    }

    /// Goes to the newest block at once; a sweep looks up every live claim again.
    async fn skip(&self, cursor: &Cursor, tip: &Tip) -> Result<()> {
        if !self.is_in_chain(&cursor.block).await? {
            return self.go_back(cursor, tip).await;
        }
        let (to, nothing) = (Block::from(tip), ClaimChanges::default());
        self.move_cursor(cursor, &to, Move::Skip, &nothing).await
    }

    pub(super) async fn move_cursor(
        &self,
        cursor: &Cursor,
        to: &Block,
        by: Move<'_>,
        changes: &ClaimChanges,
    ) -> Result<()> {
        let (store, blocks) = (&self.store, (&cursor.block, to));
        let moved = store.move_cursor(self.network(), blocks, by, changes, self.clock.now());
        report_changes(moved.await?, to);
        Ok(())
    }

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
