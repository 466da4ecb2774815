//! Where the payment provider reports what happened.

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::HeaderMap;
use serde_json::{Value, json};

use crate::billing::Billing;
use crate::http::error::{Error, Problem};

/// The largest event that is read, in bytes.
const MAX_EVENT: usize = 256 * 1024;

/// Takes a signed event. Anything but 200 makes the provider send it again later.
#[utoipa::path(post, path = "/stripe-webhook", tag = "functions",
    params(("stripe-signature" = String, Header, description = "t=…,v1=…")),
    request_body(content = Value, description = "An event, byte for byte as it was signed"),
    responses(
        (status = 200, description = "Dealt with", body = Value),
        (status = 400, description = "Not signed by the provider just now", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "Too long", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Send it again later", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn receive(
    State(billing): State<Arc<Billing>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Value>, Error> {
    let payload = to_bytes(body, MAX_EVENT)
        .await
        .map_err(|_| Error::too_large("The event is larger than 256 kB."))?;
    let signature = headers.get("stripe-signature");
    let signature = signature.and_then(|signature| signature.to_str().ok());
    billing.webhook(signature, &payload).await?;
    Ok(Json(json!({ "received": true })))
}
