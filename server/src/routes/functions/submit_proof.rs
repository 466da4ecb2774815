//! Submitting a file as a proof. This call keeps its own answer shape, because its `status` is a
//! word (decisions, D3 and D10).

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use bitcoin::{OutPoint, ScriptBuf, Txid};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::auth::session::User;
use crate::error::Error;
use crate::proof::{Outcome, Submission, SubmitError, submit as submit_file};
use crate::routes::rest::row::{btc, btc_text, iso};
use crate::state::AppState;
use crate::store::claims::Recorded;
use crate::verify::{Refusal, UtxoHint};

/// What is sent.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SubmitRequest {
    /// The file in base64; stripped of what verification does not need, or as it is.
    #[serde(rename = "psbtBase64")]
    psbt_base64: String,
    /// What the client read from the file. Compared with the chain, never believed.
    #[serde(default)]
    utxos: Vec<Utxo>,
    /// Name of the file.
    file_name: String,
}

/// What the client read about one input.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Utxo {
    /// Txid of the coin, hex.
    #[schema(value_type = String)]
    txid: Txid,
    /// Output index of the coin.
    vout: u32,
    /// Value in sats; 0 with an empty script means 'not stated'.
    #[serde(default)]
    value_sats: u64,
    /// scriptPubKey, hex.
    #[serde(default, rename = "scriptPubKey")]
    #[schema(value_type = String)]
    script_pubkey: ScriptBuf,
}

/// What came of it.
#[derive(Debug, Serialize, ToSchema)]
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
    /// What the file proves, and the user's new total.
    #[serde(flatten)]
    proven: Option<Proven>,
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
}

/// Verifies a file and records it as a proof of the signed-in user.
#[utoipa::path(post, path = "/submit-proof", tag = "functions", request_body = SubmitRequest,
    responses(
        (status = 200, description = "Verified", body = SubmitAnswer),
        (status = 400, description = "Not a file that can be read", body = SubmitAnswer),
        (status = 401, description = "Not signed in", body = SubmitAnswer),
        (status = 409, description = "Somebody else proved one of the coins", body = SubmitAnswer),
        (status = 413, description = "Too large", body = SubmitAnswer),
        (status = 422, description = "Not a proof", body = SubmitAnswer),
        (status = 503, description = "The chain cannot be asked; nothing was changed", body = SubmitAnswer),
    ))]
pub async fn submit(
    State(state): State<AppState>,
    user: Result<User, Error>,
    body: Result<Json<SubmitRequest>, JsonRejection>,
) -> Response {
    match try_submit(&state, user, body).await {
        Ok(outcome) => accepted(&outcome),
        Err(failure) => failure.into_response(),
    }
}

async fn try_submit(
    state: &AppState,
    user: Result<User, Error>,
    body: Result<Json<SubmitRequest>, JsonRejection>,
) -> Result<Outcome, Failure> {
    let user = user?;
    let Json(request) = body.map_err(Error::from)?;
    let hints = request.utxos.into_iter().map(UtxoHint::from).collect();
    let submission = Submission {
        psbt_base64: request.psbt_base64,
        hints,
        file_name: request.file_name,
    };
    Ok(submit_file(state, &user.id, submission).await?)
}

impl From<Utxo> for UtxoHint {
    fn from(utxo: Utxo) -> Self {
        Self {
            outpoint: OutPoint::new(utxo.txid, utxo.vout),
            value_sats: utxo.value_sats,
            script_pubkey: utxo.script_pubkey,
        }
    }
}

/// Why nothing was recorded: a rule of ours, or anything that can go wrong with any request.
enum Failure {
    Refused(Refusal),
    Other(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

impl From<SubmitError> for Failure {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Refused(refusal) => Self::Refused(refusal),
            SubmitError::Chain(error) => Self::Other(error.into()),
            SubmitError::Database(error) => Self::Other(error.into()),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, code, input, message) = match &self {
            Self::Refused(refusal) => (
                refusal.status(),
                refusal.code(),
                refusal.input(),
                refusal.to_string(),
            ),
            Self::Other(error) => {
                error.log();
                let (status, code) = error.status();
                (status, code, None, error.to_string())
            }
        };
        let answer = SubmitAnswer {
            status: Status::Error,
            message,
            code: Some(code.to_owned()),
            input,
            proven: None,
        };
        (status, Json(answer)).into_response()
    }
}

fn accepted(outcome: &Outcome) -> Response {
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
        Recorded::Conflict => return conflict(),
        Recorded::Replayed => return replayed(),
    };
    let answer = SubmitAnswer {
        status,
        message,
        code: None,
        input: None,
        proven: Some(Proven {
            amount: btc(outcome.amount_sats),
            amount_sats: outcome.amount_sats,
            total: btc(total_sats),
            total_sats,
            expires_at: iso(outcome.expires_at),
        }),
    };
    Json(answer).into_response()
}

/// Names no outpoint, so that nobody can probe who holds what.
fn conflict() -> Response {
    let answer = SubmitAnswer {
        status: Status::Conflict,
        message: "Conflict detected.".to_owned(),
        code: Some("conflict".to_owned()),
        input: None,
        proven: None,
    };
    (StatusCode::CONFLICT, Json(answer)).into_response()
}

fn replayed() -> Response {
    let answer = SubmitAnswer {
        status: Status::Error,
        message: "This transaction has been used as a proof before, and works only once. Make and sign a new one in your wallet.".to_owned(),
        code: Some("already-used".to_owned()),
        input: None,
        proven: None,
    };
    (StatusCode::UNPROCESSABLE_ENTITY, Json(answer)).into_response()
}
