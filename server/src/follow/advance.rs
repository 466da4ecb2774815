//! Moving the cursor towards the newest block.

use bitcoin::BlockHash;

use super::{ALL, FollowError, Missing, announce, fork, look_up};
use crate::chain::{ChainError, Coin, Spends, Tip};
use crate::state::AppState;
use crate::store::follower::{Block, ClaimedCoin, Cursor, NextBlock};

/// How often a block is asked for before it is taken for one that no source has (a pruned node).
const REQUESTS: u32 = 3;

/// Where the cursor stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// At the newest block.
    Newest,
    /// Ahead: the sources know less of the same chain than was followed.
    Ahead,
    /// Somewhere behind; there is more to follow.
    Behind,
}

/// Follows the chain, at most `steps` blocks of it.
///
/// # Errors
/// When the chain cannot be asked, or the database fails. What was followed before stays so.
pub async fn advance(state: &AppState, steps: u32) -> Result<Position, FollowError> {
    let mut missing = state.follower.turn.lock().await;
    for _ in 0..steps {
        let position = step(state, &mut missing).await?;
        if position != Position::Behind {
            return Ok(position);
        }
    }
    Ok(Position::Behind)
}

async fn step(state: &AppState, missing: &mut Missing) -> Result<Position, FollowError> {
    let network = state.chain.network_name();
    let tip = state.chain.tip().await?;
    let Some(cursor) = state.store.cursor(network).await? else {
        state
            .store
            .start_following(network, &Block::from(&tip))
            .await?;
        return Ok(Position::Behind);
    };
    if cursor.block.hash == tip.hash.to_string() {
        return Ok(Position::Newest);
    }
    if tip.height <= cursor.block.height() {
        if is_only_shorter(state, &tip).await? {
            return Ok(Position::Ahead);
        }
        fork::go_back(state, &cursor, &tip).await?;
        return Ok(Position::Behind);
    }
    if tip.height - cursor.block.height() > ALL {
        skip(state, &cursor, &tip).await?;
        return Ok(Position::Behind);
    }
    let height = cursor.block.height() + 1;
    let hash = state.chain.block_hash_at(height).await?;
    let hash = hash.ok_or(ChainError::Moved)?;
    match spends(state, missing, hash).await? {
        Some(spends) if spends.previous.to_string() == cursor.block.hash => {
            follow(state, &cursor, &Block::new(height, hash), &spends).await?;
        }
        Some(_) => fork::go_back(state, &cursor, &tip).await?,
        None => skip(state, &cursor, &tip).await?,
    }
    Ok(Position::Behind)
}

/// Whether a tip below the cursor is of the same chain: a source that lags has not seen a
/// reorganisation. A block from before what is remembered says nothing either, except where
/// chains are thrown away and begun anew.
async fn is_only_shorter(state: &AppState, tip: &Tip) -> Result<bool, FollowError> {
    let network = state.chain.network_name();
    let followed = state.store.followed_block(network, tip.height).await?;
    Ok(match followed {
        Some(hash) => hash == tip.hash.to_string(),
        None => !state.config.development(),
    })
}

/// What the block spends. `None` when no source has blocks, or none has this one any more.
async fn spends(
    state: &AppState,
    missing: &mut Missing,
    hash: BlockHash,
) -> Result<Option<Spends>, FollowError> {
    let failure = match state.chain.spent_in_block(hash).await {
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
    tracing::warn!(%failure, "a block is not to be had; every claim is looked up instead");
    Ok(None)
}

async fn follow(
    state: &AppState,
    cursor: &Cursor,
    block: &Block,
    spends: &Spends,
) -> Result<(), FollowError> {
    let network = state.chain.network_name();
    let claims = state
        .store
        .live_claims_on(network, &spends.outpoints)
        .await?;
    confirm_spent(state, &claims).await?;
    let next = NextBlock {
        network,
        after: &cursor.block,
        block,
        outpoints: &spends.outpoints,
        spent: &claims,
    };
    let now = state.clock.now();
    let applied = state.store.follow_block(next, now).await?;
    announce(state, applied, block);
    Ok(())
}

/// The block alone is the word of one source; that the coins are spent must be that of as many as agree
/// on everything else (decisions, D12).
async fn confirm_spent(state: &AppState, claims: &[ClaimedCoin]) -> Result<(), FollowError> {
    for (_, coins) in look_up(state, claims).await? {
        let spent = |coin: &Coin| matches!(coin, Coin::Spent | Coin::SpentOrMissing);
        if !coins.iter().all(|(_, coin)| spent(coin)) {
            // The block has just left the chain again.
            return Err(ChainError::Moved.into());
        }
    }
    Ok(())
}

/// Goes to the newest block at once; every live claim is looked up again.
async fn skip(state: &AppState, cursor: &Cursor, tip: &Tip) -> Result<(), FollowError> {
    let height = cursor.block.height();
    let here = state.chain.block_hash_at(height).await?;
    if here.map(|hash| hash.to_string()).as_ref() != Some(&cursor.block.hash) {
        return fork::go_back(state, cursor, tip).await;
    }
    let network = state.chain.network_name();
    let to = Block::from(tip);
    let applied = state.store.skip_to(network, &cursor.block, &to).await?;
    announce(state, applied, &to);
    Ok(())
}
