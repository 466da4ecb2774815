//! The one error type of the HTTP interface, and its one mapping to a response (RFC 9457).

use std::fmt::Display;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::limits::LimitError;
use crate::limits::places::TooMany;

mod causes;

/// An error that ends a request early.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    pub status: StatusCode,
    /// Stable code for programs, kebab-case.
    pub code: &'static str,
    /// A sentence for people: the problem and the fix.
    pub message: String,
    /// When it is worth trying again, in seconds, if that is known.
    pub retry_after: Option<i64>,
    /// Logged, never sent.
    cause: Option<Box<str>>,
    /// PostgREST's second sentence.
    details: Option<String>,
}

/// RFC 9457 problem details, with the two members that the specification's clients read.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: the code tells problems apart.
    #[serde(rename = "type")]
    #[schema(example = "about:blank")]
    pub kind: &'static str,
    /// The status in words.
    pub title: &'static str,
    /// The HTTP status.
    #[schema(example = 400)]
    pub status: u16,
    /// Stable kebab-case code; where a single row is wanted, PostgREST's `PGRST116`.
    #[schema(example = "not-found")]
    pub code: &'static str,
    /// Which rule failed and what to do.
    pub detail: String,
    /// The same sentence, where the specification's clients look for it.
    pub message: String,
    /// The same sentence, where the specification's clients look for it.
    pub error: String,
    /// More about it, where PostgREST's clients look for that.
    #[schema(required)]
    pub details: Option<String>,
    /// Always null: PostgREST's clients look for it.
    #[schema(required)]
    pub hint: Option<String>,
}

/// The fallback for methods that an address does not have. The router adds `Allow`.
pub async fn method_not_allowed() -> Error {
    Error::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method-not-allowed",
        "this address does not answer that method",
    )
}

impl Error {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            retry_after: None,
            cause: None,
            details: None,
        }
    }

    /// The request itself is wrong.
    pub fn bad_request(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The client is not signed in, or no longer.
    pub fn unauthorized(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, message)
    }

    /// The 401 for a missing, expired or revoked session.
    #[must_use]
    pub fn signed_out() -> Self {
        Self::unauthorized(
            "session-not-found",
            "You are not signed in, or your session has ended. Sign in again.",
        )
    }

    /// The client is signed in, but this belongs to another user.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// There is no such address.
    #[must_use]
    pub fn nothing_here() -> Self {
        Self::not_found("There is nothing at this address.")
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// The client wants a single row, and there are `rows`. The words are PostgREST's, which clients compare.
    #[must_use]
    pub fn not_singular(rows: usize) -> Self {
        let message = "Cannot coerce the result to a single JSON object";
        Self {
            details: Some(format!("The result contains {rows} rows")),
            ..Self::new(StatusCode::NOT_ACCEPTABLE, "PGRST116", message)
        }
    }

    /// The body is larger than the limit.
    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
    }

    /// The request contradicts the state of things.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    /// The server has as many requests as it can deal with; the client has done nothing wrong.
    #[must_use]
    pub fn busy(retry_after: i64) -> Self {
        LimitError::Busy { retry_after }.into()
    }

    /// The 429 for a client that has too many places, or the 503 when all are taken.
    #[must_use]
    pub fn no_place(too_many: TooMany, retry_after: i64) -> Self {
        match too_many {
            TooMany::FromSender => LimitError::TooMany { retry_after }.into(),
            TooMany::InAll => Self::busy(retry_after),
        }
    }

    /// Something that this server depends on does not answer.
    pub fn unavailable(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message)
    }

    /// A bug or a broken environment.
    #[must_use]
    pub fn internal(cause: impl Display) -> Self {
        let message = "something went wrong on the server, and it has been logged";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message).cause(cause)
    }

    /// With a `Retry-After`, in seconds.
    #[must_use]
    pub fn retry_after(self, seconds: i64) -> Self {
        Self {
            retry_after: Some(seconds),
            ..self
        }
    }

    /// With a cause for the log.
    #[must_use]
    fn cause(self, cause: impl Display) -> Self {
        Self {
            cause: Some(cause.to_string().into()),
            ..self
        }
    }

    /// Records the cause in the span of the request; its line in the log has it then.
    pub fn log(&self) {
        if let Some(cause) = &self.cause {
            tracing::Span::current().record(CAUSE, &**cause);
        }
    }
}

/// The field of a request's span that says why the request failed.
pub const CAUSE: &str = "cause";

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.log();
        let problem = Problem {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            code: self.code,
            detail: self.message.clone(),
            message: self.message.clone(),
            error: self.message.clone(),
            details: self.details.clone(),
            hint: None,
        };
        let mut response = (self.status, Json(problem)).into_response();
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, kind);
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            // RFC 9110, section 11.6.1: a 401 names the scheme it wants.
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        // For route groups that word errors in their own way.
        response.extensions_mut().insert(self);
        response
    }
}
