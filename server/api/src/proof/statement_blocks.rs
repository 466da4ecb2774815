//! The blocks that date statements: the first one of the current difficulty period and of the previous one (proofs, section 1).

use std::sync::Arc;

use bitcoin::consensus::encode::serialize;
use bitcoin::constants::genesis_block;

use super::proving::Proving;
use super::statement::{Block, Blocks, Statement};
use super::submission::SubmitError;
use crate::chain_follower::FollowError;
use chain::ChainError;
use store::profiles::Profile;
use store::statement_blocks::StatementBlock;

impl Proving {
    /// The statement of a user's account, by which files are bound to it.
    ///
    /// # Errors
    /// When the account was deleted meanwhile; when the database fails, or the chain sources fail and a block is needed from them.
    pub async fn statement(&self, user_id: &str) -> Result<Statement, SubmitError> {
        let account = self.store.profile(user_id).await?;
        let account = account.ok_or(SubmitError::NoAccount)?;
        Ok(self.statement_of(&account).await?)
    }

    /// The statement of this account.
    pub(super) async fn statement_of(&self, account: &Profile) -> Result<Statement, FollowError> {
        let (blocks, now) = (self.blocks().await?, self.clock.now());
        Ok(self.statements.for_account(account, &blocks, now))
    }

    /// The blocks that count. Looked up once for each newest block; while the sources do not answer, those in the database.
    async fn blocks(&self) -> Result<Arc<Blocks>, FollowError> {
        let (tip, hash) = self.tip().await?;
        if let Some(blocks) = self.cached_blocks(&hash) {
            return Ok(blocks);
        }
        let network = self.chain.network_name();
        let oldest = Blocks::heights(tip).min().unwrap_or(0).into();
        let kept = self.store.statement_blocks(network, oldest).await?;
        let mut failed = false;
        for height in Blocks::heights(tip) {
            let mut known = kept.iter().filter(|it| !it.gone);
            let is_known = known.any(|it| it.height == i64::from(height));
            match self.store_block(height, &kept).await {
                Err(FollowError::Chain(_)) if is_known => failed = true,
                stored => stored?,
            }
        }
        let kept = self.store.statement_blocks(network, oldest).await?;
        let (gone, present): (Vec<&StatementBlock>, _) = kept.iter().rev().partition(|it| it.gone);
        let counts = |block: &Block| Blocks::heights(tip).any(|height| height == block.height);
        let present = present.into_iter().filter_map(Block::from_stored);
        let blocks = Arc::new(Blocks {
            tip,
            counting: present.filter(counts).collect(),
            gone: gone.into_iter().filter_map(Block::from_stored).collect(),
        });
        if !failed {
            *self.blocks.lock() = Some((hash, Arc::clone(&blocks)));
        }
        Ok(blocks)
    }

    fn cached_blocks(&self, tip: &str) -> Option<Arc<Blocks>> {
        let cached = self.blocks.lock();
        let (at, blocks) = cached.as_ref()?;
        (at == tip).then(|| Arc::clone(blocks))
    }

    /// Height and hash of the newest followed block; before there is one, of the chain's newest block.
    async fn tip(&self) -> Result<(u32, String), FollowError> {
        if let Some(cursor) = self.store.cursor(self.chain.network_name()).await? {
            let height = u32::try_from(cursor.block.height).unwrap_or(0);
            return Ok((height, cursor.block.hash));
        }
        let tip = self.chain.tip().await?;
        Ok((tip.height, tip.hash.to_string()))
    }

    /// Stores the block at this height, on which the sources agree, unless it is stored already.
    async fn store_block(&self, height: u32, kept: &[StatementBlock]) -> Result<(), FollowError> {
        let genesis = genesis_block(self.chain.network()).header;
        let hash = match height {
            0 => genesis.block_hash(),
            _ => {
                let hash = self.chain.block_hash_at(height).await?;
                hash.ok_or(ChainError::Moved)?
            }
        };
        let text = hash.to_string();
        if kept.iter().any(|it| it.hash == text && !it.gone) {
            return Ok(());
        }
        let header = match height {
            0 => genesis,
            _ => self.chain.block_header(hash).await?,
        };
        let (network, header) = (self.chain.network_name(), hex::encode(serialize(&header)));
        let store = &self.store;
        store
            .keep_statement_block(network, height.into(), &text, &header)
            .await?;
        Ok(())
    }

    /// The stored blocks of this height, including those that have left the chain.
    pub(super) async fn blocks_at(&self, height: i64) -> Result<Vec<Block>, FollowError> {
        let network = self.chain.network_name();
        let kept = self.store.statement_blocks(network, height).await?;
        let at = kept.iter().filter(|it| it.height == height);
        Ok(at.filter_map(Block::from_stored).collect())
    }
}
