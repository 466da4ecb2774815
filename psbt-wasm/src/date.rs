//! Coins at a date: which blocks bound an instant, and which coins stood then.
//!
//! A block can be mined more than an hour after an instant and still have a median time past before it, so two heights bound an instant.
//! `lower` is the highest block that has no header time after the instant in it or in any block before it. `upper` is the highest block
//! whose median time past (BIP-0113) is not after it. A coin stood at the date if it was funded at or below `lower` and not spent at or below
//! `upper`.
//!
//! Nothing here asks a chain source: the caller does, and gives the answers.

mod bounds;
mod instant;
mod verdict;

pub use bounds::{BlockTimes, Bounds, Step, find_bounds};
pub use instant::{InvalidInstant, read_instant};
pub use verdict::{CoinAtDate, CoinHistory, Control, DateReason, DateVerdict, Spent, judge_date};

/// How many blocks must be above a block so that it stays in the chain.
pub const DEPTH: u32 = 6;

/// A proof is old when so many blocks came between its own block and the date. After that keys may have changed hands.
pub const OLD_AFTER_BLOCKS: u32 = 4_032;
