//! Sign-in over real HTTP: everything that the client library needs, and nothing for attackers. Sessions that race or end run on both databases.

mod access;
mod code;
mod cookie;
mod csrf;
mod deletion;
mod production;
mod providers;
mod refresh;
mod rotation;
mod sign_in;
mod sign_out;
mod site;

use site::{Signed, set_cookie, signed, site, site_on, with_clock};

use crate::support::prelude::*;
