//! Looks up the coins of many claims.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use bitcoin::{BlockHash, OutPoint};

use super::follower::{Follower, Result};
use chain::{ChainError, Coin, Tip};
use store::chain_cursor::ClaimedCoin;
use store::claims::change::{ClaimChanges, Funding};

/// The most coins of one request to the sources.
pub(super) const COINS: usize = 500;

/// The coins of some claims at one tip.
pub struct LookedUp {
    /// None when there were no claims.
    pub tip: Option<Tip>,
    pub coins: Vec<(ClaimedCoin, Coin)>,
}

impl Follower {
    /// Looks up the coins of these claims at one tip, in portions.
    ///
    /// # Errors
    /// When the chain sources fail, or a block has arrived meanwhile.
    pub async fn look_up(&self, claims: Vec<ClaimedCoin>) -> Result<LookedUp> {
        let (outpoints, claims): (Vec<OutPoint>, Vec<ClaimedCoin>) = claims
            .into_iter()
            .filter_map(|claim| Some((claim.outpoint()?, claim)))
            .unzip();
        let (mut tip, mut coins) = (None, Vec::new());
        for portion in outpoints.chunks(COINS) {
            let found = self.chain.look_up(portion).await?;
            if tip.is_some_and(|tip: Tip| tip.hash != found.tip.hash) {
                return Err(ChainError::Moved.into());
            }
            tip = Some(found.tip);
            coins.extend(found.coins);
        }
        Ok(LookedUp {
            tip,
            coins: claims.into_iter().zip(coins).collect(),
        })
    }

    /// The changes of live claims that follow from the state of their coins.
    ///
    /// # Errors
    /// When the chain sources fail, or a block has arrived meanwhile.
    pub async fn changes(&self, looked_up: LookedUp) -> Result<ClaimChanges> {
        let orphans = self.orphans(&looked_up).await?;
        let mut changes = ClaimChanges::default();
        for (claim, coin) in looked_up.coins {
            match coin {
                Coin::SpentOrMissing if orphans.contains(&claim.id) => {
                    changes.undone.push(claim.id);
                }
                Coin::Spent | Coin::SpentOrMissing => changes.spent.push(claim.id),
                Coin::Unknown => changes.unknown.push(claim.id),
                Coin::SpentInMempool => changes.kept.push(claim.id),
                Coin::Missing | Coin::Unspent(_) => match funding(&claim, &coin) {
                    None => changes.undone.push(claim.id),
                    Some(funding) if is_known(&claim, &funding) => changes.kept.push(claim.id),
                    Some(funding) => changes.funded.push(funding),
                },
            }
        }
        Ok(changes)
    }

    /// Ids of the claims whose coin a source without history does not find, and whose block has left the chain: these coins are
    /// missing, not spent (rule B9).
    async fn orphans(&self, looked_up: &LookedUp) -> Result<HashSet<String>> {
        let mut blocks: HashMap<u32, Option<BlockHash>> = HashMap::new();
        let mut orphans = HashSet::new();
        for (claim, coin) in &looked_up.coins {
            let height = u32::try_from(claim.funding_height);
            let (Coin::SpentOrMissing, Ok(height)) = (coin, height) else {
                continue;
            };
            let here = match blocks.entry(height) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => *new.insert(self.chain.block_hash_at(height).await?),
            };
            if here.is_none_or(|hash| hash.to_string() != claim.funding_block) {
                orphans.insert(claim.id.clone());
            }
        }
        if !orphans.is_empty() && Some(self.chain.tip().await?) != looked_up.tip {
            return Err(ChainError::Moved.into());
        }
        Ok(orphans)
    }
}

/// The block that funded the coin of a claim; none unless the coin is unspent and confirmed.
pub(super) fn funding(claim: &ClaimedCoin, coin: &Coin) -> Option<Funding> {
    let Coin::Unspent(coin) = coin else {
        return None;
    };
    Some(Funding {
        claim: claim.id.clone(),
        height: i64::from(coin.height?),
        block: coin.block?.to_string(),
    })
}

fn is_known(claim: &ClaimedCoin, funding: &Funding) -> bool {
    claim.funding_block == funding.block && claim.funding_height == funding.height
}
