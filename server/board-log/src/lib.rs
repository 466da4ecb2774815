//! The append-only log of a board: its formats, and how a stranger checks them (proofs, section 6).
//!
//! A `board` entry commits to a [`snapshot`] that everyone can download. Entries are the leaves of a Merkle tree whose root is signed
//! ([`tree`], [`checkpoint`], [`note`]: formats of C2SP). [`check`] checks that a log only grew, [`receipt`] that it showed one row.
//! README.md describes the formats with an example. Nothing here opens a connection or a database.

pub mod check;
pub mod checkpoint;
pub mod cosignature;
pub mod entry;
pub mod export;
pub mod json;
pub mod names;
pub mod note;
pub mod proof_note;
#[cfg(not(target_arch = "wasm32"))]
pub mod published;
pub mod receipt;
pub mod snapshot;
pub mod tiers;
pub mod tree;
pub mod units;
#[cfg(all(target_arch = "wasm32", feature = "exports"))]
mod wasm;
#[cfg(not(target_arch = "wasm32"))]
pub mod whole_file;
