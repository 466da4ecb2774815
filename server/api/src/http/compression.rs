//! Compresses rows on their way out.
//!
//! The layer of `tower-http` leaves an answer with `Content-Range` as it is, because that means a part of a
//! file. In PostgREST's conventions it counts rows (decisions, D10), so it steps aside meanwhile.

use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use tower_http::compression::{CompressionLayer, CompressionLevel};

use crate::http::coding::Coding;

/// The header while it is aside.
#[derive(Clone)]
struct Rows(HeaderValue);

/// Compresses what is large enough, and no stream. Quickly: an answer is read once.
pub fn layer() -> CompressionLayer {
    CompressionLayer::new().quality(CompressionLevel::Fastest)
}

/// Goes around [`layer`]: asks it for the coding that this client gets everywhere. Whoever refuses even bytes as they are gets those;
/// the layer would say 406 instead, of what was written for them too. A server may disregard what a client accepts (RFC 9110,
/// section 12.1).
pub async fn choose(mut request: Request) -> Request {
    match Coding::wanted(request.headers()).name() {
        None => request.headers_mut().remove(header::ACCEPT_ENCODING),
        Some(name) => {
            let name = HeaderValue::from_static(name);
            request.headers_mut().insert(header::ACCEPT_ENCODING, name)
        }
    };
    request
}

/// Goes inside of [`layer`].
pub async fn set_aside(mut response: Response) -> Response {
    if let Some(rows) = response.headers_mut().remove(header::CONTENT_RANGE) {
        response.extensions_mut().insert(Rows(rows));
    }
    response
}

/// Goes around [`layer`].
pub async fn put_back(mut response: Response) -> Response {
    if let Some(Rows(rows)) = response.extensions_mut().remove::<Rows>() {
        response.headers_mut().insert(header::CONTENT_RANGE, rows);
    }
    response
}
