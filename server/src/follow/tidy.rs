//! What needs no hurry: looking claims up again.

use bitcoin::BlockHash;

use super::look_up::COINS;
use super::{FollowError, announce, changes, look_up, same_block};
use crate::chain::{ChainError, Coin, Unspent};
use crate::state::AppState;
use crate::store::claims::change::ClaimChanges;
use crate::store::follower::{Applied, Block, Cursor, SweepStep};

/// Does one portion. Answers whether there is more to do at once.
///
/// # Errors
/// When the chain cannot be asked, has moved, or the database fails.
pub async fn tidy(state: &AppState) -> Result<bool, FollowError> {
    let network = state.chain.network_name();
    let Some(cursor) = state.store.cursor(network).await? else {
        return Ok(false);
    };
    bring_back(state, &cursor).await?;
    if let Some(after) = &cursor.sweep_after {
        sweep(state, &cursor, after).await?;
        return Ok(true);
    }
    if cursor.sweep_due {
        state.store.begin_sweep(network).await?;
    }
    Ok(cursor.sweep_due)
}

/// Looks the claims up that wait for their coin to be in a block again, once for each block.
async fn bring_back(state: &AppState, cursor: &Cursor) -> Result<(), FollowError> {
    let Ok(newest) = cursor.block.hash.parse::<BlockHash>() else {
        return Ok(());
    };
    if state.follower.is_tidied(newest) {
        return Ok(());
    }
    let network = state.chain.network_name();
    let now = state.clock.now();
    let claims = state.store.undone_claims(network, now).await?;
    for (tip, coins) in look_up(state, &claims).await? {
        let mut changes = ClaimChanges::default();
        for (claim, coin) in coins {
            match coin {
                Coin::Unspent(Unspent {
                    block: Some(block), ..
                }) => changes.back.push((claim.id, block.to_string())),
                Coin::Spent => changes.spent.push(claim.id),
                // In the mempool, or nowhere.
                _ => {}
            }
        }
        let at = Block::from(&tip);
        let applied = state
            .store
            .change_claims(network, &at, &changes, now)
            .await?;
        done(state, applied, &at)?;
    }
    state.follower.set_tidied(newest);
    Ok(())
}

/// Looks the next live claims up.
async fn sweep(state: &AppState, cursor: &Cursor, after: &str) -> Result<(), FollowError> {
    let network = state.chain.network_name();
    let limit = i64::try_from(COINS).unwrap_or(i64::MAX);
    let claims = state.store.live_claims_after(network, after, limit).await?;
    let looked_up = same_block(look_up(state, &claims).await?)?;
    let (at, changes) = match looked_up {
        Some((tip, coins)) => (Block::from(&tip), changes(coins)),
        None => (cursor.block.clone(), ClaimChanges::default()),
    };
    let step = SweepStep {
        network,
        at: &at,
        after,
        until: claims.last().map(|claim| claim.id.as_str()),
        changes: &changes,
    };
    let applied = state.store.sweep(step, state.clock.now()).await?;
    done(state, applied, &at)
}

/// A look-up at another block than the one that is followed is made again once that is.
fn done(state: &AppState, applied: Applied, at: &Block) -> Result<(), FollowError> {
    announce(state, applied, at);
    match applied {
        Applied::Done(_) => Ok(()),
        Applied::Crossed => Err(ChainError::Moved.into()),
    }
}
