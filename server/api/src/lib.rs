//! The server of Proof of Reserves: the authority on what is proven.
//!
//! The browser reads a file and shows what is in it; nothing it says is believed here. A proof is
//! the final transaction together with previous outputs that come from the chain alone.
//!
//! Each room owns what it needs. [`app`] alone builds them and knows them all; [`http`] alone speaks HTTP, and its
//! handlers tell the story of a request with the rooms that they take. [`verify`] decides whether a file is a proof,
//! [`proof`] turns a verdict into a record, [`chain`] and [`store`] know the world, [`live`] tells every open page that
//! something changed. `server/docs/rooms.md` has a row for each; [`docs`] says why things are as they are.

pub mod app;
pub mod billing;
pub mod board;
pub mod commands;
pub mod config;
pub mod development;
pub mod docs;
pub mod follow;
pub mod history;
pub mod http;
pub mod jobs;
pub mod limits;
pub mod live;
pub mod pictures;
pub mod price;
pub mod proof;
pub mod providers;
pub mod records;
pub mod sign_in;
pub mod telemetry;

pub use app::App;
