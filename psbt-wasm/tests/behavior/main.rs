//! What the crate does, seen from outside.

#[path = "../../examples/fixtures/current.rs"]
mod current;
mod extended_keys;
#[allow(dead_code, reason = "other tests use the rest")]
mod fixtures;
mod malformed;
#[path = "../oracle/maps.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod maps;
mod node_fixtures;
mod refusals;
mod reports;
mod silent_payments;
mod strips;
#[path = "../../examples/fixtures/version2.rs"]
mod version2;
mod versions;
mod warnings;
