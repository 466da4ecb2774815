//! A body that must arrive within a time, and at a least rate.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes};
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

/// How much must arrive in a portion's time, in bytes.
const PORTION: usize = 16 * 1024;

/// The body did not arrive in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the request did not arrive in time")]
pub struct TooSlow;

/// The body, which fails with [`TooSlow`] when it has not ended after `whole`, or when a portion of it takes longer than `portion`.
pub(super) fn with_deadlines(whole: Duration, portion: Duration, body: Incoming) -> Body {
    if body.is_end_stream() {
        return Body::empty();
    }
    let end = Instant::now() + whole;
    Body::new(Timely {
        body,
        end,
        portion,
        // The first portion begins when the handler waits for it.
        missing: None,
        due: Box::pin(sleep_until(end)),
    })
}

struct Timely {
    body: Incoming,
    end: Instant,
    portion: Duration,
    /// How many bytes of the present portion are still to come; none between portions.
    missing: Option<usize>,
    due: Pin<Box<Sleep>>,
}

impl Timely {
    fn next_portion(&mut self) {
        self.missing = Some(PORTION);
        let due = self.end.min(Instant::now() + self.portion);
        self.due.as_mut().reset(due);
    }
}

impl hyper::body::Body for Timely {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            let data = frame.as_ref().and_then(|it| it.as_ref().ok()?.data_ref());
            let arrived = data.map_or(0, Bytes::len);
            let missing = self.missing.and_then(|it| it.checked_sub(arrived));
            self.missing = missing.filter(|missing| *missing > 0);
            return Poll::Ready(frame.map(|frame| frame.map_err(BoxError::from)));
        }
        if self.missing.is_none() {
            self.next_portion();
        }
        ready!(self.due.as_mut().poll(context));
        Poll::Ready(Some(Err(TooSlow.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
