//! Signed messages: the official vectors, and signatures that must never be valid.

mod bip137;
mod forged;
mod official;
mod scene;
mod seeds;
