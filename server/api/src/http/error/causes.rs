//! Maps the errors of other rooms, and of requests that cannot be read, to responses.

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::StatusCode;

use super::Error;
use crate::billing::BillingError;
use crate::board::BoardError;
use crate::http::connections::TooSlow;
use crate::limits::LimitError;
use crate::limits::queue::Full;
use chain::ChainError;
use store::errors;

/// The `Retry-After` while the database is unreachable, in seconds.
const DATABASE_AWAY: i64 = 5;

/// The `Retry-After` for a request that found no place in a queue, or waited too long, in seconds.
const QUEUE_FULL: i64 = 2;

const CHAIN_UNAVAILABLE: &str =
    "The Bitcoin network cannot be asked right now, so nothing was changed. Try again in a minute.";

/// An account that is deleted during a request is like one that was deleted before it.
impl From<sqlx::Error> for Error {
    fn from(cause: sqlx::Error) -> Self {
        if errors::is_account_gone(&cause) {
            return Self::signed_out();
        }
        if !errors::is_away(&cause) {
            return Self::internal(cause);
        }
        let message = "The database cannot be asked right now. Try again in a few seconds.";
        let cause = errors::whole(&cause);
        let error = Self::unavailable("database-unavailable", message);
        let cause = format_args!("the database cannot be asked: {cause}");
        error.retry_after(DATABASE_AWAY).cause(cause)
    }
}

impl From<LimitError> for Error {
    fn from(cause: LimitError) -> Self {
        match cause {
            LimitError::TooMany { retry_after } => Self::too_many_requests(retry_after),
            LimitError::Busy { retry_after } => Self::busy(retry_after),
            LimitError::Database(cause) => cause.into(),
        }
    }
}

impl From<BoardError> for Error {
    fn from(cause: BoardError) -> Self {
        match cause {
            BoardError::Unread => {
                let message = "The board is being read. Try again in a moment.";
                Self::unavailable("board-not-read", message)
            }
            BoardError::Full(cause) => cause.into(),
            BoardError::Database(cause) => cause.into(),
        }
    }
}

impl From<Full> for Error {
    fn from(cause: Full) -> Self {
        match cause {
            Full::BySender => Self::too_many_requests(QUEUE_FULL),
            Full::InTotal => Self::busy(QUEUE_FULL),
        }
    }
}

impl From<ChainError> for Error {
    fn from(cause: ChainError) -> Self {
        let error = match cause.behind() {
            Some(behind) => {
                let message = "Nothing was changed. Try again later.";
                let message = format!("{} {message}", behind.sentence());
                Self::unavailable(behind.into(), message)
            }
            None => Self::unavailable("chain-unavailable", CHAIN_UNAVAILABLE),
        };
        error.cause(cause)
    }
}

impl From<BillingError> for Error {
    fn from(cause: BillingError) -> Self {
        let message = cause.to_string();
        match cause {
            BillingError::NoAccount => Self::signed_out(),
            BillingError::AlreadyPremium => Self::conflict("already-premium", message),
            BillingError::Pending => Self::conflict("payment-pending", message),
            BillingError::Event(_) => Self::bad_request("invalid-event", message),
            // Buyers get this sentence whatever the cause is (specification, section 7).
            BillingError::NothingSold | BillingError::Provider(_) | BillingError::Busy => {
                Self::unavailable("payment-unavailable", "Stripe session error").cause(message)
            }
            BillingError::Database(cause) => cause.into(),
        }
    }
}

impl From<JsonRejection> for Error {
    fn from(rejection: JsonRejection) -> Self {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            return Self::too_large("The request is larger than this address takes.");
        }
        if is_too_slow(&rejection) {
            let message = "The request did not arrive in time. Send it again.";
            return Self::new(StatusCode::REQUEST_TIMEOUT, "too-slow", message);
        }
        Self::bad_request("invalid-body", rejection.body_text())
    }
}

/// Whether an error comes from a body that did not arrive in time.
fn is_too_slow(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<TooSlow>())
}

impl From<QueryRejection> for Error {
    fn from(rejection: QueryRejection) -> Self {
        Self::bad_request("invalid-query", rejection.body_text())
    }
}

impl From<PathRejection> for Error {
    fn from(rejection: PathRejection) -> Self {
        Self::bad_request("invalid-path", rejection.body_text())
    }
}
