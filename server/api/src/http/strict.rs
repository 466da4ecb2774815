//! Requests that no client sends by accident, refused before anything is done for them.

use axum::extract::Request;
use axum::http::{self, HeaderMap, HeaderName, HeaderValue, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::auth;
use crate::http::error::Error;

/// Where the id of a request is.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id of a request that is taken from whoever sends it.
const MAX_ID: usize = 128;

/// Refuses requests that do not name their host once, and NUL in an address: no text in the database has it, and PostgreSQL could
/// not even be asked.
pub(super) async fn refuse(request: Request, next: Next) -> Response {
    match look_at(&request) {
        Ok(()) => next.run(request).await,
        // In the words of the family.
        Err(error) if request.uri().path().starts_with("/api/auth/") => {
            auth::error::as_the_library_reads(error.into_response()).await
        }
        Err(error) => error.into_response(),
    }
}

/// Whether a request is one that is answered at all.
///
/// # Errors
/// The 400 or 404 for one that is not.
fn look_at<B>(request: &http::Request<B>) -> Result<(), Error> {
    if !names_one_host(request) {
        return Err(Error::bad_request(
            "invalid-request",
            "A request has one Host.",
        ));
    }
    let has_nul = |text: &str| text.contains("%00");
    if has_nul(request.uri().path()) {
        return Err(Error::nothing_here());
    }
    if request.uri().query().is_some_and(has_nul) {
        return Err(Error::bad_request(
            "invalid-query",
            "The query cannot be read: it has a NUL character.",
        ));
    }
    Ok(())
}

/// Whether a request names its host, and once, as it must (RFC 9112, section 3.2). One of HTTP/1.0 need not.
fn names_one_host<B>(request: &http::Request<B>) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (first, second) = (hosts.next(), hosts.next());
    second.is_none() && (first.is_some() || request.version() < Version::HTTP_11)
}

/// The id that a request comes with, unless it is none to find in a log: too long, or not of visible characters.
fn id_of(headers: &HeaderMap) -> Option<&HeaderValue> {
    let good = |id: &[u8]| (1..=MAX_ID).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic);
    let mut ids = headers.get_all(REQUEST_ID).iter();
    let id = ids.next().filter(|id| good(id.as_bytes()))?;
    ids.next().is_none().then_some(id)
}

/// Takes an odd id off a request. It then gets one of ours.
pub(super) fn drop_odd_id<B>(mut request: http::Request<B>) -> http::Request<B> {
    if id_of(request.headers()).is_none() {
        request.headers_mut().remove(REQUEST_ID);
    }
    request
}
