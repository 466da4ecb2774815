//! Follows the chain: a claim ends when its coin is spent, whatever the tier (rule B7), and
//! comes back when a reorganization undoes that (rule B9).
//!
//! A cursor in the database says which block was followed last. [`Follower::advance`] moves it to the newest
//! block, block by block, each in one transaction with the changes of claims. Recording a proof holds the
//! cursor and requires that it is at the block of the proof's look-up (rule B8), so no spending is missed
//! in between. [`Follower::tidy`] does the work without hurry: it looks up claims whose coin has left the chain until
//! the coin is in a block again, and sweeps over all live claims when blocks could not be followed one by one, that is,
//! after a very long absence, and when no source has a block.
//!
//! A claim ends or comes back only if as many sources as `CHAIN_QUORUM` agree that the block is in
//! the chain and that the coin is spent. A failing source changes nothing. A coin that is
//! spent only in the mempool still counts, because that transaction may never be in a block.
//!
//! A coin about which too few sources agree holds nothing up (decisions, D12): its claim stays as it is, and
//! [`Follower::tidy`] looks it up again, separately and ever more rarely, while the cursor goes on.

mod advance;
mod follower;
mod look_up;
mod tidy;

pub use advance::ALL;
pub use follower::{FollowError, Follower, Position};
pub use look_up::LookedUp;
