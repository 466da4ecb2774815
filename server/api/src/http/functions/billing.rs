//! Buying a plan, and what the payment provider reports about it.

use std::sync::Arc;

use axum::Json as JsonResponse;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::billing::Billing;
use crate::http::error::Error;
use crate::http::extract::Json;
use crate::http::session::{Checkout, Counted};

/// The buyer. The session decides who that is; the specification's client sends these fields.
#[derive(Debug, Deserialize, ToSchema)]
pub struct StripeSessionRequest {
    /// The user's own id.
    #[serde(default)]
    user_id: Option<String>,
    /// Not read: the provider asks for the address that bills go to.
    #[serde(default, rename = "email")]
    _email: Option<String>,
}

/// Where to go next.
#[derive(Debug, Serialize, ToSchema)]
pub struct StripeSession {
    /// The payment page of the provider.
    url: String,
}

/// A checkout with the payment provider.
#[utoipa::path(post, path = "/api/functions/v1/create-stripe-session", tag = "functions", security(("access-token" = [])), request_body = StripeSessionRequest,
    responses(
        (status = 200, description = "Where to pay", body = StripeSession),
        (status = 403, description = "The id of another user"),
        (status = 409, description = "Already premium, or a payment is under way"),
    ))]
pub async fn create_stripe_session(
    State(billing): State<Arc<Billing>>,
    Counted(user, ..): Counted<Checkout>,
    Json(request): Json<StripeSessionRequest>,
) -> Result<JsonResponse<StripeSession>, Error> {
    if request.user_id.is_some_and(|id| id != user.id) {
        let message = "You can buy a plan for your own account only.";
        return Err(Error::forbidden(message));
    }
    let url = billing.checkout(&user.id).await?;
    Ok(JsonResponse(StripeSession { url }))
}

/// The largest event that is read, in bytes.
const MAX_EVENT: usize = 256 * 1024;

/// Takes a signed event. Anything but 200 makes the provider send it again later.
#[utoipa::path(post, path = "/api/functions/v1/stripe-webhook", tag = "functions",
    params(("stripe-signature" = String, Header, description = "t=…,v1=…")),
    request_body(content = Value, description = "An event, byte for byte as it was signed"),
    responses(
        (status = 200, description = "Dealt with", body = Value),
        (status = 400, description = "Not signed by the provider just now"),
        (status = 413, description = "Too long"),
    ))]
pub async fn receive_stripe_event(
    State(billing): State<Arc<Billing>>,
    headers: HeaderMap,
    body: Body,
) -> Result<JsonResponse<Value>, Error> {
    let too_large = |_| Error::too_large("The event is larger than 256 kB.");
    let payload = to_bytes(body, MAX_EVENT).await.map_err(too_large)?;
    let signature = headers.get("stripe-signature");
    let signature = signature.and_then(|signature| signature.to_str().ok());
    billing.webhook(signature, &payload).await?;
    Ok(JsonResponse(json!({ "received": true })))
}
