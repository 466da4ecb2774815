//! Temporary.
#[path = "../support/mod.rs"]
mod support;
mod auth;
mod auth_js;
