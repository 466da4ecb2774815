//! The API and web server of Proof of Reserves.
//!
//! The browser reads a file and shows its content, but the server trusts nothing that the browser sends. A proof is a final
//! transaction together with previous outputs that come only from the chain.
//!
//! The modules, called rooms, are built by [`app`]. Only [`http`] uses axum; its handlers call the methods of rooms. [`verify`]
//! decides whether a file is a proof, [`proof`] records it, [`chain`] and [`store`] read the chain and the database, and [`live`]
//! notifies open pages of changes. `server/docs` describes each room and has the decisions.

pub mod accounts;
pub mod app;
pub mod billing;
pub mod board;
pub mod board_log;
pub mod chain_follower;
pub mod commands;
pub mod config;
pub mod http;
pub mod jobs;
pub mod limits;
pub mod live;
pub mod pictures;
pub mod price;
pub mod proof;
pub mod providers;
pub mod published_proofs;
pub mod sample_holders;
pub mod sign_in;
pub mod telemetry;

pub use app::App;
