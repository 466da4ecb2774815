//! A history of the board that cannot be rewritten: an append-only log (proofs, section 6).
//!
//! Each block at which the board changed has an entry that commits to a snapshot of all rows, which everyone can download. The
//! entries are the leaves of a Merkle tree whose root is signed, so anyone can compare it with the one that they saw before. [`board_log`] has
//! the formats and the checks that need no trust in us. Rows are salted, so the hash of a withdrawn row reveals nothing about it.

pub mod append;
pub mod begin;
pub mod error;
pub mod folder;
mod pages;
pub mod read;
mod receipts;
mod removals;
pub mod remove_again;
pub mod resource;
pub mod restore;
pub mod room;
pub mod snapshot;
pub mod trees;
mod witnesses;
mod write;

pub use error::BoardLogError;
pub use receipts::Receipts;
pub use room::{BoardLog, Settings};
