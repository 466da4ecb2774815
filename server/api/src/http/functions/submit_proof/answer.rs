//! The responses of submit-proof.

use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::error::Error;
use crate::proof::{Outcome, SubmitError};
use board_log::units::{btc_text, iso};
use store::claims::Recorded;
use store::values::Btc;
use verify::Refusal;

/// How a file was recorded.
#[derive(Clone, Copy, Debug, Serialize, ToSchema, strum::IntoStaticStr, strum::VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Acceptance {
    Success,
    Reverified,
    AlreadyVerified,
}

impl Acceptance {
    fn message(self, amount: &str) -> String {
        match self {
            Self::Success => format!("Your proof of {amount} BTC is verified."),
            Self::Reverified => format!("Your proof of {amount} BTC is refreshed."),
            Self::AlreadyVerified => {
                format!("This file is already your active proof of {amount} BTC.")
            }
        }
    }
}

/// The response for a file that is a proof: what it proves, and the user's new total.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubmitAccepted {
    pub(super) status: Acceptance,
    /// A sentence for the user.
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
    /// Whether anyone may see and check it.
    published: bool,
}

/// The response for every other file.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubmitRefused {
    #[schema(pattern = "^(conflict|error)$")]
    status: &'static str,
    /// A sentence for the user.
    message: String,
    /// Stable kebab-case name of the rule.
    code: &'static str,
    /// The input that is to blame, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<usize>,
}

/// For a user whose coins another account has proven; they may have been tricked into signing for it (rule C9).
const CONFLICT: &str = "Conflict detected. If that account is yours, use it or delete it. If not, move these coins to a new address of yours: the other proof ends with the block that has the payment, and then you can verify them here.";

/// Coins never move to an older date.
const OLDER: &str = "You have already proven one of these coins with a newer statement. Make a new file with the statement that the upload page shows now, and sign that one.";

impl SubmitAccepted {
    /// The response for a file that passed every check.
    pub(super) fn new(outcome: Outcome) -> Result<Self, Error> {
        let Outcome {
            recorded,
            proof,
            next_line,
        } = outcome;
        let (status, total_sats) = match &recorded {
            Recorded::Verified { total_sats } => (Acceptance::Success, *total_sats),
            Recorded::Reverified { total_sats } => (Acceptance::Reverified, *total_sats),
            Recorded::AlreadyVerified(active) => (Acceptance::AlreadyVerified, active.total_sats),
            // Names no outpoint, so that nobody can probe who holds what.
            Recorded::Conflict => return Err(Error::conflict("conflict", CONFLICT)),
            Recorded::Replayed => {
                let message = format!(
                    "This transaction was used as a proof before, and works only once. Make and sign a new one. If the same coins make the same transaction again, wait until {next_line}: your line changes then."
                );
                return Err(Error::unprocessable("already-used", message));
            }
            Recorded::Older => return Err(Error::unprocessable("older-statement", OLDER)),
        };
        let amount_sats = proof.amount_sats();
        let published = proof.publication.is_some();
        let (proof_id, published, expires_at, binding) = match recorded {
            Recorded::AlreadyVerified(it) => (it.id, it.published, it.expires_at, it.binding),
            _ => (proof.id, published, proof.expires_at, proof.binding),
        };
        Ok(Self {
            status,
            message: status.message(&btc_text(amount_sats)),
            amount: Btc(amount_sats),
            amount_sats,
            total: Btc(total_sats),
            total_sats,
            expires_at: iso(expires_at),
            binding: binding.as_str(),
            proof_id,
            published,
        })
    }
}

impl From<SubmitError> for Error {
    fn from(error: SubmitError) -> Self {
        let message = error.to_string();
        match error {
            SubmitError::Refused(refusal) => {
                let error = Self::new(status_of(&refusal), refusal.code(), message);
                error.at_input(refusal.input())
            }
            SubmitError::NotBound(error) => Self::unprocessable(error.into(), message),
            SubmitError::NotPublishable(error) => Self::unprocessable(error.into(), message),
            SubmitError::TooMany { retry_after } => {
                let (http, code) = (StatusCode::TOO_MANY_REQUESTS, "too-many-attempts");
                Self::new(http, code, message).retry_after(retry_after)
            }
            SubmitError::NoAccount => Self::signed_out(),
            SubmitError::Chain(error) => error.into(),
            SubmitError::UnknownCoin { input } => {
                Self::unavailable("coin-unknown", message).at_input(Some(input))
            }
            SubmitError::Busy(error) => error.into(),
            SubmitError::Database(error) => error.into(),
        }
    }
}

/// The response for a file that was not recorded.
pub(super) fn refuse(error: Error) -> Response {
    error.record_cause();
    let status = match error.code {
        "conflict" => "conflict",
        _ => "error",
    };
    let retry_after = error.retry_after;
    let retry_after = retry_after.map(|seconds| (header::RETRY_AFTER, seconds.into()));
    let body = SubmitRefused {
        status,
        message: error.message,
        code: error.code,
        input: error.input,
    };
    (error.status, HeaderMap::from_iter(retry_after), Json(body)).into_response()
}

/// 400 for a file that cannot be read, 413 for one that is too large, 422 for one that is no proof.
pub fn status_of(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::File(psbt_wasm::Error::FileTooLarge)
        | Refusal::TooManyInputs { .. }
        | Refusal::TooHeavy { .. }
        | Refusal::TooComplex
        | Refusal::ScriptTooComplex { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        Refusal::File(_) | Refusal::Extension | Refusal::UnknownHint => StatusCode::BAD_REQUEST,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}
