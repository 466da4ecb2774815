//! A history of the board that cannot be rewritten: an append-only log (proofs, section 6).
//!
//! For each block at which the board changed there is an entry with the root of a Merkle tree over its rows. The entries are the leaves of
//! another tree, whose root is signed, and which anybody can hold against the one that they saw before. [`board_log::check`] and [`board_log::receipt`] say
//! what can be checked without believing us; [`board_log`] has the formats of C2SP. Leaves of rows are salted, so
//! that nothing can be read from the hash of a row whose salt is gone.

pub mod append;
pub mod begin;
pub mod error;
mod proof_note;
pub mod published;
pub mod read;
pub mod resource;
pub mod room;
mod write;

pub use board_log::checkpoint::log_origin as origin;
pub use error::HistoryError;
pub use room::{History, Settings};
