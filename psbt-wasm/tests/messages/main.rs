//! Signed messages: the official vectors, and signatures that must never be valid.

mod bip137;
#[path = "../../examples/fixtures/current.rs"]
mod current;
#[path = "../../examples/fixtures/finalize.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod finalize;
mod forged;
mod official;
mod scene;
mod seeds;
