//! Every behaviour of the server, on real parts: both databases, a real node, real HTTP.

#[path = "../support/mod.rs"]
mod support;

mod auth;
mod auth_js;

mod chain;
mod development;
mod fuzz;
mod store;

mod api;
mod binding;
mod bip322;
mod process;
mod submit;

mod attacks;
mod forge;
mod honesty;
mod vectors;
mod verdict;
