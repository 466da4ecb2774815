//! What pages of other origins may do (decisions, D10; the Fetch standard, section 3.3). Never with credentials: the cookie of our
//! own pages goes nowhere else.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_REQUEST_METHOD, CONTENT_LOCATION, CONTENT_RANGE, ETAG, RETRY_AFTER,
};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tower::{Layer, ServiceExt};
use tower_http::cors::{AllowHeaders, AllowMethods, AllowOrigin, Any, CorsLayer};

use crate::sign_in::SignIn;

/// How long a browser may cache a preflight: Chromium caches none longer.
const MAX_AGE: Duration = Duration::from_secs(2 * 60 * 60);

/// The headers of a response that a page may read.
const EXPOSED: [HeaderName; 5] = [
    CONTENT_LOCATION,
    CONTENT_RANGE,
    ETAG,
    RETRY_AFTER,
    HeaderName::from_static("x-supabase-api-version"),
];

/// The response is the same for every origin.
static ANY: LazyLock<CorsLayer> =
    LazyLock::new(|| policy([Method::GET, Method::HEAD], Any).vary([]));

/// A layer that lets pages of any origin read.
pub async fn allow_any(request: Request, next: Next) -> Response {
    if !reads(&request) {
        return next.run(request).await;
    }
    let Ok(response) = ANY.layer(next).oneshot(request).await;
    response
}

/// A layer that lets pages of listed origins sign users in.
pub async fn allow_listed(
    State(sign_in): State<Arc<SignIn>>,
    request: Request,
    next: Next,
) -> Response {
    let origins = sign_in.origins.others();
    let origins = AllowOrigin::list(origins.filter_map(|it| HeaderValue::try_from(it).ok()));
    let layer = policy([Method::GET, Method::HEAD, Method::POST], origins);
    let Ok(response) = layer.layer(next).oneshot(request).await;
    response
}

/// Whether a request reads, or asks whether a page may read. A page may send POST without a preflight.
fn reads(request: &Request) -> bool {
    let asked = request.headers().get(ACCESS_CONTROL_REQUEST_METHOD);
    let method = match (request.method(), asked) {
        (&Method::OPTIONS, Some(asked)) => asked.as_bytes(),
        (method, _) => method.as_str().as_bytes(),
    };
    [b"GET".as_slice(), b"HEAD"].contains(&method)
}

fn policy(methods: impl Into<AllowMethods>, origins: impl Into<AllowOrigin>) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods(methods)
        // Client libraries send several headers of their own; none of them may do something that a page may not.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(MAX_AGE)
}
