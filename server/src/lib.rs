//! The server of Proof of Reserves: the authority on what is proven.
//!
//! The browser reads a file and shows what is in it; nothing it says is believed here. A proof is
//! the final transaction together with previous outputs that come from the chain alone.
//!
//! Data flows one way: [`routes`] tell the story of a request, [`verify`] decides whether a file is
//! a proof, [`proof`] turns a verdict into a record, [`chain`] and [`store`] know the world,
//! [`live`] tells every open page that something changed.

pub mod auth;
pub mod billing;
mod body;
pub mod card;
pub mod chain;
pub mod client_address;
pub mod clock;
pub mod commands;
pub mod compression;
pub mod config;
pub mod development;
pub mod error;
pub mod etag;
pub mod extract;
pub mod follow;
pub mod headers;
pub mod health;
pub mod images;
pub mod jobs;
pub mod keyed_hash;
pub mod live;
pub mod page;
pub mod person;
pub mod price;
pub mod proof;
pub mod rate_limit;
pub mod routes;
pub mod state;
pub mod store;
pub mod telemetry;
pub mod verify;

pub use routes::app;
pub use state::AppState;
