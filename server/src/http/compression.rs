//! Compresses rows on their way out.
//!
//! The layer of `tower-http` leaves an answer with `Content-Range` as it is, because that means a part of a
//! file. In PostgREST's conventions it counts rows (decisions, D10), so it steps aside meanwhile.

use axum::http::{HeaderValue, header};
use axum::response::Response;
use tower_http::compression::{CompressionLayer, CompressionLevel};

/// The header while it is aside.
#[derive(Clone)]
struct Rows(HeaderValue);

/// Compresses what is large enough, and no stream. Quickly: an answer is read once.
pub fn layer() -> CompressionLayer {
    CompressionLayer::new().quality(CompressionLevel::Fastest)
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
