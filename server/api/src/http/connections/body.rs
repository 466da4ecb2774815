//! A body that must arrive within a time, and at a least rate.

use std::io;
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes};
use futures_util::{TryStreamExt, stream};
use hyper::body::{Body as _, Incoming};
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, timeout_at};
use tokio_util::io::StreamReader;

/// How much must arrive in a portion's time, in bytes.
const PORTION: usize = 16 * 1024;

/// The body did not arrive in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the request did not arrive in time")]
pub struct TooSlow;

/// The body, which fails with [`TooSlow`] when it has not ended after `whole`, or when a portion of it takes longer than `portion`. A portion
/// begins when the handler waits for it.
pub(super) fn with_deadlines(whole: Duration, portion: Duration, body: Incoming) -> Body {
    if body.is_end_stream() {
        return Body::empty();
    }
    let end = Instant::now() + whole;
    let data = Body::new(body).into_data_stream().map_err(io::Error::other);
    let portions = stream::try_unfold(StreamReader::new(data), move |mut reader| async move {
        let due = end.min(Instant::now() + portion);
        let mut bytes = Vec::new();
        let mut next = (&mut reader).take(PORTION as u64);
        let read = timeout_at(due, next.read_to_end(&mut bytes)).await;
        let length = read.map_err(|_| TooSlow)??;
        Ok::<_, BoxError>((length > 0).then(|| (Bytes::from(bytes), reader)))
    });
    Body::from_stream(portions)
}
