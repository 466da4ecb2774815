//! Following the chain, so that a claim ends when its coin is spent, whatever the tier (rule B7), and
//! comes back when a reorganization undoes that (rule B9).
//!
//! A cursor in the database says which block was followed last; [`Follower::advance`] moves it to the newest
//! one, block by block, each in one transaction with its effects. Recording a proof locks the
//! cursor and requires it to be at the newest block of its own look-up (rule B8), so no spending can fall
//! between. [`Follower::tidy`] does what is not urgent: it looks up claims whose coin has left the chain until
//! the coin is in a block again, and all live claims when blocks could not be followed one by one:
//! with sources that have no blocks (Electrum), after a long absence, and when no source has a block.
//!
//! A claim ends or comes back only when `CHAIN_QUORUM` sources agree: that the block is in
//! the chain, and that the coin is spent. A failing source changes nothing. A coin that is
//! spent only in the mempool still counts: an unconfirmed transaction may never confirm.
//!
//! A coin that too few sources agree about delays nothing else (decisions, D12): its claim stays as it is, and
//! [`Follower::tidy`] looks it up again, at growing intervals, while the cursor moves on.

mod advance;
mod follower;
mod fork;
mod job;
mod look_up;
mod tidy;

pub use advance::{ALL, Position};
pub use follower::{FollowError, Follower};
pub use job::HEARTBEAT;
pub use look_up::At;
