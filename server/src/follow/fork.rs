//! Reorganisations (rule B9): back to the last followed block that is still in the chain.

use super::{FollowError, announce, look_up};
use crate::chain::{Coin, Tip, Unspent};
use crate::state::AppState;
use crate::store::claims::change::ClaimChanges;
use crate::store::follower::{Block, Cursor, Fork};

/// Finds where the chain has forked, and goes back there.
pub(super) async fn go_back(
    state: &AppState,
    cursor: &Cursor,
    tip: &Tip,
) -> Result<(), FollowError> {
    let network = state.chain.network_name();
    let mut gone = Vec::new();
    let mut still_there = None;
    for block in state.store.followed_blocks(network).await? {
        let here = state.chain.block_hash_at(block.height()).await?;
        if here.map(|hash| hash.to_string()).as_ref() == Some(&block.hash) {
            still_there = Some(block);
            break;
        }
        gone.push(block);
    }
    let now = state.clock.now();
    let Some(to) = still_there else {
        tracing::warn!(
            height = tip.height,
            "the chain has forked farther back than is remembered"
        );
        let to = Block::from(tip);
        state
            .store
            .start_over(network, &cursor.block, &to, now)
            .await?;
        return Ok(());
    };
    let Some(lowest) = gone.last() else {
        // The chain has come back meanwhile.
        return Ok(());
    };
    tracing::warn!(
        blocks = gone.len(),
        height = to.height,
        "the chain has forked"
    );
    let fork = Fork {
        network,
        from: &cursor.block,
        to: &to,
        gone: &gone,
        changes: &funding(state, network, &gone).await?,
        gap: lowest.height != to.height + 1,
    };
    let applied = state.store.go_back(fork, now).await?;
    announce(state, applied, &to);
    Ok(())
}

/// What has become of the coins that blocks which are gone have funded: in another block now, or in
/// none.
async fn funding(
    state: &AppState,
    network: &str,
    gone: &[Block],
) -> Result<ClaimChanges, FollowError> {
    let claims = state.store.live_claims_funded_by(network, gone).await?;
    let mut changes = ClaimChanges::default();
    for (_, coins) in look_up(state, &claims).await? {
        for (claim, coin) in coins {
            match coin {
                Coin::Unspent(Unspent {
                    block: Some(block), ..
                }) => changes.funded.push((claim.id, block.to_string())),
                // Should a block of the other branch have spent it, following that says so.
                _ => changes.undone.push(claim.id),
            }
        }
    }
    Ok(changes)
}
