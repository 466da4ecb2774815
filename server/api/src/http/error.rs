//! The one error type of the HTTP interface, and its one mapping to a response (RFC 9457).

use std::fmt::Display;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::limits::places::TooMany;
use store::trouble;

mod causes;

/// When it is worth asking a database again that is away, in seconds.
const DATABASE_AWAY: i64 = 5;

/// Anything that ends a request early. The sentences are for people, the codes for programs.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request itself is wrong.
    #[error("{message}")]
    BadRequest {
        /// Stable kebab-case code.
        code: &'static str,
        /// Which rule failed and what to do.
        message: String,
    },
    /// Nobody is signed in, or no longer.
    #[error("{message}")]
    Unauthorized {
        /// Stable kebab-case code.
        code: &'static str,
        /// What to do.
        message: String,
    },
    /// Signed in, but this is somebody else's.
    #[error("{0}")]
    Forbidden(String),
    /// There is nothing here.
    #[error("{0}")]
    NotFound(String),
    /// A single row was asked for, and there are so many. The words are PostgREST's, which clients compare.
    #[error("Cannot coerce the result to a single JSON object")]
    NotSingular {
        /// How many there are.
        rows: usize,
    },
    /// The address does not know this method.
    #[error("this address does not answer that method")]
    MethodNotAllowed,
    /// The body is larger than the limit.
    #[error("{0}")]
    TooLarge(String),
    /// The body did not arrive in time.
    #[error("The request did not arrive in time. Send it again.")]
    TooSlow,
    /// What was asked for is so already, or contradicts what is.
    #[error("{message}")]
    Conflict {
        /// Stable kebab-case code.
        code: &'static str,
        /// What is.
        message: String,
    },
    /// Too many requests of one kind in a while.
    #[error("Too many requests. Wait {retry_after} seconds and try again.")]
    TooManyRequests {
        /// When it is worth trying again, in seconds.
        retry_after: i64,
    },
    /// As many requests as can be dealt with for now; the sender has done nothing wrong.
    #[error("The server is busy. Try again in {retry_after} seconds.")]
    Busy {
        /// When it is worth trying again, in seconds.
        retry_after: i64,
    },
    /// As many as there can be of something that lasts.
    #[error("{message}")]
    Full {
        /// Stable kebab-case code.
        code: &'static str,
        /// Of what.
        message: String,
        /// When it is worth trying again, in seconds.
        retry_after: i64,
    },
    /// Something that this server depends on does not answer.
    #[error("{message}")]
    Unavailable {
        /// Stable kebab-case code.
        code: &'static str,
        /// What is missing.
        message: String,
    },
    /// The database cannot be asked. The cause is logged, never sent.
    #[error("The database cannot be asked right now. Try again in a few seconds.")]
    DatabaseAway(sqlx::Error),
    /// The database failed. The cause is logged, never sent.
    #[error("something went wrong on the server, and it has been logged")]
    Database(sqlx::Error),
    /// A bug or a broken environment. The cause is logged, never sent.
    #[error("something went wrong on the server, and it has been logged")]
    Internal(String),
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

/// Answers what an address is not for. Its router says what it is for.
pub async fn method_not_allowed() -> Error {
    Error::MethodNotAllowed
}

impl Error {
    /// A 400 with a stable code.
    pub fn bad_request(code: &'static str, message: impl Into<String>) -> Self {
        Self::BadRequest {
            code,
            message: message.into(),
        }
    }

    /// The 429 or 503 for somebody who finds no place: whoever has too many places, or one of too many who want one.
    #[must_use]
    pub fn no_place(too_many: TooMany, retry_after: i64) -> Self {
        match too_many {
            TooMany::FromAddress => Self::TooManyRequests { retry_after },
            TooMany::InAll => Self::Busy { retry_after },
        }
    }

    /// The 401 for a missing, expired or revoked session.
    #[must_use]
    pub fn signed_out() -> Self {
        Self::Unauthorized {
            code: "session-not-found",
            message: "You are not signed in, or your session has ended. Sign in again.".to_owned(),
        }
    }

    /// Status and code of the response.
    #[must_use]
    pub fn status(&self) -> (StatusCode, &'static str) {
        match self {
            Self::BadRequest { code, .. } => (StatusCode::BAD_REQUEST, code),
            Self::Unauthorized { code, .. } => (StatusCode::UNAUTHORIZED, code),
            Self::Forbidden(_) => (StatusCode::FORBIDDEN, "forbidden"),
            Self::NotFound(_) => (StatusCode::NOT_FOUND, "not-found"),
            Self::NotSingular { .. } => (StatusCode::NOT_ACCEPTABLE, "PGRST116"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed"),
            Self::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
            Self::TooSlow => (StatusCode::REQUEST_TIMEOUT, "too-slow"),
            Self::Conflict { code, .. } => (StatusCode::CONFLICT, code),
            Self::TooManyRequests { .. } => (StatusCode::TOO_MANY_REQUESTS, "too-many-requests"),
            Self::Busy { .. } => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            Self::Full { code, .. } | Self::Unavailable { code, .. } => {
                (StatusCode::SERVICE_UNAVAILABLE, code)
            }
            Self::DatabaseAway(_) => (StatusCode::SERVICE_UNAVAILABLE, "database-unavailable"),
            Self::Database(_) | Self::Internal(_) => {
                (StatusCode::INTERNAL_SERVER_ERROR, "internal")
            }
        }
    }

    /// What PostgREST says beside the sentence; clients find out by it that there is no row.
    fn details(&self) -> Option<String> {
        match self {
            Self::NotSingular { rows } => Some(format!("The result contains {rows} rows")),
            _ => None,
        }
    }

    /// When it is worth trying again, in seconds, if that is known.
    #[must_use]
    pub fn retry_after(&self) -> Option<i64> {
        match self {
            Self::TooManyRequests { retry_after }
            | Self::Busy { retry_after }
            | Self::Full { retry_after, .. } => Some(*retry_after),
            Self::DatabaseAway(_) => Some(DATABASE_AWAY),
            _ => None,
        }
    }

    /// Puts a cause that is not sent beside the request's line in the log.
    pub fn log(&self) {
        match self {
            Self::DatabaseAway(cause) => {
                let cause = trouble::whole(cause);
                note_cause(&format_args!("the database cannot be asked: {cause}"));
            }
            Self::Database(cause) => note_cause(cause),
            Self::Internal(cause) => note_cause(cause),
            _ => {}
        }
    }
}

/// The field of a request's span that says why it failed; its line in the log has all of them.
pub const CAUSE: &str = "cause";

/// Says in the log why the request that is being dealt with fails.
fn note_cause(cause: &impl Display) {
    tracing::Span::current().record(CAUSE, tracing::field::display(cause));
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        self.log();
        let (status, code) = self.status();
        let retry_after = self.retry_after();
        let sentence = self.to_string();
        let problem = Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            code,
            detail: sentence.clone(),
            message: sentence.clone(),
            error: sentence,
            details: self.details(),
            hint: None,
        };
        let mut response = (status, Json(problem)).into_response();
        response.headers_mut().insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some(seconds) = retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            // RFC 9110, section 11.6.1: a 401 names the scheme it wants.
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
