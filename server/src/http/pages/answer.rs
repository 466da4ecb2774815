//! A page in the coding that the client takes.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::written::Page;
use crate::http::coding::Coding;
use crate::http::etag;

/// The page, or that the client has it.
pub(super) fn page(page: &Page, headers: &HeaderMap) -> Response {
    let coded = page.coded(Coding::wanted(headers));
    let about: [(HeaderName, HeaderValue); 3] = [
        (header::ETAG, etag::header(&coded.tag)),
        // Kept, and asked about each time: the rows change.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    // Whichever coding the client has: the page in it is the same.
    if etag::has_one_of(headers, page.tags()) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let mut response = (about, [(header::CONTENT_TYPE, kind)], coded.bytes.clone()).into_response();
    if let Some(name) = coded.coding.name() {
        let name = HeaderValue::from_static(name);
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, name);
    }
    response
}
