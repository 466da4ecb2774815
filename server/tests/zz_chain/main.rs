//! Temporary: the chain tests alone.
#[path = "../support/mod.rs"]
mod support;
mod chain;
