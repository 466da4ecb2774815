//! Looks up the coins of claims again, many at a time.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use bitcoin::{BlockHash, OutPoint};

use super::follower::{FollowError, Follower};
use chain::{ChainError, Coin, Tip};
use store::claims::change::{ClaimChanges, Funding};
use store::follower::ClaimedCoin;

/// How many coins one request to the sources names.
pub(super) const COINS: usize = 500;

/// The coins of some claims at one tip.
pub type At = (Tip, Vec<(ClaimedCoin, Coin)>);

impl Follower {
    /// Looks up the coins of these claims at one tip, in portions; `None` when there are no claims.
    ///
    /// # Errors
    /// When the chain cannot be asked, or a block has arrived in between.
    pub async fn look_up(&self, claims: &[ClaimedCoin]) -> Result<Option<At>, FollowError> {
        let known: Vec<(&ClaimedCoin, OutPoint)> = claims
            .iter()
            .filter_map(|claim| Some((claim, claim.outpoint()?)))
            .collect();
        let mut at: Option<At> = None;
        for chunk in known.chunks(COINS) {
            let outpoints: Vec<OutPoint> = chunk.iter().map(|(_, outpoint)| *outpoint).collect();
            let snapshot = self.chain.look_up(&outpoints).await?;
            let (tip, coins) = at.get_or_insert_with(|| (snapshot.tip, Vec::new()));
            if tip.hash != snapshot.tip.hash {
                return Err(ChainError::Moved.into());
            }
            let claims = chunk.iter().map(|(claim, _)| (*claim).clone());
            coins.extend(claims.zip(snapshot.coins));
        }
        Ok(at)
    }

    /// The changes to live claims that follow from the state of their coins at `tip`.
    ///
    /// # Errors
    /// When the chain cannot be asked, or has moved.
    pub async fn changes(
        &self,
        tip: &Tip,
        coins: Vec<(ClaimedCoin, Coin)>,
    ) -> Result<ClaimChanges, FollowError> {
        let orphans = self.orphans(tip, &coins).await?;
        let mut changes = ClaimChanges::default();
        for (claim, coin) in coins {
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

    /// The claims whose coin a source without history cannot find, and whose block has left the chain: these coins are
    /// missing, not spent (rule B9).
    async fn orphans(
        &self,
        tip: &Tip,
        coins: &[(ClaimedCoin, Coin)],
    ) -> Result<HashSet<String>, FollowError> {
        let mut blocks: HashMap<u32, Option<BlockHash>> = HashMap::new();
        let mut orphans = HashSet::new();
        for (claim, coin) in coins {
            let height = claim.funding_height.map(u32::try_from);
            // With an unknown height, a spent coin is more likely than one that never existed.
            let (Coin::SpentOrMissing, Some(Ok(height))) = (coin, height) else {
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
        if !orphans.is_empty() && self.chain.tip().await?.hash != tip.hash {
            return Err(ChainError::Moved.into());
        }
        Ok(orphans)
    }
}

/// The block that funded a claim's coin; `None` while the coin is unconfirmed or missing.
pub(super) fn funding(claim: &ClaimedCoin, coin: &Coin) -> Option<Funding> {
    let Coin::Unspent(coin) = coin else {
        return None;
    };
    Some(Funding {
        claim: claim.id.clone(),
        height: coin.height.map(i64::from),
        block: coin.block?.to_string(),
    })
}

fn is_known(claim: &ClaimedCoin, funding: &Funding) -> bool {
    claim.funding_block == funding.block && claim.funding_height == funding.height
}
