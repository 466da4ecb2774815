//! Errors as the client library reads them.

use axum::Json;
use axum::http::HeaderValue;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::error::Error;
use crate::sign_in::error::SignInError;

/// An error as the library reads it. The codes of this one family are in snake_case, because the
/// library compares some of them, such as `session_not_found` (decisions, D9).
#[derive(Debug)]
pub struct AuthError(Error);

impl<E: Into<Error>> From<E> for AuthError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl From<SignInError> for Error {
    fn from(error: SignInError) -> Self {
        use SignInError as E;
        let message = error.to_string();
        let code = match error {
            E::NotOnTheList | E::NoPkce | E::BadChallenge | E::OtherSite => "validation-failed",
            E::UnknownProvider(_) => "oauth-provider-not-supported",
            E::DevelopmentAlone | E::ProductionAlone(_) | E::NotSetUp(_) => "provider-disabled",
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
            E::BadToken => {
                let code = "bad-jwt";
                return Self::Unauthorized { code, message };
            }
            E::SignedOut => return Self::signed_out(),
            E::NoSuchProvider => return Self::NotFound(message),
            E::ProviderUnreachable(_) | E::ProviderUnreadable(_) => {
                let code = "provider-unavailable";
                return Self::Unavailable { code, message };
            }
            E::Limit(error) => return error.into(),
            E::Database(error) => return error.into(),
            E::NotSigned(_) => return Self::Internal(message),
        };
        Self::BadRequest { code, message }
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

impl AuthError {
    /// The code as this family spells it.
    #[must_use]
    pub fn code(&self) -> String {
        match self.0.status().1 {
            "invalid-query" => "validation_failed".to_owned(),
            "invalid-body" => "bad_json".to_owned(),
            "internal" => "unexpected_failure".to_owned(),
            code => code.replace('-', "_"),
        }
    }

    /// The error itself.
    #[must_use]
    pub fn inner(&self) -> &Error {
        &self.0
    }
}

impl IntoResponse for AuthError {
    fn into_response(self) -> Response {
        let code = self.code();
        let sentence = self.0.to_string();
        let (status, _) = self.0.status();
        let problem = AuthProblem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            error_code: code.clone(),
            code,
            detail: sentence.clone(),
            msg: sentence.clone(),
            message: sentence.clone(),
            error: sentence,
        };
        // Everything but the words, the log included, is as for any other error.
        let mut response = self.0.into_response();
        // With this header the library reads `code`.
        response.headers_mut().insert(
            "x-supabase-api-version",
            HeaderValue::from_static("2024-01-01"),
        );
        *response.body_mut() = Json(problem).into_response().into_body();
        response
    }
}
