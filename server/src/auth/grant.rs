//! How a session begins and goes on: codes and refresh tokens in, new tokens out.
//!
//! A family (one session) is in one of two modes for its whole life (decisions, D9):
//!
//! - **Cookie mode**: its code was exchanged by a page of our own origin. The refresh token lives in
//!   a cookie that no script can read, and the page sees a rotation id that only names the family.
//!   Only our own pages can refresh it.
//! - **Body mode**: its code was exchanged by a program, which has no origin, or belongs to another
//!   site on the redirect list. The refresh token travels in the body, and no cookie is involved.
//!
//! A code that was sent to our own page and comes back from a page of another origin, or of a hidden
//! one, is refused: no script in a browser can choose body mode to get hold of the refresh token.

use crate::error::Error;

pub mod code;
pub mod refresh;

fn refused(code: &'static str, message: &'static str) -> Error {
    Error::bad_request(code, message)
}
