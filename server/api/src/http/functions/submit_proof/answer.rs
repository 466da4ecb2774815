//! What submit-proof answers.

use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::error::Error;
use crate::http::rest::row::Btc;
use crate::proof::{Outcome, SubmitError};
use board_log::units::{btc_text, iso};
use store::claims::Recorded;
use verify::Refusal as FileRefusal;

/// In which way a file is a proof.
#[derive(Clone, Copy, Debug, Serialize, ToSchema, strum::IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
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
    amount: Btc,
    /// The file's coins in sats.
    amount_sats: i64,
    /// The user's total in BTC, 8 decimals.
    total: Btc,
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
    code: &'static str,
    /// The input that is to blame, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<usize>,
}

/// What a person is told whose coins another account has proven, and may have been tricked into signing for it (rule C9).
const CONFLICT: &str = "Conflict detected. If the other account is yours too, go on there. If you did not sign for another account, move these coins to a new address of yours: the other proof ends with the block that has the payment, and then you can prove them here.";

/// Coins never move to an older date.
const OLDER: &str = "You have already proven one of these coins with a newer statement. Make a new file with the statement that the upload page shows now, and sign that one.";

/// Why a file is not recorded, and the input that is to blame.
pub(super) struct Refused {
    pub error: Error,
    input: Option<usize>,
}

impl SubmitAccepted {
    /// How the proof was recorded, in a word.
    pub(super) fn outcome(&self) -> &'static str {
        self.status.into()
    }

    /// The answer for a file that passed every check.
    pub(super) fn of(outcome: &Outcome) -> Result<Self, Refused> {
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
            Recorded::Conflict => return Err(Error::conflict("conflict", CONFLICT).into()),
            Recorded::Replayed => {
                let next = outcome.next_line;
                let message = format!(
                    "This transaction was used as a proof before, and works only once. Make and sign a new one. If the same coins make the same transaction again, wait until {next}: your line changes then."
                );
                return Err(unprocessable("already-used", message));
            }
            Recorded::Older => return Err(unprocessable("older-statement", OLDER)),
        };
        Ok(Self {
            status,
            message,
            amount: Btc(outcome.amount_sats),
            amount_sats: outcome.amount_sats,
            total: Btc(total_sats),
            total_sats,
            expires_at: iso(outcome.expires_at),
            binding: outcome.binding.as_str(),
            proof_id: outcome.proof_id.clone(),
            published: outcome.published,
        })
    }
}

fn unprocessable(code: &'static str, message: impl ToString) -> Refused {
    Error::new(StatusCode::UNPROCESSABLE_ENTITY, code, message.to_string()).into()
}

impl<E: Into<Error>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self {
            error: error.into(),
            input: None,
        }
    }
}

impl From<SubmitError> for Refused {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Refused(refusal) => Self {
                error: Error::new(status_of(&refusal), refusal.code(), refusal.to_string()),
                input: refusal.input(),
            },
            SubmitError::NotBound(error) => unprocessable(error.code(), error),
            SubmitError::NotPublishable(error) => unprocessable(error.code(), error),
            SubmitError::TooMany(error) => {
                let (http, code) = (StatusCode::TOO_MANY_REQUESTS, "too-many-attempts");
                let refused = Error::new(http, code, error.to_string());
                refused.retry_after(error.retry_after).into()
            }
            SubmitError::NoAccount => Error::signed_out().into(),
            SubmitError::Chain(error) => error.into(),
            SubmitError::UnknownCoin { input } => Self {
                error: Error::unavailable("coin-unknown", error.to_string()),
                input: Some(input),
            },
            SubmitError::Database(error) => error.into(),
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        self.error.log();
        let Error {
            status,
            code,
            message,
            retry_after,
            ..
        } = self.error;
        let body = SubmitRefused {
            status: if code == "conflict" {
                Refusal::Conflict
            } else {
                Refusal::Error
            },
            message,
            code,
            input: self.input,
        };
        let retry_after = retry_after.map(|seconds| (header::RETRY_AFTER, seconds.into()));
        let headers = HeaderMap::from_iter(retry_after);
        (status, headers, Json(body)).into_response()
    }
}

/// 400 for a file that cannot be read, 413 for one that is too large, 422 for one that is no proof.
#[must_use]
pub fn status_of(refusal: &FileRefusal) -> StatusCode {
    match refusal {
        FileRefusal::File(psbt_wasm::Error::FileTooLarge)
        | FileRefusal::TooManyInputs { .. }
        | FileRefusal::TooHeavy { .. }
        | FileRefusal::TooComplex
        | FileRefusal::ScriptTooComplex { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        FileRefusal::File(_) | FileRefusal::Extension | FileRefusal::UnknownHint => {
            StatusCode::BAD_REQUEST
        }
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}
