//! Answers that are made once and sent to many.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::http::coding::Coding;
use crate::http::etag;

/// What is sent of an answer, in one coding.
#[derive(Debug)]
pub struct Coded {
    pub coding: Coding,
    pub bytes: Bytes,
    pub tag: String,
}

impl Coded {
    /// Codes `bytes`, of which this is the tag in this coding.
    #[must_use]
    pub fn new(bytes: &[u8], coding: Coding, tag: String) -> Self {
        Self {
            coding,
            bytes: coding.encode(bytes).into(),
            tag,
        }
    }

    /// The answer, or that the client has it. `tags` are those of all codings: whichever the client has, what is in it is the same.
    pub fn response<'a>(
        &self,
        headers: &HeaderMap,
        tags: impl IntoIterator<Item = &'a str>,
        content_type: &'static str,
        vary: &'static str,
    ) -> Response {
        let about = [
            (header::ETAG, etag::header(&self.tag)),
            // Kept, and asked about each time: the rows change.
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (header::VARY, HeaderValue::from_static(vary)),
        ];
        if etag::has_one_of(headers, tags) {
            return (StatusCode::NOT_MODIFIED, about).into_response();
        }
        let kind = [(header::CONTENT_TYPE, content_type)];
        let mut response = (about, kind, self.bytes.clone()).into_response();
        if let Some(name) = self.coding.name() {
            let name = HeaderValue::from_static(name);
            response
                .headers_mut()
                .insert(header::CONTENT_ENCODING, name);
        }
        response
    }
}
