//! Futures that are dropped halfway, like those of a request whose client disconnects.

use std::pin::Pin;
use std::task::{Context, Poll};

/// Polls a future at most this many times, then drops it; `None` when it was not done by then.
pub(crate) struct CutOff<F> {
    pub(crate) future: Pin<Box<F>>,
    pub(crate) polls: usize,
}

impl<F: Future> Future for CutOff<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if self.polls == 0 {
            return Poll::Ready(None);
        }
        self.polls -= 1;
        self.future.as_mut().poll(context).map(Some)
    }
}
