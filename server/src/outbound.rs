//! Requests of this server to others.

pub(crate) mod body;
mod client;
pub(crate) mod tls;

pub use client::client;
