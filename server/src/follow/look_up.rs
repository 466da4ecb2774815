//! Looking claims up again, many at a time.

use bitcoin::OutPoint;

use super::follower::{FollowError, Follower};
use crate::chain::{ChainError, Coin, Tip, Unspent};
use crate::store::claims::change::ClaimChanges;
use crate::store::follower::ClaimedCoin;

/// How many coins one question to the sources names.
pub(super) const COINS: usize = 500;

/// The coins of some claims at one tip.
pub type At = (Tip, Vec<(ClaimedCoin, Coin)>);

impl Follower {
    /// The coins of these claims, in portions, each with the tip that it is true for.
    ///
    /// # Errors
    /// When the chain cannot be asked.
    pub async fn look_up(&self, claims: &[ClaimedCoin]) -> Result<Vec<At>, FollowError> {
        let known: Vec<(&ClaimedCoin, OutPoint)> = claims
            .iter()
            .filter_map(|claim| Some((claim, claim.outpoint()?)))
            .collect();
        let mut portions = Vec::new();
        for chunk in known.chunks(COINS) {
            let outpoints: Vec<OutPoint> = chunk.iter().map(|(_, outpoint)| *outpoint).collect();
            let snapshot = self.chain.look_up(&outpoints).await?;
            let claims = chunk.iter().map(|(claim, _)| (*claim).clone());
            portions.push((snapshot.tip, claims.zip(snapshot.coins).collect()));
        }
        Ok(portions)
    }
}

/// All coins of a look-up that was made at one tip, and that tip; `None` when there are none.
///
/// # Errors
/// When a block has arrived in the middle.
pub fn same_block(portions: Vec<At>) -> Result<Option<At>, FollowError> {
    let mut portions = portions.into_iter();
    let Some((tip, mut coins)) = portions.next() else {
        return Ok(None);
    };
    for (other, more) in portions {
        if other.hash != tip.hash {
            return Err(ChainError::Moved.into());
        }
        coins.extend(more);
    }
    Ok(Some((tip, coins)))
}

/// What becomes of live claims by the state of their coins.
#[must_use]
pub fn changes(coins: Vec<(ClaimedCoin, Coin)>) -> ClaimChanges {
    let mut changes = ClaimChanges::default();
    for (claim, coin) in coins {
        match coin {
            // Without an index of all transactions a node cannot tell them apart; that a coin which
            // was in a block has never existed is the less likely.
            Coin::Spent | Coin::SpentOrMissing => changes.spent.push(claim.id),
            Coin::Missing | Coin::Unspent(Unspent { block: None, .. }) => {
                changes.undone.push(claim.id);
            }
            Coin::Unspent(Unspent {
                block: Some(block), ..
            }) if block.to_string() != claim.funding_block => {
                changes.funded.push((claim.id, block.to_string()));
            }
            Coin::Unspent(_) | Coin::SpentInMempool => changes.kept.push(claim.id),
        }
    }
    changes
}
