//! Large files, sent in parts.

use std::convert::Infallible;
use std::net::IpAddr;

use axum::body::{Body, Bytes};
use futures_util::{StreamExt, stream};

use crate::board::Board;
use crate::http::error::Error;
use crate::limits::permits::Permit;

/// How much of a file is given to the connection at a time, in bytes.
const PART: usize = 64 * 1024;

/// The `Retry-After` when too many clients download, in seconds.
const RETRY: i64 = 10;

/// A permit to download from the board.
///
/// # Errors
/// 429 or 503 when there are too many downloads.
pub fn permit(board: &Board, address: Option<IpAddr>) -> Result<Permit, Error> {
    let permit = board.downloads.acquire(address);
    permit.map_err(|too_many| Error::no_permit(too_many, RETRY))
}

/// A file whose reader holds the permit until all of it is sent.
pub fn body(file: Bytes, permit: Permit) -> Body {
    let parts = (0..file.len()).step_by(PART).map(move |start| {
        let _until_the_end = &permit;
        Ok::<_, Infallible>(file.slice(start..file.len().min(start + PART)))
    });
    // The compression layer polls once more after the end.
    Body::from_stream(stream::iter(parts).fuse())
}
