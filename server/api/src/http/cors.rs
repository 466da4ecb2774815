//! What pages of other origins may do (decisions, D10; the Fetch standard, section 3.3). Never with credentials: the cookie of our
//! own pages goes nowhere else.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::Request;
use axum::http::header::{
    ACCESS_CONTROL_REQUEST_METHOD, CONTENT_LOCATION, CONTENT_RANGE, ETAG, RETRY_AFTER,
};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tower::{Layer, ServiceExt};
use tower_http::cors::{AllowHeaders, Any, CorsLayer};

use crate::sign_in::SignIn;

/// How long a browser need not ask again: Chromium remembers no longer.
const REMEMBERED: Duration = Duration::from_secs(2 * 60 * 60);

/// The headers of an answer that its reader may see.
const EXPOSED: [HeaderName; 5] = [
    CONTENT_LOCATION,
    CONTENT_RANGE,
    ETAG,
    RETRY_AFTER,
    HeaderName::from_static("x-supabase-api-version"),
];

/// A layer that lets pages of any origin read.
pub async fn public(request: Request, next: Next) -> Response {
    if !reads(&request) {
        return next.run(request).await;
    }
    let layer = readable()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD])
        // The answer is the same for all.
        .vary([]);
    let Ok(response) = layer.layer(next).oneshot(request).await;
    response
}

/// A layer that lets pages of listed origins sign users in.
pub async fn listed(
    Extension(sign_in): Extension<Arc<SignIn>>,
    request: Request,
    next: Next,
) -> Response {
    let origins = sign_in.other_origins();
    let origins: Vec<_> = origins
        .filter_map(|origin| HeaderValue::try_from(origin).ok())
        .collect();
    let layer =
        readable()
            .allow_origin(origins)
            .allow_methods([Method::GET, Method::HEAD, Method::POST]);
    let Ok(response) = layer.layer(next).oneshot(request).await;
    response
}

/// Whether a request reads, or asks whether a page may. A page may send POST without being told so.
fn reads(request: &Request) -> bool {
    let asked = request.headers().get(ACCESS_CONTROL_REQUEST_METHOD);
    let method = match (request.method(), asked) {
        (&Method::OPTIONS, Some(asked)) => asked.as_bytes(),
        (method, _) => method.as_str().as_bytes(),
    };
    [b"GET".as_slice(), b"HEAD"].contains(&method)
}

fn readable() -> CorsLayer {
    CorsLayer::new()
        // Client libraries send several of their own, and none of them means anything to us that a page may not say.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(REMEMBERED)
}
