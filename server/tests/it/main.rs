//! Every behaviour of the server, on real parts: both databases, a real node, real HTTP.

#[path = "../support/mod.rs"]
mod support;


mod store;

