//! Refuses requests that no client sends by accident, before any work is done for them.

use axum::extract::Request;
use axum::http::{Version, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::http::error::Error;

/// A layer that refuses invalid requests.
pub(super) async fn refuse(request: Request, next: Next) -> Result<Response, Error> {
    check(&request)?;
    Ok(next.run(request).await)
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
