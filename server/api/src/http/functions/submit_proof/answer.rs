//! What submit-proof answers.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::refusal::status_of;
use crate::http::error::Error;
use crate::proof::{Outcome, SubmitError};
use board_log::units::{btc, btc_text, day, iso};
use store::claims::Recorded;
use verify::binding::NotBound;

/// The answer, whatever came of it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum SubmitAnswer {
    Accepted(SubmitAccepted),
    Refused(SubmitRefused),
}

/// In which way a file is a proof.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Acceptance {
    Success,
    Reverified,
    AlreadyVerified,
}

/// The answer for a file that is a proof: what it proves, and the user's new total.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubmitAccepted {
    status: Acceptance,
    /// A sentence for the person.
    message: String,
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
    /// How the proof is tied to the account: `message`, `transaction` or `unbound`.
    binding: &'static str,
    /// The proof's id.
    proof_id: String,
    /// Whether anybody may see and check it.
    published: bool,
}

/// In which way a file is no proof.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Refusal {
    Conflict,
    Error,
}

/// The answer for every other file.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubmitRefused {
    status: Refusal,
    /// A sentence for the person.
    message: String,
    /// Stable kebab-case name of the rule.
    code: String,
    /// The input that is to blame, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<usize>,
}

/// What a person is told whose coins another account has proven, and may have been tricked into signing for it (rule C9).
const CONFLICT: &str = "Conflict detected. If the other account is yours too, go on there. If you did not sign for another account, move these coins to a new address of yours: the other proof ends with the block that has the payment, and then you can prove them here.";

/// A status, a body, and when to try again, in seconds.
pub(super) struct Answer {
    http: StatusCode,
    body: SubmitAnswer,
    retry_after: Option<i64>,
}

impl Answer {
    fn refused(http: StatusCode, refused: SubmitRefused) -> Self {
        Self {
            http,
            body: SubmitAnswer::Refused(refused),
            retry_after: None,
        }
    }

    fn error(http: StatusCode, code: &str, message: impl ToString) -> Self {
        Self::refused(http, SubmitRefused::new(Refusal::Error, code, message))
    }

    fn unprocessable(code: &str, message: impl ToString) -> Self {
        Self::error(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// What came of it in a word: the status, or the code of the rule that was broken.
    pub(super) fn outcome(&self) -> String {
        let accepted = match &self.body {
            SubmitAnswer::Accepted(accepted) => accepted.status,
            SubmitAnswer::Refused(refused) => return refused.code.clone(),
        };
        match accepted {
            Acceptance::Success => "success",
            Acceptance::Reverified => "reverified",
            Acceptance::AlreadyVerified => "already-verified",
        }
        .to_owned()
    }

    /// The answer for a file that passed every check.
    pub(super) fn of(outcome: &Outcome) -> Self {
        let amount = btc_text(outcome.amount_sats);
        let (status, message, total_sats) = match outcome.recorded {
            Recorded::Verified { total_sats } => (
                Acceptance::Success,
                format!("Your proof of {amount} BTC is verified."),
                total_sats,
            ),
            Recorded::Reverified { total_sats } => (
                Acceptance::Reverified,
                format!("Your proof of {amount} BTC is refreshed."),
                total_sats,
            ),
            Recorded::AlreadyVerified { total_sats, .. } => (
                Acceptance::AlreadyVerified,
                format!("This file is already your active proof of {amount} BTC."),
                total_sats,
            ),
            // Names no outpoint, so that nobody can probe who holds what.
            Recorded::Conflict => {
                let refused = SubmitRefused::new(Refusal::Conflict, "conflict", CONFLICT);
                return Self::refused(StatusCode::CONFLICT, refused);
            }
            Recorded::Replayed => {
                let day = day(outcome.next_line);
                return Self::unprocessable(
                    "already-used",
                    format!(
                        "This transaction was used as a proof before, and works only once. Make and sign a new one. If the same coins make the same transaction again, wait until {day}: your line changes on that day."
                    ),
                );
            }
        };
        let body = SubmitAnswer::Accepted(SubmitAccepted {
            status,
            message,
            amount: btc(outcome.amount_sats),
            amount_sats: outcome.amount_sats,
            total: btc(total_sats),
            total_sats,
            expires_at: iso(outcome.expires_at),
            binding: outcome.binding.as_str(),
            proof_id: outcome.proof_id.clone(),
            published: outcome.published,
        });
        Self {
            http: StatusCode::OK,
            body,
            retry_after: None,
        }
    }
}

impl SubmitRefused {
    fn new(status: Refusal, code: &str, message: impl ToString) -> Self {
        Self {
            status,
            message: message.to_string(),
            code: code.to_owned(),
            input: None,
        }
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

impl From<NotBound> for Answer {
    fn from(error: NotBound) -> Self {
        Self::unprocessable(error.code(), error)
    }
}

impl From<SubmitError> for Answer {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Refused(refusal) => {
                let refused = SubmitRefused::new(Refusal::Error, refusal.code(), &refusal);
                let input = refusal.input();
                Self::refused(status_of(&refusal), SubmitRefused { input, ..refused })
            }
            SubmitError::NotBound(error) => error.into(),
            SubmitError::NotPublishable(error) => Self::unprocessable(error.code(), error),
            SubmitError::TooMany(error) => {
                let http = StatusCode::TOO_MANY_REQUESTS;
                let mut answer = Self::error(http, "too-many-attempts", error);
                answer.retry_after = Some(error.retry_after);
                answer
            }
            SubmitError::NoAccount => Error::signed_out().into(),
            SubmitError::Chain(error) => Error::from(error).into(),
            SubmitError::UnknownCoin { input } => {
                let refused = SubmitRefused::new(Refusal::Error, "coin-unknown", &error);
                let input = Some(input);
                let http = StatusCode::SERVICE_UNAVAILABLE;
                Self::refused(http, SubmitRefused { input, ..refused })
            }
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
