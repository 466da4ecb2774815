//! Large files, sent in parts.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use futures_util::{StreamExt, stream};

use crate::limits::places::Place;

/// How much of a file is given to the connection at a time, in bytes.
const PART: usize = 64 * 1024;

/// How long to wait when too many download, in seconds.
pub const RETRY: i64 = 10;

/// A file whose reader keeps the place until all of it is sent.
pub fn body(file: Bytes, place: Place) -> Body {
    let parts = (0..file.len()).step_by(PART).map(move |start| {
        let _until_the_end = &place;
        Ok::<_, Infallible>(file.slice(start..file.len().min(start + PART)))
    });
    // Compression asks once more after the end.
    Body::from_stream(stream::iter(parts).fuse())
}
