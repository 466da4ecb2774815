//! The blocks that the codes of statements commit to (proofs, section 1).

use psbt_wasm::statement::{DEPTH, PERIOD_BLOCKS, block_hash};
use store::statement_blocks::StatementBlock;

/// A block that codes commit to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub height: u32,
    pub header: [u8; 80],
}

impl Block {
    /// The hash in internal order.
    pub fn hash(&self) -> [u8; 32] {
        block_hash(&self.header)
    }

    pub(super) fn from_stored(stored: &StatementBlock) -> Option<Self> {
        Some(Self {
            height: u32::try_from(stored.height).ok()?,
            header: hex::decode(&stored.header).ok()?.try_into().ok()?,
        })
    }
}

/// The blocks to which statements commit at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Height of the newest followed block.
    pub tip: u32,
    /// The blocks that count, the newest first.
    pub counting: Vec<Block>,
    /// Blocks that counted and have left the chain.
    pub gone: Vec<Block>,
}

impl Blocks {
    /// Heights of the blocks that count at this tip, the newest first. Block 0 needs no blocks above it.
    pub fn heights(tip: u32) -> impl Iterator<Item = u32> {
        let newest = tip.saturating_sub(DEPTH) / PERIOD_BLOCKS * PERIOD_BLOCKS;
        let before = newest.checked_sub(PERIOD_BLOCKS);
        std::iter::once(newest).chain(before)
    }
}
