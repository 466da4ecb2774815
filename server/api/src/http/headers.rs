//! Headers of every response.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use tower_http::set_header::SetResponseHeaderLayer;

/// The number of the newest change that a response shows, so that a page can tell whether it is behind.
pub const BOARD_NUMBER: HeaderName = HeaderName::from_static("board-number");

/// What pages may load: only our own files. WebAssembly needs a source of its own (CSP Level 3).
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
    worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// For responses that pages of other origins may load.
pub const CROSS_ORIGIN: (HeaderName, &str) = (
    HeaderName::from_static("cross-origin-resource-policy"),
    "cross-origin",
);

/// A layer: responses of the API are cached nowhere, unless a handler says otherwise.
pub fn no_store() -> SetResponseHeaderLayer<HeaderValue> {
    let no_store = HeaderValue::from_static("no-store");
    SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, no_store)
}

/// A layer: every response has this header.
pub fn set(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
}

/// The headers of every response, unless a handler says otherwise.
const ALWAYS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // A URL can hold a sign-in code, so it is never passed on.
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// For two years browsers use only https (RFC 6797), for this host and not for those below it.
const TRANSPORT_SECURITY: &str = "max-age=63072000";

/// The first path segments of everything but the app, which reads QR codes with the camera.
const WITHOUT_CAMERA: [&str; 3] = ["api", "embed", "verify"];

/// Which features of the browser the document at this path may use (W3C Permissions Policy).
fn permissions(path: &str) -> &'static str {
    let page = path.split('/').nth(1).unwrap_or_default();
    if WITHOUT_CAMERA.contains(&page) {
        "camera=(), geolocation=(), microphone=()"
    } else {
        "camera=(self), geolocation=(), microphone=()"
    }
}

/// A layer that adds them. `https` is whether the site is served by it.
pub async fn security(State(https): State<bool>, request: Request, next: Next) -> Response {
    let permissions = (PERMISSIONS_POLICY, permissions(request.uri().path()));
    let transport = (header::STRICT_TRANSPORT_SECURITY, TRANSPORT_SECURITY);
    let mut response = next.run(request).await;
    let headers = ALWAYS.into_iter().chain([permissions]);
    for (name, value) in headers.chain(https.then_some(transport)) {
        let value = HeaderValue::from_static(value);
        response.headers_mut().entry(name).or_insert(value);
    }
    response
}
