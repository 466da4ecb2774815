//! What the chain sources say of the coins of all files, at one tip.

use std::collections::{HashMap, HashSet};

use bitcoin::{BlockHash, OutPoint};
use futures_util::{StreamExt, TryStreamExt, stream};
use psbt_wasm::date::{BlockTimes, Bounds, Step, find_bounds};

use chain::{Chain, ChainError, CoinHistory, Tip};

/// How many coins are looked up together: each look-up has its own time limit.
const TOGETHER: usize = 100;

/// How often everything is looked up again when blocks arrive in between.
const ATTEMPTS: usize = 6;

/// Requests at once.
const AT_ONCE: usize = 8;

/// How many header times a median is of (BIP-0113).
const MEDIAN_OF: u32 = 11;

/// Answers that are true at one tip.
pub(super) struct Found {
    pub(super) tip: Tip,
    pub(super) coins: HashMap<OutPoint, CoinHistory>,
    /// The blocks that the files were signed after, and that the chain has at the stated heights.
    pub(super) dated: HashSet<(u32, BlockHash)>,
    pub(super) date: Option<Date>,
}

/// The blocks that bound an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Date {
    pub(super) bounds: Bounds,
    pub(super) lower: Option<Dated>,
    pub(super) upper: Option<Dated>,
}

/// A block and its times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dated {
    pub(super) hash: BlockHash,
    pub(super) times: BlockTimes,
}

/// Looks up coins, blocks by height and hash, and the bounds of an instant.
pub(super) async fn look_up(
    chain: &Chain,
    outpoints: &[OutPoint],
    blocks: &HashSet<(u32, BlockHash)>,
    at: Option<i64>,
) -> Result<Found, ChainError> {
    for _ in 0..ATTEMPTS {
        let tip = chain.tip().await?;
        let date = match at {
            Some(at) => Some(Headers::new(chain).find(at, tip.height).await?),
            None => None,
        };
        let mut coins = HashMap::new();
        for portion in outpoints.chunks(TOGETHER) {
            let histories = chain.histories(portion).await?;
            coins.extend(portion.iter().copied().zip(histories));
        }
        let mut dated = HashSet::new();
        for (height, hash) in blocks {
            if *height > 0 && chain.block_hash_at(*height).await? == Some(*hash) {
                dated.insert((*height, *hash));
            }
        }
        if chain.tip().await?.hash == tip.hash {
            return Ok(Found {
                tip,
                coins,
                dated,
                date,
            });
        }
    }
    Err(ChainError::Moved)
}

/// Headers of the best chain by height.
struct Headers<'c> {
    chain: &'c Chain,
    known: HashMap<u32, (BlockHash, i64)>,
}

impl<'c> Headers<'c> {
    fn new(chain: &'c Chain) -> Self {
        Self {
            chain,
            known: HashMap::new(),
        }
    }

    async fn find(&mut self, at: i64, tip: u32) -> Result<Date, ChainError> {
        let mut blocks: Vec<BlockTimes> = Vec::new();
        loop {
            match find_bounds(at, tip, &blocks) {
                Step::Ask(height) => blocks.push(self.times(height).await?),
                Step::Found(bounds) => {
                    let block = |height: Option<u32>| {
                        let times = *blocks.iter().find(|block| Some(block.height) == height)?;
                        let (hash, _) = *self.known.get(&times.height)?;
                        Some(Dated { hash, times })
                    };
                    return Ok(Date {
                        bounds,
                        lower: block(bounds.lower),
                        upper: block(bounds.upper),
                    });
                }
            }
        }
    }

    /// The times of a block, from its header and the ten before.
    async fn times(&mut self, height: u32) -> Result<BlockTimes, ChainError> {
        let last = height.saturating_sub(MEDIAN_OF - 1)..=height;
        let missing: Vec<u32> = last
            .clone()
            .filter(|it| !self.known.contains_key(it))
            .collect();
        let chain = self.chain;
        let headers: Vec<(u32, (BlockHash, i64))> = stream::iter(missing)
            .map(async |height| {
                let hash = chain
                    .block_hash_at(height)
                    .await?
                    .ok_or(ChainError::Moved)?;
                let header = chain.block_header(hash).await?;
                Ok::<_, ChainError>((height, (hash, i64::from(header.time))))
            })
            .buffer_unordered(AT_ONCE)
            .try_collect()
            .await?;
        self.known.extend(headers);
        let mut times: Vec<i64> = last
            .filter_map(|height| Some(self.known.get(&height)?.1))
            .collect();
        let time = times.last().copied().unwrap_or_default();
        times.sort_unstable();
        Ok(BlockTimes {
            height,
            time,
            median_time: times.get(times.len() / 2).copied().unwrap_or_default(),
        })
    }
}
