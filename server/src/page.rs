//! The web app inside the server: files embedded at build time, compressed once, cached correctly.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use memory_serve::CacheControl;

use crate::error::Error;
use crate::state::AppState;

/// What pages may load: our own files alone. WebAssembly needs its own word (CSP Level 3).
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
    worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// Unpacked once for the whole process, however many servers run in it.
static PAGES: LazyLock<Router<AppState>> = LazyLock::new(|| {
    memory_serve::load!()
        .index_file(Some("/index.html"))
        .fallback(Some("/index.html"))
        .fallback_status(axum::http::StatusCode::OK)
        .enable_brotli(true)
        .enable_gzip(true)
        .html_cache_control(CacheControl::NoCache)
        .cache_control(CacheControl::NoCache)
        .into_router()
        .layer(middleware::from_fn(immutable_assets))
});

/// Serves the built web app. Addresses that are no file get the app itself, which knows its routes.
pub fn router() -> Router<AppState> {
    PAGES.clone()
}

/// Files below /assets carry a hash of their content in their name, so they never change.
async fn immutable_assets(request: Request, next: Next) -> Response {
    let hashed = request.uri().path().starts_with("/assets/");
    let mut response = next.run(request).await;
    let html = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if hashed && html {
        // A file of another release: the app itself would be taken for a script.
        return Error::NotFound("There is no such file.".to_owned()).into_response();
    }
    if hashed {
        response.headers_mut().insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=31536000, immutable"),
        );
    }
    response
}

/// Answers of the API are never stored by anybody, unless a handler says otherwise.
pub async fn api_headers(mut response: Response) -> Response {
    response
        .headers_mut()
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Headers that every response carries.
pub async fn security_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    set(headers, "content-security-policy", CONTENT_SECURITY_POLICY);
    set(headers, "x-content-type-options", "nosniff");
    // Addresses can hold a code that signs somebody in: never pass them on.
    set(headers, "referrer-policy", "no-referrer");
    set(headers, "cross-origin-opener-policy", "same-origin");
    set(headers, "cross-origin-resource-policy", "same-origin");
    set(
        headers,
        "permissions-policy",
        "camera=(), geolocation=(), microphone=()",
    );
    response
}

fn set(headers: &mut HeaderMap, name: &'static str, value: &'static str) {
    headers
        .entry(name)
        .or_insert(HeaderValue::from_static(value));
}
