//! The one error type of the HTTP interface, and its one mapping to a response (RFC 9457).

use std::borrow::Cow;
use std::fmt::Display;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

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
    /// In the server log, never sent.
    cause: Option<Box<str>>,
    /// PostgREST's second sentence.
    details: Option<String>,
    /// The input of a submitted file that is to blame, from 0.
    pub input: Option<usize>,
}

/// RFC 9457 problem details, with the members that the clients of the specification read.
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
    /// Stable kebab-case code; in the auth routes snake_case, as `@supabase/auth-js` compares it; where a single row is wanted,
    /// PostgREST's `PGRST116`.
    #[schema(example = "not-found")]
    pub code: Cow<'static, str>,
    /// In the auth routes the same code, where older versions of `@supabase/auth-js` look for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<Cow<'static, str>>,
    /// Which rule failed and what to do.
    pub detail: String,
    /// In the auth routes the same sentence, where `@supabase/auth-js` looks for it first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub msg: Option<String>,
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
    let message = "this address does not answer that method";
    Error::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method-not-allowed",
        message,
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
            input: None,
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
    pub fn signed_out() -> Self {
        let message = "You are not signed in, or your session has ended. Sign in again.";
        Self::unauthorized("session-not-found", message)
    }

    /// The client is signed in, but this belongs to another user.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    /// There is no such address.
    pub fn nothing_here() -> Self {
        Self::not_found("There is nothing at this address.")
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// The client wants a single row, and there are `rows`. The words are PostgREST's, which clients compare.
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

    /// The request can be read, and breaks a rule.
    pub fn unprocessable(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// The request contradicts the state of the server.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    /// The client has sent too many requests.
    pub fn too_many_requests(retry_after: i64) -> Self {
        let message = format!("Too many requests. Wait {retry_after} seconds and try again.");
        let error = Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", message);
        error.retry_after(retry_after)
    }

    /// The server has as many requests as it can process; this client did nothing wrong.
    pub fn busy(retry_after: i64) -> Self {
        let message = format!("The server is busy. Try again in {retry_after} seconds.");
        Self::unavailable("busy", message).retry_after(retry_after)
    }

    /// Something that this server depends on does not answer.
    pub fn unavailable(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message)
    }

    /// A bug or a broken environment.
    pub fn internal(cause: impl Display) -> Self {
        let message = "something went wrong on the server, and it has been logged";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message).cause(cause)
    }

    /// With a `Retry-After`, in seconds.
    pub fn retry_after(mut self, seconds: i64) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// With the input of a submitted file that is to blame.
    pub fn at_input(mut self, input: Option<usize>) -> Self {
        self.input = input;
        self
    }

    /// With a cause for the server log.
    pub(super) fn cause(mut self, cause: impl Display) -> Self {
        self.cause = Some(cause.to_string().into());
        self
    }

    /// Records the cause in the span of the request; its line in the server log has it then.
    pub fn record_cause(&self) {
        if let Some(cause) = &self.cause {
            tracing::Span::current().record(CAUSE, &**cause);
        }
    }
}

/// The field of a request's span that says why the request failed.
pub const CAUSE: &str = "cause";

impl From<&Error> for Problem {
    fn from(error: &Error) -> Self {
        Self {
            kind: "about:blank",
            title: error.status.canonical_reason().unwrap_or("Error"),
            status: error.status.as_u16(),
            code: error.code.into(),
            error_code: None,
            detail: error.message.clone(),
            msg: None,
            message: error.message.clone(),
            error: error.message.clone(),
            details: error.details.clone(),
            hint: None,
        }
    }
}

/// The response without its body, which `error_body` writes in the words of the route group.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.record_cause();
        let mut response = self.status.into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            // RFC 9110, section 11.6.1: a 401 names the scheme it wants.
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}
