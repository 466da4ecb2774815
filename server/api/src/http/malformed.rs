//! Refuses requests that no client sends by accident, before any work is done for them.

use axum::extract::Request;
use axum::http::{self, HeaderName, HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::auth;
use crate::http::error::Error;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest request id that is accepted from a client, in bytes.
const MAX_ID: usize = 128;

/// A layer that answers invalid requests in the words of their route group.
pub(super) async fn refuse(request: Request, next: Next) -> Response {
    let Err(error) = check(&request) else {
        return next.run(request).await;
    };
    if request.uri().path().starts_with("/api/auth/") {
        auth::error::for_auth_js(error.into_response()).await
    } else {
        error.into_response()
    }
}

/// A request must name its host, and once (RFC 9112, section 3.2); one of HTTP/1.0 need not name it. It has no NUL in its address: no text
/// in the database has one, and PostgreSQL takes no query with one.
fn check(request: &Request) -> Result<(), Error> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let first = hosts.next();
    if hosts.next().is_some() || (first.is_none() && request.version() >= Version::HTTP_11) {
        let message = "A request has one Host.";
        return Err(Error::bad_request("invalid-request", message));
    }
    let has_nul = |text: &str| text.contains("%00");
    if has_nul(request.uri().path()) {
        return Err(Error::nothing_here());
    }
    if request.uri().query().is_some_and(has_nul) {
        let message = "The query cannot be read: it has a NUL character.";
        return Err(Error::bad_request("invalid-query", message));
    }
    Ok(())
}

/// Drops a request id that would be hard to find in a log: too long, of invisible characters, or not the only one. The server then sets one
/// of its own.
pub(super) fn drop_odd_id<B>(mut request: http::Request<B>) -> http::Request<B> {
    let is_good = |id: &HeaderValue| {
        (1..=MAX_ID).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic)
    };
    let mut ids = request.headers().get_all(REQUEST_ID).iter();
    if !(ids.next().is_some_and(is_good) && ids.next().is_none()) {
        request.headers_mut().remove(REQUEST_ID);
    }
    request
}
