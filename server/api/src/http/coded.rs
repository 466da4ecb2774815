//! Answers that are made once and sent to many, with all that is said of them.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::http::coding::Coding;
use crate::http::etag;
use crate::http::headers::BOARD_NUMBER;

/// What whoever has an answer is told of it (RFC 9110, section 15.4.5), and by which protocol to come. All else is kept with the answer
/// (RFC 9111, section 3.2).
const NOT_MODIFIED: [HeaderName; 4] = [
    header::ETAG,
    header::CACHE_CONTROL,
    header::VARY,
    BOARD_NUMBER,
];

/// What is around the bytes of an answer takes so much of memory, in bytes.
const AROUND: usize = 4 * 1024;

/// What is sent of an answer, in one coding.
#[derive(Clone, Debug)]
pub struct Coded {
    pub bytes: Bytes,
    status: StatusCode,
    headers: HeaderMap,
    /// Of the answer that is not sent again.
    not_modified: HeaderMap,
    /// In every coding: whichever the client has, what is in it is the same.
    tags: [String; 3],
}

impl Coded {
    /// Codes `bytes`, of which these are the tags in every coding.
    #[must_use]
    pub fn new(bytes: &[u8], coding: Coding, tags: [String; 3], about: HeaderMap) -> Self {
        Self::of_coded(coding.encode(bytes).into(), coding, tags, about)
    }

    /// Of bytes that are in this coding already.
    #[must_use]
    pub fn of_coded(bytes: Bytes, coding: Coding, tags: [String; 3], about: HeaderMap) -> Self {
        let mut headers = about;
        headers.insert(header::ETAG, etag::header(&tags[coding as usize]));
        if let Some(name) = coding.name() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        Self {
            bytes,
            status: StatusCode::OK,
            not_modified: of_not_modified(&headers),
            headers,
            tags,
        }
    }

    /// The same with another status.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// What it takes in memory, in bytes.
    #[must_use]
    pub fn weight(&self) -> u32 {
        u32::try_from(self.bytes.len() + AROUND).unwrap_or(u32::MAX)
    }

    /// The answer to a request with these headers, or that the client has it.
    #[must_use]
    pub fn response(&self, asked: &HeaderMap) -> Response {
        let mut response = Response::default();
        if etag::has_one_of(asked, self.tags.iter().map(String::as_str)) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.headers_mut() = self.not_modified.clone();
        } else {
            *response.status_mut() = self.status;
            *response.headers_mut() = self.headers.clone();
            *response.body_mut() = Body::from(self.bytes.clone());
        }
        response
    }
}

/// The headers of an answer of this type, which is kept and asked about each time, because what it tells changes.
#[must_use]
pub fn about(content_type: &'static str, vary: &'static str) -> HeaderMap {
    let about = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-cache"),
        (header::VARY, vary),
    ];
    HeaderMap::from_iter(about.map(|(name, value)| (name, HeaderValue::from_static(value))))
}

fn of_not_modified(headers: &HeaderMap) -> HeaderMap {
    let said = NOT_MODIFIED.into_iter().filter_map(|name| {
        let value = headers.get(&name)?.clone();
        Some((name, value))
    });
    said.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_an_answer_is_told_what_is_new_of_it_and_no_more() {
        let tags = Coding::ALL.map(|coding| format!("\"tag{}\"", coding.tag_suffix()));
        let mut said = about("text/plain", "accept-encoding");
        said.insert(BOARD_NUMBER, 7.into());
        let coded = Coded::new(b"text", Coding::Gzip, tags, said);
        let names = |response: &Response| {
            let names = response.headers().keys().map(HeaderName::as_str);
            names.map(str::to_owned).collect::<Vec<_>>()
        };

        let whole = coded.response(&HeaderMap::new());
        assert_eq!(whole.status(), StatusCode::OK);
        assert_eq!(whole.headers()[header::CONTENT_ENCODING], "gzip");

        // In whichever coding it came.
        let known = HeaderMap::from_iter([(
            header::IF_NONE_MATCH,
            HeaderValue::from_static("\"tag-br\""),
        )]);
        let known = coded.response(&known);
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
        let mut told = names(&known);
        told.sort();
        let expected = ["board-number", "cache-control", "etag", "vary"];
        assert_eq!(told, expected);
        assert_eq!(known.headers()[header::ETAG], "\"tag-gzip\"");
    }
}
