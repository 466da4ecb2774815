//! Requests of this server to others.

pub mod body;
mod client;
pub mod tls;

pub use client::client;
