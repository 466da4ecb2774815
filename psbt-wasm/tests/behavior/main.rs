//! What the crate does, seen from outside.

mod extended_keys;
mod fixtures;
mod malformed;
mod node_fixtures;
mod refusals;
mod reports;
mod silent_payments;
mod strips;
#[path = "../../examples/fixtures/version2.rs"]
mod version2;
mod versions;
mod warnings;
