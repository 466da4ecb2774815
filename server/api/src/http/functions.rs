//! The functions family: one file for each call.

pub mod app_config;
pub mod bitcoin_price;
pub mod board_export;
pub mod board_summary;
pub mod client_log;
pub mod delete_account;
pub mod development_samples;
pub mod development_sign;
pub mod export_account;
pub mod holdings_history;
pub mod proof_challenge;
mod published;
pub mod published_proof;
pub mod published_proofs;
pub mod receipt;
pub mod stripe_session;
pub mod stripe_webhook;
pub mod submit_proof;
pub mod user_rank;
