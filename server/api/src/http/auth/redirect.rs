//! Where sign-ins send browsers.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use url::form_urlencoded;

use super::error::{code, oauth_name};
use crate::http::error::Error;

/// To a page that waits for a code. The address is one of the list, which has no query of its own.
pub(super) fn with_code(address: &str, code: &str) -> Response {
    with(address, &[("code", code)])
}

/// To a page that waits for a code, and gets none.
pub(super) fn with_error(address: &str, error: Error) -> Response {
    error.log();
    with(
        address,
        &[
            ("error", oauth_name(&error)),
            ("error_code", &code(&error)),
            ("error_description", &error.message),
        ],
    )
}

/// To any address that this server has made.
pub(super) fn to(location: &str) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, location)]).into_response()
}

fn with(address: &str, parameters: &[(&str, &str)]) -> Response {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    to(&format!("{address}?{query}"))
}
