//! What submit-proof answers.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::error::Error;
use crate::proof::binding::amount::NotBound;
use crate::proof::binding::message::MessageError;
use crate::proof::{Outcome, SubmitError};
use crate::routes::rest::row::{btc, btc_text, iso};
use crate::store::claims::Recorded;

/// What came of it.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Status {
    Success,
    Reverified,
    AlreadyVerified,
    Conflict,
    Error,
}

/// The answer, whatever came of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubmitAnswer {
    status: Status,
    /// A sentence for the person.
    message: String,
    /// Stable kebab-case name of the rule, on errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    /// The input that is to blame, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<usize>,
    /// Why the file is not bound to the account, with the code `not-bound`.
    #[serde(flatten)]
    unbound: Option<Unbound>,
    /// What the file proves, and the user's new total.
    #[serde(flatten)]
    proven: Option<Proven>,
}

/// What would bind a file to the account.
#[derive(Debug, Serialize, ToSchema)]
struct Unbound {
    /// What the file lacks: `amount`, `own-script` or `own-outputs`.
    missing: &'static str,
    /// The output that is to blame, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<usize>,
    /// The account's challenge amount in sats.
    challenge_sats: u64,
}

/// What a file proves.
#[derive(Debug, Serialize, ToSchema)]
struct Proven {
    /// The file's coins in BTC, 8 decimals.
    #[schema(value_type = f64)]
    amount: Box<RawValue>,
    /// The file's coins in sats.
    amount_sats: i64,
    /// The user's total in BTC, 8 decimals.
    #[schema(value_type = f64)]
    total: Box<RawValue>,
    /// The user's total in sats.
    total_sats: i64,
    /// Until when the proof counts, RFC 3339.
    expires_at: String,
    /// How the proof is tied to the account: `amount`, `message` or `unbound`.
    binding: &'static str,
}

/// A status, a body, and when to try again, in seconds.
pub(super) struct Answer {
    http: StatusCode,
    body: SubmitAnswer,
    retry_after: Option<i64>,
}

impl Answer {
    fn new(http: StatusCode, status: Status, code: Option<&str>, message: String) -> Self {
        let body = SubmitAnswer {
            status,
            message,
            code: code.map(str::to_owned),
            input: None,
            unbound: None,
            proven: None,
        };
        Self {
            http,
            body,
            retry_after: None,
        }
    }

    fn error(http: StatusCode, code: &str, message: impl ToString) -> Self {
        Self::new(http, Status::Error, Some(code), message.to_string())
    }

    fn unprocessable(code: &str, message: impl ToString) -> Self {
        Self::error(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// What came of it in a word: the status, or the code of the rule that was broken.
    pub(super) fn outcome(&self) -> String {
        match (self.body.status, &self.body.code) {
            (Status::Error, Some(code)) => code.clone(),
            (Status::Error, None) => "error".to_owned(),
            (Status::Success, _) => "success".to_owned(),
            (Status::Reverified, _) => "reverified".to_owned(),
            (Status::AlreadyVerified, _) => "already-verified".to_owned(),
            (Status::Conflict, _) => "conflict".to_owned(),
        }
    }

    /// The answer for a file that passed every check.
    pub(super) fn of(outcome: &Outcome) -> Self {
        let amount = btc_text(outcome.amount_sats);
        let (status, message, total_sats) = match outcome.recorded {
            Recorded::Verified { total_sats } => (
                Status::Success,
                format!("Your proof of {amount} BTC is verified."),
                total_sats,
            ),
            Recorded::Reverified { total_sats } => (
                Status::Reverified,
                format!("Your proof of {amount} BTC is refreshed."),
                total_sats,
            ),
            Recorded::AlreadyVerified { total_sats, .. } => (
                Status::AlreadyVerified,
                format!("This file is already your active proof of {amount} BTC."),
                total_sats,
            ),
            // Names no outpoint, so that nobody can probe who holds what.
            Recorded::Conflict => {
                return Self::new(
                    StatusCode::CONFLICT,
                    Status::Conflict,
                    Some("conflict"),
                    "Conflict detected.".to_owned(),
                );
            }
            Recorded::Replayed => {
                return Self::unprocessable(
                    "already-used",
                    "This transaction has been used as a proof before, and works only once. Make and sign a new one in your wallet.",
                );
            }
            Recorded::MessageSpent => return MessageError::Spent.into(),
        };
        let mut answer = Self::new(StatusCode::OK, status, None, message);
        answer.body.proven = Some(Proven {
            amount: btc(outcome.amount_sats),
            amount_sats: outcome.amount_sats,
            total: btc(total_sats),
            total_sats,
            expires_at: iso(outcome.expires_at),
            binding: outcome.binding.as_str(),
        });
        answer
    }
}

impl From<Error> for Answer {
    fn from(error: Error) -> Self {
        error.log();
        let (http, code) = error.status();
        let retry_after = error.retry_after();
        let mut answer = Self::error(http, code, error);
        answer.retry_after = retry_after;
        answer
    }
}

impl From<MessageError> for Answer {
    fn from(error: MessageError) -> Self {
        Self::unprocessable(error.code(), error)
    }
}

impl From<NotBound> for Answer {
    fn from(error: NotBound) -> Self {
        let mut answer = Self::unprocessable("not-bound", error);
        answer.body.unbound = Some(Unbound {
            missing: error.missing.code(),
            output: error.missing.output(),
            challenge_sats: error.amount.to_sat(),
        });
        answer
    }
}

impl From<SubmitError> for Answer {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Refused(refusal) => {
                let mut answer = Self::error(refusal.status(), refusal.code(), &refusal);
                answer.body.input = refusal.input();
                answer
            }
            SubmitError::NotBound(error) => error.into(),
            SubmitError::Message(error) => error.into(),
            SubmitError::TooMany(error) => {
                let http = StatusCode::TOO_MANY_REQUESTS;
                let mut answer = Self::error(http, "too-many-attempts", error);
                answer.retry_after = Some(error.retry_after);
                answer
            }
            SubmitError::NoAccount => Error::signed_out().into(),
            SubmitError::Chain(error) => Error::from(error).into(),
            SubmitError::Database(error) => Error::from(error).into(),
        }
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = (self.http, Json(self.body)).into_response();
        if let Some(seconds) = self.retry_after {
            let value = HeaderValue::from(seconds);
            response.headers_mut().insert(header::RETRY_AFTER, value);
        }
        response
    }
}
