//! Sign-in over real HTTP: what the client library needs, and what nobody gets. On both databases where sessions race or end.

mod access;
mod code;
mod cookie;
mod csrf;
mod deletion;
mod endpoint;
mod production;
mod providers;
mod refresh;
mod rotation;
mod sign_in;
mod sign_out;
mod site;
