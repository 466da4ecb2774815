//! The functions routes: calls that are no tables.

pub mod account;
pub mod app;
pub mod billing;
pub mod board_export;
pub mod board_summary;
pub mod development;
pub mod esplora;
pub mod proof_challenge;
pub mod published_proofs;
pub mod submit_proof;
