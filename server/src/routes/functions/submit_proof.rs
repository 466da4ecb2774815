//! Submitting a file as a proof. This call keeps its own answer shape, because its `status` is a
//! word (decisions, D3 and D10).

use std::net::IpAddr;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::{IntoResponse, Response};
use bitcoin::{OutPoint, ScriptBuf, Txid};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::auth::session::User;
use crate::client_address::ClientAddress;
use crate::error::Error;
use crate::proof::{Sender, Submission, submit as submit_file};
use crate::rate_limit;
use crate::state::AppState;
use crate::verify::UtxoHint;

mod answer;

use answer::Answer;
pub use answer::SubmitAnswer;

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

/// Verifies a file and records it as a proof of the signed-in user.
#[utoipa::path(post, path = "/submit-proof", tag = "functions", request_body = SubmitRequest,
    responses(
        (status = 200, description = "Verified", body = SubmitAnswer),
        (status = 400, description = "Not a file that can be read", body = SubmitAnswer),
        (status = 401, description = "Not signed in", body = SubmitAnswer),
        (status = 409, description = "Somebody else proved one of the coins", body = SubmitAnswer),
        (status = 413, description = "Too large", body = SubmitAnswer),
        (status = 422, description = "Not a proof", body = SubmitAnswer),
        (status = 429, description = "Too many files were sent or refused; Retry-After says when to try again", body = SubmitAnswer),
        (status = 503, description = "The chain cannot be asked; nothing was changed", body = SubmitAnswer),
    ))]
pub async fn submit(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    user: Result<User, Error>,
    body: Result<Json<SubmitRequest>, JsonRejection>,
) -> Response {
    let (Ok(answer) | Err(answer)) = try_submit(&state, address, user, body).await;
    metrics::counter!("submissions_total", "outcome" => answer.outcome()).increment(1);
    answer.into_response()
}

async fn try_submit(
    state: &AppState,
    address: Option<IpAddr>,
    user: Result<User, Error>,
    body: Result<Json<SubmitRequest>, JsonRejection>,
) -> Result<Answer, Answer> {
    let sender = Sender {
        user_id: user?.id,
        address,
    };
    let (account, now) = (sender.user_id.as_bytes(), state.clock.now());
    let limits = &state.rate_limits;
    limits
        .admit(&state.store, rate_limit::SUBMIT, account, now)
        .await?;
    let Json(request) = body.map_err(Error::from)?;
    let hints = request.utxos.into_iter().map(UtxoHint::from).collect();
    let submission = Submission {
        psbt_base64: request.psbt_base64,
        hints,
        file_name: request.file_name,
    };
    let outcome = submit_file(state, &sender, submission).await?;
    Ok(Answer::of(&outcome))
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
