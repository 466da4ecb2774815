//! A body that must arrive within a time.

use std::time::Duration;

use axum::BoxError;
use axum::body::Body;
use futures_util::{TryStreamExt, stream};
use hyper::body::{Body as _, Incoming};
use tokio::time::{Instant, timeout_at};

/// The body did not arrive in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the request did not arrive in time")]
pub struct TooSlow;

/// The body, which fails with [`TooSlow`] when it has not ended after this time.
pub(super) fn with_deadline(time: Duration, body: Incoming) -> Body {
    if body.is_end_stream() {
        return Body::empty();
    }
    let end = Instant::now() + time;
    let data = Body::new(body).into_data_stream();
    let parts = stream::try_unfold(data, move |mut data| async move {
        let part = timeout_at(end, data.try_next())
            .await
            .map_err(|_| TooSlow)??;
        Ok::<_, BoxError>(part.map(|part| (part, data)))
    });
    Body::from_stream(parts)
}
