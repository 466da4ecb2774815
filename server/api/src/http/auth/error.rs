//! Errors as the client library reads them.

use axum::Json;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::error::Error;
use crate::sign_in::error::SignInError;

impl From<SignInError> for Error {
    fn from(error: SignInError) -> Self {
        use SignInError as E;
        let message = error.to_string();
        let code = match error {
            E::NotOnTheList | E::NoPkce | E::BadChallenge | E::OtherSite => "validation-failed",
            E::UnknownProvider(_) => "oauth-provider-not-supported",
            E::DevelopmentOnly | E::ProductionOnly(_) | E::NotSetUp(_) => "provider-disabled",
            E::UnknownState => "bad-oauth-state",
            E::TurnedOff(_)
            | E::OtherIssuer(_)
            | E::ProviderRefused(_)
            | E::NotComplete(_)
            | E::CodeRefused(_) => "bad-oauth-callback",
            E::NotAgreed(_) => "access-denied",
            E::Blocked => "user-banned",
            E::UnknownCode => "flow-state-not-found",
            E::TookTooLong => "flow-state-expired",
            E::BadVerifier => "bad-code-verifier",
            E::SessionEnded => "session-not-found",
            E::UnknownRefreshToken => "refresh-token-not-found",
            E::UsedTwice => "refresh-token-already-used",
            E::BadToken => return Self::unauthorized("bad-jwt", message),
            E::SignedOut => return Self::signed_out(),
            E::NoSuchProvider => return Self::not_found(message),
            E::ProviderUnreachable(_) | E::ProviderUnreadable(_) => {
                return Self::unavailable("provider-unavailable", message);
            }
            E::Limit(error) => return error.into(),
            E::Database(error) => return error.into(),
            E::NotSigned(_) => return Self::internal(message),
        };
        Self::bad_request(code, message)
    }
}

/// Problem details (RFC 9457) with the members that the library reads.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuthProblem {
    /// Always `about:blank`: the code tells problems apart.
    #[serde(rename = "type")]
    #[schema(example = "about:blank")]
    kind: &'static str,
    /// The status in words.
    title: &'static str,
    /// The HTTP status.
    #[schema(example = 400)]
    status: u16,
    /// Stable snake_case code.
    #[schema(example = "refresh_token_not_found")]
    code: String,
    /// The same code, where older versions of the library look for it.
    error_code: String,
    /// Which rule failed and what to do.
    detail: String,
    /// The same sentence, where the library looks for it first.
    msg: String,
    /// The same sentence, where the specification's clients look for it.
    message: String,
    /// The same sentence, where the specification's clients look for it.
    error: String,
}

/// The code as the library spells it: in snake_case, because it compares some of them, such as `session_not_found`
/// (decisions, D9).
pub(super) fn code(error: &Error) -> String {
    match error.code {
        "invalid-query" => "validation_failed".to_owned(),
        "invalid-body" => "bad_json".to_owned(),
        "internal" => "unexpected_failure".to_owned(),
        code => code.replace('-', "_"),
    }
}

/// The error names of RFC 6749, section 4.1.2.1.
pub(super) fn oauth_name(error: &Error) -> &'static str {
    match (error.status, error.code) {
        (_, "access-denied" | "user-banned") => "access_denied",
        (StatusCode::BAD_REQUEST, _) => "invalid_request",
        (_, "busy" | "database-unavailable") => "server_error",
        (StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS, _) => {
            "temporarily_unavailable"
        }
        _ => "server_error",
    }
}

/// Gives an [`Error`] the body that the library reads.
pub async fn as_the_library_reads(mut response: Response) -> Response {
    let Some(error) = response.extensions_mut().remove::<Error>() else {
        return response;
    };
    let code = code(&error);
    let problem = AuthProblem {
        kind: "about:blank",
        title: error.status.canonical_reason().unwrap_or("Error"),
        status: error.status.as_u16(),
        error_code: code.clone(),
        code,
        detail: error.message.clone(),
        msg: error.message.clone(),
        message: error.message.clone(),
        error: error.message,
    };
    let headers = response.headers_mut();
    headers.remove("content-length");
    // With this header the library reads `code`.
    headers.insert(
        "x-supabase-api-version",
        HeaderValue::from_static("2024-01-01"),
    );
    *response.body_mut() = Json(problem).into_response().into_body();
    response
}
