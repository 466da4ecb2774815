//! What binds a proof to the signed-in user (decisions, D4): an amount to pay, or a message to sign.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::board::units::{btc, iso};
use crate::http::error::{Error, Problem};
use crate::http::session::User;
use crate::proof::Proving;
use crate::store::Store;

/// Two ways to bind a proof; one is enough.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProofChallenge {
    /// The amount to send to an address that is spent from, in sats.
    #[schema(example = 54_321)]
    amount_sats: u64,
    /// The same in BTC, 8 decimals.
    #[schema(value_type = f64)]
    amount: Box<RawValue>,
    /// The amount of the period before, while it is still accepted: for 24 hours after a change.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_amount_sats: Option<u64>,
    /// When the amount changes, RFC 3339.
    changes_at: String,
    /// `required`: a file that is not bound is refused. `optional`: it is shown as unbound.
    binding: &'static str,
    /// The message to sign as a BIP-322 proof of funds, exactly as it is, with its line ends. It
    /// works once.
    #[schema(
        example = "Proof of Reserves\nServer: https://reserves.example\nAccount: 8a4f…\nNonce: 3d1c…"
    )]
    message: String,
    /// Until when the message can be used, RFC 3339.
    message_expires_at: String,
}

/// The signed-in user's challenge.
///
/// Every call makes a new message; messages made before stay good until their own time.
///
/// # Errors
/// 401 when nobody is signed in.
#[utoipa::path(get, path = "/proof-challenge", tag = "functions",
    responses(
        (status = 200, description = "The challenge", body = ProofChallenge),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn read(
    State(proving): State<Arc<Proving>>,
    State(store): State<Store>,
    user: User,
) -> Result<Json<ProofChallenge>, Error> {
    let account = store.profile(&user.id).await?;
    let account = account.ok_or_else(Error::signed_out)?;
    let challenge = proving.challenge(&account.provider, &account.subject);
    let (message, message_expires_at) = proving.issue_message(&account.id).await?;
    let amount_sats = challenge.amount.to_sat();
    Ok(Json(ProofChallenge {
        amount_sats,
        amount: btc(i64::try_from(amount_sats).unwrap_or(i64::MAX)),
        previous_amount_sats: challenge.previous.map(bitcoin::Amount::to_sat),
        changes_at: iso(challenge.changes_at),
        binding: proving.binding().as_str(),
        message,
        message_expires_at: iso(message_expires_at),
    }))
}
