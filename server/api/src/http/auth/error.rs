//! Errors as `@supabase/auth-js` reads them (decisions, D9).

use std::borrow::Cow;

use axum::http::{HeaderName, HeaderValue, StatusCode};

use crate::http::error::{Error, Problem};
use crate::sign_in::error::SignInError;

/// With this header the library reads `code`.
pub(in crate::http) const API_VERSION: HeaderName =
    HeaderName::from_static("x-supabase-api-version");
pub(in crate::http) const VERSION: HeaderValue = HeaderValue::from_static("2024-01-01");

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
            E::AccountRefused(_) => "access-denied",
            E::ProviderUnreachable(_)
            | E::ProviderUnreadable(_)
            | E::SiteRefused(_)
            | E::ProviderLimit(..) => {
                return Self::unavailable("provider-unavailable", message);
            }
            E::Limit(error) => return error.into(),
            E::Database(error) => return error.into(),
            E::NotSigned(_) => return Self::internal(message),
        };
        Self::bad_request(code, message)
    }
}

/// The code in snake_case: the library compares some codes, such as `session_not_found`.
pub(super) fn code(error: &Error) -> Cow<'static, str> {
    match error.code {
        "invalid-query" => "validation_failed".into(),
        "invalid-body" => "bad_json".into(),
        "internal" => "unexpected_failure".into(),
        code => code.replace('-', "_").into(),
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

/// An error with the codes that `@supabase/auth-js` reads.
pub(in crate::http) fn problem(error: &Error) -> Problem {
    let code = code(error);
    Problem {
        error_code: Some(code.clone()),
        code,
        msg: Some(error.message.clone()),
        ..Problem::from(error)
    }
}
