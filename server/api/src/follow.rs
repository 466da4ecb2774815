//! Following the chain, so that a claim ends when its coin is spent, whatever the tier (rule B7), and
//! comes back when a reorganization undoes that (rule B9).
//!
//! A cursor in the database says which block was followed last; [`Follower::advance`] moves it to the newest
//! one, block by block, each in one transaction with what follows from it. Recording a proof holds the
//! cursor and wants it to be at the newest block of its own look-up (rule B8), so no spending can fall
//! between. [`Follower::tidy`] does what needs no hurry: claims whose coin has left the chain are looked up until
//! it is in a block again, and all live claims are when blocks could not be followed one by one:
//! with sources that have none (Electrum), after a very long absence, and when a block is not to be had.
//!
//! A claim ends or comes back only by what as many sources as `CHAIN_QUORUM` say: that the block is in
//! the chain, and that the coin is spent. A source in trouble changes nothing. A coin that is
//! spent only in the mempool is still there: what is in no block may never be in one.
//!
//! A coin about which too few sources say the same holds nothing up (decisions, D12): its claim stays as it is, and
//! [`Follower::tidy`] asks for it again, by itself and ever more rarely, while the cursor goes on.

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
