//! Servers that fail in various ways.

use std::future::{pending, poll_fn};
use std::pin::pin;
use std::task::Poll;

use axum::body::Body;
use futures_util::stream::repeat_with;

use super::prelude::*;

/// Serves `router` on a free port of this machine until the test's runtime ends; returns its origin.
pub(crate) async fn serve(router: Router) -> String {
    let (listener, origin) = port().await;
    tokio::spawn(async move { axum::serve(listener, router).await });
    origin
}

/// Answers everything with this status and body.
pub(crate) async fn always(status: u16, body: &'static [u8]) -> String {
    let status = StatusCode::from_u16(status).unwrap();
    serve(Router::new().fallback(move || async move { (status, body) })).await
}

/// Answers everything with bytes that never end.
pub(crate) async fn endless() -> String {
    let chunks = || repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 64 * 1024]));
    serve(Router::new().fallback(move || async move { Body::from_stream(chunks()) })).await
}

/// Lets the system accept every connection, and never responds.
pub(crate) async fn silent() -> String {
    let (listener, origin) = port().await;
    tokio::spawn(async move { (pending::<()>().await, listener) });
    origin
}

/// A port of this machine without a listener.
pub(crate) async fn nobody() -> String {
    port().await.1
}

/// Polls a future at most this many times, then drops it, like that of a request whose client disconnects; `None` when it was not
/// done by then.
pub(crate) async fn cut_off<F: Future>(future: F, mut polls: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    let poll = poll_fn(|context| {
        if polls == 0 {
            return Poll::Ready(None);
        }
        polls -= 1;
        future.as_mut().poll(context).map(Some)
    });
    poll.await
}
