//! Large files, sent in parts.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use futures_util::{StreamExt, stream};

use crate::limits::permits::Permit;

/// How much of a file is given to the connection at a time, in bytes.
const PART: usize = 64 * 1024;

/// A file whose reader holds the permit until all of it is sent.
pub fn body(file: Bytes, permit: Permit) -> Body {
    let parts = (0..file.len()).step_by(PART).map(move |start| {
        let _until_the_end = &permit;
        Ok::<_, Infallible>(file.slice(start..file.len().min(start + PART)))
    });
    // The compression layer polls once more after the end.
    Body::from_stream(stream::iter(parts).fuse())
}
