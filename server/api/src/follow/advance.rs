//! Moves the cursor towards the newest block.

use bitcoin::BlockHash;

use super::follower::{FollowError, Follower, Missing, announce};
use chain::{ChainError, Coin, Spends, Tip};
use store::follower::{Block, ClaimedCoin, Cursor, NextBlock};

/// How many steps one call of [`Follower::advance`] takes at most while a request waits for it: a week of blocks.
/// When more are missing, they are skipped and every claim is looked up.
pub const ALL: u32 = 1_008;

/// After how many requests a block counts as missing at every source (pruned nodes).
const REQUESTS: u32 = 3;

/// The position of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// At the newest block.
    Newest,
    /// The sources know fewer blocks of the same chain than were followed.
    Ahead,
    /// There are more blocks to follow.
    Behind,
}

impl Follower {
    /// Follows at most `steps` blocks.
    ///
    /// # Errors
    /// When the chain cannot be asked, or the database fails. The blocks followed before stay followed.
    pub async fn advance(&self, steps: u32) -> Result<Position, FollowError> {
        let mut missing = self.turn.lock().await;
        for _ in 0..steps {
            let position = self.follow_one(&mut missing).await?;
            if position != Position::Behind {
                return Ok(position);
            }
        }
        Ok(Position::Behind)
    }

    async fn follow_one(&self, missing: &mut Missing) -> Result<Position, FollowError> {
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

    /// Whether a tip below the cursor is on the same chain: a source that lags has not seen a
    /// reorganization. A height older than the remembered blocks proves nothing either, except on
    /// a disposable chain, which may start again from its first block.
    async fn is_only_shorter(&self, tip: &Tip) -> Result<bool, FollowError> {
        let network = self.network();
        let followed = self.store.followed_block(network, tip.height).await?;
        Ok(match followed {
            Some(hash) => hash == tip.hash.to_string(),
            None => !self.disposable,
        })
    }

    /// The spends of a block. `None` when no source has blocks, or none has this one any more.
    async fn spends(
        &self,
        missing: &mut Missing,
        hash: BlockHash,
    ) -> Result<Option<Spends>, FollowError> {
        let failure = match self.chain.spent_in_block(hash).await {
            Ok(spends) => return Ok(spends),
            Err(failure) => failure,
        };
        if missing.block != Some(hash) {
            *missing = Missing {
                block: Some(hash),
                times: 0,
            };
        }
        missing.times += 1;
        if missing.times < REQUESTS {
            return Err(failure.into());
        }
        tracing::warn!(%failure, "no chain source has the block; looking up all claims instead");
        Ok(None)
    }

    async fn follow(
        &self,
        cursor: &Cursor,
        block: &Block,
        spends: &Spends,
    ) -> Result<(), FollowError> {
        let network = self.network();
        let claims = self
            .store
            .live_claims_on(network, &spends.outpoints)
            .await?;
        let (spent, unknown) = self.confirm_spent(block, &claims).await?;
        let next = NextBlock {
            network,
            after: &cursor.block,
            block,
            outpoints: &spends.outpoints,
            spent: &spent,
            unknown: &unknown,
        };
        let now = self.clock.now();
        let applied = self.store.follow_block(next, now).await?;
        announce(applied, block);
        Ok(())
    }

    /// The claims that the block ends, and those that it does not. The block came from one source, so a quorum of
    /// sources is asked as well (decisions, D12). When they know nothing about a coin, the block decides: they
    /// agree on its hash, which commits to its spends.
    async fn confirm_spent(
        &self,
        block: &Block,
        claims: &[ClaimedCoin],
    ) -> Result<(Vec<ClaimedCoin>, Vec<ClaimedCoin>), FollowError> {
        let (mut spent, mut unknown, mut sure) = (Vec::new(), Vec::new(), true);
        let looked_up = self.look_up(claims).await?;
        for (claim, coin) in looked_up.into_iter().flat_map(|(_, coins)| coins) {
            match coin {
                Coin::Spent | Coin::SpentOrMissing => spent.push(claim),
                Coin::Unknown => {
                    sure = false;
                    spent.push(claim);
                }
                _ => {
                    sure = false;
                    unknown.push(claim);
                }
            }
        }
        if !sure && !self.is_in_chain(block).await? {
            return Err(ChainError::Moved.into());
        }
        Ok((spent, unknown))
    }

    /// Jumps to the newest block, after which every live claim is looked up again.
    async fn skip(&self, cursor: &Cursor, tip: &Tip) -> Result<(), FollowError> {
        if !self.is_in_chain(&cursor.block).await? {
            return self.go_back(cursor, tip).await;
        }
        let network = self.network();
        let to = Block::from(tip);
        let applied = self.store.skip_to(network, &cursor.block, &to).await?;
        announce(applied, &to);
        Ok(())
    }
}
