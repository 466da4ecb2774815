//! Requests of this server to others.

pub mod body;
mod client;

pub use client::client;
