//! What the crate does, seen from outside.

mod encodings;
mod fixtures;
mod node_fixtures;
mod refusals;
mod reports;
mod strips;
mod versions;
