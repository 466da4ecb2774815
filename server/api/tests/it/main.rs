//! Every behavior of the server, on real parts: both databases, a real node, real HTTP.

#![allow(clippy::unwrap_used, reason = "a test expects by panicking")]

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod auth;
mod auth_js;

mod board_log;
mod chain;
mod chain_follower;
mod development;
mod frozen;
mod fuzz;
mod jobs;
mod kills;
mod live;
mod parts;
mod races;
mod recipes;
mod standby;
mod store;

mod audit;
mod auditors;
mod billing;
mod binding;
mod cache;
mod exchanges;
mod headers;
mod heavy;
mod hostile;
mod operations;
mod pages;
mod people;
mod pictures;
mod price;
mod published;
mod ranges;
mod rate_limits;
mod routes;
mod submit;
mod verify_page;
mod version_1;
mod walks;

#[allow(dead_code, unused_imports, reason = "verify uses the rest")]
#[path = "../../../verify/tests/forge/mod.rs"]
mod forge;
mod funding;
mod honesty;
mod verdict;
