//! The blocks that date statements: the first of this difficulty period and of the one before (proofs, section 1).

use std::sync::{Arc, PoisonError};

use bitcoin::consensus::encode::serialize;
use bitcoin::constants::genesis_block;
use bitcoin::{BlockHash, Network};

use super::block::{Block, Blocks};
use super::proving::Proving;
use super::statement::Statement;
use crate::follow::FollowError;
use chain::ChainError;
use store::profiles::Profile;
use store::statement_blocks::StatementBlock;

impl Proving {
    /// The statement of an account, by which files are bound to it.
    ///
    /// # Errors
    /// When the database fails, or a block must be looked up and the chain cannot be asked.
    pub async fn statement(&self, account: &Profile) -> Result<Statement, FollowError> {
        let blocks = self.blocks().await?;
        Ok(self.statements.of(account, &blocks, self.clock.now()))
    }

    /// The blocks that count. They are looked up once for each newest block; while the sources do not respond, stored ones
    /// are used.
    async fn blocks(&self) -> Result<Arc<Blocks>, FollowError> {
        let (tip, hash) = self.tip().await?;
        if let Some(blocks) = self.cached(&hash) {
            return Ok(blocks);
        }
        let network = self.chain.network_name();
        let oldest = Blocks::heights(tip).min().unwrap_or(0).into();
        let kept = self.store.statement_blocks(network, oldest).await?;
        let mut failed = false;
        for height in Blocks::heights(tip) {
            if let Err(error) = self.take(height, &kept).await {
                let is_kept = kept
                    .iter()
                    .any(|it| it.height == i64::from(height) && !it.gone);
                match error {
                    FollowError::Chain(_) if is_kept => failed = true,
                    error => return Err(error),
                }
            }
        }
        let kept = self.store.statement_blocks(network, oldest).await?;
        let read = |gone| move |it: &&StatementBlock| it.gone == gone;
        let of = |gone| kept.iter().rev().filter(read(gone)).filter_map(Block::read);
        let counts = |block: &Block| Blocks::heights(tip).any(|height| height == block.height);
        let blocks = Arc::new(Blocks {
            tip,
            counting: of(false).filter(counts).collect(),
            gone: of(true).collect(),
        });
        if !failed {
            let mut known = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
            *known = Some((hash, Arc::clone(&blocks)));
        }
        Ok(blocks)
    }

    fn cached(&self, tip: &str) -> Option<Arc<Blocks>> {
        let known = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, blocks) = known.as_ref()?;
        (at == tip).then(|| Arc::clone(blocks))
    }

    /// Height and hash of the newest block that has been followed; before the first one, of the chain's tip.
    async fn tip(&self) -> Result<(u32, String), FollowError> {
        if let Some(cursor) = self.store.cursor(self.chain.network_name()).await? {
            let height = u32::try_from(cursor.block.height).unwrap_or(0);
            return Ok((height, cursor.block.hash));
        }
        let tip = self.chain.tip().await?;
        Ok((tip.height, tip.hash.to_string()))
    }

    /// Stores the block at this height, once the sources agree on it, unless it is already stored.
    async fn take(&self, height: u32, kept: &[StatementBlock]) -> Result<(), FollowError> {
        let network = self.chain.network();
        let hash = match height {
            0 => genesis(network).block_hash(),
            _ => self.hash_at(height).await?,
        };
        let text = hash.to_string();
        if kept.iter().any(|it| it.hash == text && !it.gone) {
            return Ok(());
        }
        let header = match height {
            0 => genesis(network),
            _ => self.chain.block_header(hash, height).await?,
        };
        let (network, header) = (self.chain.network_name(), hex::encode(serialize(&header)));
        let store = &self.store;
        store
            .keep_statement_block(network, height.into(), &text, &header)
            .await?;
        Ok(())
    }

    async fn hash_at(&self, height: u32) -> Result<BlockHash, FollowError> {
        let hash = self.chain.block_hash_at(height).await?;
        Ok(hash.ok_or(ChainError::Moved)?)
    }

    /// The stored blocks of this height, including those that have left the chain.
    pub(super) async fn kept_at(&self, height: i64) -> Result<Vec<Block>, FollowError> {
        let network = self.chain.network_name();
        let kept = self.store.statement_blocks(network, height).await?;
        let at = kept.iter().filter(|it| it.height == height);
        Ok(at.filter_map(Block::read).collect())
    }
}

fn genesis(network: Network) -> bitcoin::block::Header {
    genesis_block(network).header
}
