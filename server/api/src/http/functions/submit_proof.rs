//! Submitting a file as a proof. This call keeps its own response body, because its `status` is a word (decisions, D3 and D10).

use std::sync::Arc;

use axum::extract::{FromRequest, Request, State};
use axum::response::{IntoResponse, Response};
use bitcoin::{OutPoint, ScriptBuf, Txid};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::client_address::ClientAddress;
use crate::http::error::Error;
use crate::http::extract::{Json, Object};
use crate::http::session::{Counted, Submit};
use crate::proof::{Proving, Submission};
use verify::UtxoHint;

mod answer;
pub mod outcomes;

use outcomes::SUBMISSIONS;

pub use answer::{SubmitAccepted, SubmitRefused, status_of};

/// What is sent.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SubmitRequest {
    /// The file in base64; stripped of what verification does not need, or as it is.
    #[serde(rename = "psbtBase64")]
    psbt_base64: String,
    /// What the client read from the file. Compared with the chain, never believed.
    #[serde(default)]
    #[schema(value_type = Vec<Utxo>)]
    utxos: Vec<Object<Utxo>>,
    /// Name of the file.
    file_name: String,
    /// Whether anyone may see and check the proof from now on: its coins are then tied to the name for ever, because copies cannot
    /// be deleted. For a file that is an active proof already, this publishes it. Only of proofs that carry the statement.
    #[serde(default)]
    publish: bool,
}

/// What the client read about one input.
#[derive(Debug, Deserialize, ToSchema)]
pub struct Utxo {
    /// Txid of the coin, hex.
    #[schema(value_type = String, pattern = "^[0-9a-fA-F]{64}$")]
    txid: Txid,
    /// Output index of the coin.
    vout: u32,
    /// Value in sats; 0 with an empty script means 'not stated'.
    #[serde(default)]
    value_sats: u64,
    /// scriptPubKey, hex.
    #[serde(default, rename = "scriptPubKey")]
    #[schema(value_type = String, pattern = "^([0-9a-fA-F]{2})*$")]
    script_pubkey: ScriptBuf,
}

/// Verifies a file and records it as a proof of the signed-in user.
#[utoipa::path(post, path = "/api/functions/v1/submit-proof", tag = "functions", security(("access-token" = [])), request_body = SubmitRequest,
    responses(
        (status = 200, description = "Verified", body = SubmitAccepted),
        (status = 400, description = "Not a file that can be read", body = SubmitRefused),
        (status = 401, description = "Not signed in", body = SubmitRefused),
        (status = 408, description = "The body did not arrive in time", body = SubmitRefused),
        (status = 409, description = "Another account has proven one of the coins", body = SubmitRefused),
        (status = 413, description = "Too large", body = SubmitRefused),
        (status = 422, description = "Not a proof", body = SubmitRefused),
        (status = 429, description = "Too many files were sent or refused; Retry-After says when to try again", body = SubmitRefused),
        (status = 503, description = "The chain cannot be asked; nothing was changed", body = SubmitRefused),
    ))]
pub async fn submit_proof(
    State(proving): State<Arc<Proving>>,
    ClientAddress(address): ClientAddress,
    user: Result<Counted<Submit>, Error>,
    request: Request,
) -> Response {
    let submitted: Result<SubmitAccepted, Error> = async {
        let Counted(user, ..) = user?;
        // Only now, so that bodies from clients that are not signed in or over the limit are never read.
        let Json(request) = Json::<SubmitRequest>::from_request(request, &()).await?;
        let outcome = proving.submit((&user.id, address), request.into()).await?;
        SubmitAccepted::new(outcome)
    }
    .await;
    let outcome = match &submitted {
        Ok(accepted) => accepted.status.into(),
        Err(error) => error.code,
    };
    metrics::counter!(SUBMISSIONS, "outcome" => outcome).increment(1);
    match submitted {
        Ok(accepted) => axum::Json(accepted).into_response(),
        Err(error) => answer::refuse(error),
    }
}

impl From<SubmitRequest> for Submission {
    fn from(request: SubmitRequest) -> Self {
        let hints = request.utxos.into_iter().map(|Object(utxo)| UtxoHint {
            outpoint: OutPoint::new(utxo.txid, utxo.vout),
            value_sats: utxo.value_sats,
            script_pubkey: utxo.script_pubkey,
        });
        Self {
            psbt_base64: request.psbt_base64,
            hints: hints.collect(),
            file_name: request.file_name,
            publish: request.publish,
        }
    }
}
