//! The append-only log of a board: its formats, and how a stranger checks them (proofs, section 6).
//!
//! Entries are the leaves of a Merkle tree whose root is signed ([`tree`], [`checkpoint`], [`note`]: formats of C2SP). [`check`] says whether a
//! log only grew, [`receipt`] whether it showed one row. Nothing here opens a connection or a database.

pub mod check;
pub mod checkpoint;
pub mod entry;
pub mod names;
pub mod note;
pub mod proof_note;
pub mod receipt;
pub mod tiers;
pub mod tree;
pub mod units;
pub mod whole_file;
