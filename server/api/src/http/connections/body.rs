//! A body that must have arrived within a time.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes};
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};

/// The body did not arrive in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the request did not arrive in time")]
pub struct TooSlow;

/// The body, which fails with [`TooSlow`] when it has not ended after `patience`, however steadily it drips.
pub(super) fn within(patience: Duration, body: Incoming) -> Body {
    if body.is_end_stream() {
        return Body::empty();
    }
    Body::new(Timely {
        body,
        over: Box::pin(sleep(patience)),
    })
}

struct Timely {
    body: Incoming,
    over: Pin<Box<Sleep>>,
}

impl hyper::body::Body for Timely {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(BoxError::from)));
        }
        ready!(self.over.as_mut().poll(context));
        Poll::Ready(Some(Err(TooSlow.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
