//! Requests of this server to others.

pub(crate) mod body;
mod client;

pub use client::client;
