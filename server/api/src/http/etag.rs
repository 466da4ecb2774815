//! Strong entity tags and conditional requests (RFC 9110, sections 8.8.3 and 13.1.2).

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{self, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum_extra::headers::{ETag, HeaderMapExt, IfNoneMatch};
use sha2::{Digest, Sha256};

use crate::http::error::Error;
use crate::http::headers::CONTENT_SECURITY_POLICY;

/// Headers that describe the body: a 304 has none of them (RFC 9110, section 15.4.5).
const OF_THE_BODY: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::CONTENT_LENGTH,
    header::CONTENT_ENCODING,
    header::CONTENT_RANGE,
    header::CONTENT_DISPOSITION,
];

/// A layer that tags responses, and answers 304 when the client has the response. It goes around the compression, so that every encoding
/// has a tag of its own.
pub async fn tag(mut request: Request, next: Next) -> Response {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return next.run(request).await;
    }
    // A response to HEAD has no body to hash.
    *request.method_mut() = Method::GET;
    let known = request.headers().typed_get();
    let response = add_tag(next.run(request).await).await;
    response.map_or_else(Error::into_response, |it| {
        unless_known(known, it.map(Body::from))
    })
}

/// The response; or 304, when its tag is among those that the client knows.
pub fn unless_known(known: Option<IfNoneMatch>, mut response: Response) -> Response {
    if let Some(known) = known
        && response.status().is_success()
        && let Some(tag) = response.headers().typed_get::<ETag>()
        && !known.precondition_passes(&tag)
    {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        for name in OF_THE_BODY {
            response.headers_mut().remove(name);
        }
    }
    response
}

/// The whole response, with a tag of what clients cache: status, range, policy and encoded body. Clients ask each time whether what they
/// have has changed.
pub async fn add_tag(response: Response) -> Result<http::Response<Bytes>, Error> {
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.map_err(Error::internal)?;
    let mut digest = Sha256::new();
    digest.update(parts.status.as_str());
    for name in [header::CONTENT_RANGE, header::CONTENT_SECURITY_POLICY] {
        let value = parts.headers.get(&name);
        digest.update(value.map_or(CONTENT_SECURITY_POLICY.as_bytes(), HeaderValue::as_bytes));
    }
    digest.update(&body);
    let tag = format!("\"{}\"", hex::encode(&digest.finalize()[..16]));
    let tag = HeaderValue::try_from(tag).map_err(Error::internal)?;
    parts.headers.insert(header::ETAG, tag);
    if parts.status.is_success() {
        let no_cache = HeaderValue::from_static("no-cache");
        let cache_control = parts.headers.entry(header::CACHE_CONTROL);
        cache_control.or_insert(no_cache);
    }
    Ok(http::Response::from_parts(parts, body))
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::middleware::from_fn;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;
    use crate::http::encoding;
    use crate::http::headers::BOARD_NUMBER;

    async fn ask(method: &str, encoding: &str, known: &str) -> Response {
        let text = async || {
            (
                [(BOARD_NUMBER, "7"), (header::VARY, "accept")],
                "a".repeat(100),
            )
        };
        let app: Router = Router::new()
            .route("/", get(text))
            .layer(encoding::compression())
            .layer(from_fn(tag));
        let request = Request::builder().method(method).uri("/");
        let request = request.header(header::ACCEPT_ENCODING, encoding);
        let request = request.header(header::IF_NONE_MATCH, known);
        let request = request.body(Body::empty()).expect("a request");
        app.oneshot(request).await.expect("a response")
    }

    #[tokio::test]
    async fn every_encoding_has_a_strong_tag_of_its_own() {
        let mut tags = Vec::new();
        for encoding in ["", "gzip", "br"] {
            let response = ask("GET", encoding, "\"other\"").await;
            assert_eq!(response.status(), StatusCode::OK);
            let tag = response.headers()[header::ETAG].clone();
            assert!(!tag.to_str().expect("text").starts_with("W/"));
            let head = ask("HEAD", encoding, "\"other\"").await;
            assert_eq!(head.headers()[header::ETAG], tag, "{encoding}");
            tags.push(tag);
        }
        tags.dedup();
        assert_eq!(tags.len(), 3, "{tags:?}");
    }

    #[tokio::test]
    async fn a_client_that_has_the_response_gets_what_is_new_about_it() {
        let tag = ask("GET", "gzip", "\"other\"").await.headers()[header::ETAG].clone();
        let tag = tag.to_str().expect("text");
        for known in [
            tag.to_owned(),
            format!("\"other\", W/{tag}"),
            "*".to_owned(),
        ] {
            let response = ask("GET", "gzip", &known).await;
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{known}");
            let mut names: Vec<_> = response.headers().keys().map(HeaderName::as_str).collect();
            names.sort_unstable();
            // The length of the empty body, which axum adds.
            names.retain(|name| *name != "content-length");
            assert_eq!(names, ["board-number", "cache-control", "etag", "vary"]);
            assert_eq!(response.headers()[header::ETAG], tag);
        }
        assert_eq!(ask("GET", "br", tag).await.status(), StatusCode::OK);
    }
}
