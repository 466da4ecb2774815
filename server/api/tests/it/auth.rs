//! Sign-in over real HTTP: everything that the client library needs, and nothing for attackers. Sessions that race or end run on both databases.

mod access;
mod cookie;
mod csrf;
mod deletion;
mod production;
mod providers;
mod refresh;
mod sign_in;
mod site;

use site::{PROGRAM, Signed, signed};

use crate::support::prelude::*;
