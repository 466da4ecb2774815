//! What the errors of other rooms, and of requests that cannot be read, are to whoever has asked.

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::StatusCode;

use super::{Error, note_cause};
use crate::billing::BillingError;
use crate::board::BoardError;
use crate::development::SignError;
use crate::http::connections::TooSlow;
use chain::ChainError;
use store::trouble;

/// An account that is deleted while somebody uses it is as one that was deleted before.
impl From<sqlx::Error> for Error {
    fn from(cause: sqlx::Error) -> Self {
        if trouble::is_account_gone(&cause) {
            Self::signed_out()
        } else if trouble::is_away(&cause) {
            Self::DatabaseAway(cause)
        } else {
            Self::Database(cause)
        }
    }
}

impl From<BoardError> for Error {
    fn from(cause: BoardError) -> Self {
        match cause {
            BoardError::Unread => Self::Unavailable {
                code: "board-not-read",
                message: "The board is being read. Try again in a moment.".to_owned(),
            },
            BoardError::Database(cause) => cause.into(),
        }
    }
}

impl From<ChainError> for Error {
    fn from(cause: ChainError) -> Self {
        note_cause(&cause);
        if let Some(behind) = cause.behind() {
            return Self::Unavailable {
                code: behind.code(),
                message: format!(
                    "{} Nothing was changed. Try again later.",
                    behind.sentence()
                ),
            };
        }
        Self::Unavailable {
            code: "chain-unavailable",
            message: "The Bitcoin network cannot be asked right now, so nothing was changed. Try again in a minute.".to_owned(),
        }
    }
}

impl From<BillingError> for Error {
    fn from(cause: BillingError) -> Self {
        let sentence = cause.to_string();
        match cause {
            BillingError::NoAccount => Self::signed_out(),
            BillingError::AlreadyPremium => Self::Conflict {
                code: "already-premium",
                message: sentence,
            },
            BillingError::Pending => Self::Conflict {
                code: "payment-pending",
                message: sentence,
            },
            BillingError::Signature(_) => Self::bad_request("invalid-signature", sentence),
            BillingError::NoEvent => Self::bad_request("invalid-body", sentence),
            BillingError::OtherMode => Self::bad_request("wrong-mode", sentence),
            BillingError::NothingSold | BillingError::Provider(_) | BillingError::Busy => {
                note_cause(&cause);
                // Buyers are told this whatever the trouble is (specification, section 7).
                Self::Unavailable {
                    code: "payment-unavailable",
                    message: "Stripe session error".to_owned(),
                }
            }
            BillingError::Database(cause) => cause.into(),
        }
    }
}

impl From<SignError> for Error {
    fn from(cause: SignError) -> Self {
        let code = match cause {
            SignError::Unusable(_) => "invalid-psbt",
            SignError::NotOurs { .. } => "other-coins",
        };
        Self::bad_request(code, cause.to_string())
    }
}

impl From<JsonRejection> for Error {
    fn from(rejection: JsonRejection) -> Self {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            return Self::TooLarge("The request is larger than this address takes.".to_owned());
        }
        if is_too_slow(&rejection) {
            return Self::TooSlow;
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
