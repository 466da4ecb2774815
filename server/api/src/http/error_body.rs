//! The body of an error. It is written once, for all routes, in the words of their group.

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::auth::error::{API_VERSION, VERSION, problem};
use crate::http::error::{Error, Problem};

const PROBLEM: HeaderValue = HeaderValue::from_static("application/problem+json");

/// A layer that writes the body of an error from further inside: in the auth routes as `@supabase/auth-js` reads it.
pub(super) async fn write(request: Request, next: Next) -> Response {
    let is_for_auth_js = request.uri().path().starts_with("/api/auth/");
    let mut response = next.run(request).await;
    let Some(error) = response.extensions_mut().remove::<Error>() else {
        return response;
    };
    let body = match is_for_auth_js {
        true => problem(&error),
        false => Problem::from(&error),
    };
    *response.body_mut() = Json(body).into_response().into_body();
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(header::CONTENT_TYPE, PROBLEM);
    if is_for_auth_js {
        headers.insert(API_VERSION, VERSION);
    }
    response
}
