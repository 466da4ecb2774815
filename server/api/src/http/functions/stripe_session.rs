//! Starting a purchase.

use std::sync::Arc;

use axum::Json as JsonAnswer;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::billing::Billing;
use crate::http::error::{Error, Problem};
use crate::http::extract::Json;
use crate::http::session::User;
use crate::limits::{CHECKOUT, RateLimits};

/// Who wants to buy. The session decides who that is; these fields are what the specification's client sends.
#[derive(Debug, Deserialize, ToSchema)]
pub struct StripeSessionRequest {
    /// One's own id.
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
#[utoipa::path(post, path = "/create-stripe-session", tag = "functions", request_body = StripeSessionRequest,
    responses(
        (status = 200, description = "Where to pay", body = StripeSession),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
        (status = 403, description = "Somebody else's id", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "Already premium, or a payment is under way", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many attempts", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "No payment provider", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn create(
    State(billing): State<Arc<Billing>>,
    State(limits): State<Arc<RateLimits>>,
    user: User,
    Json(request): Json<StripeSessionRequest>,
) -> Result<JsonAnswer<StripeSession>, Error> {
    if request.user_id.is_some_and(|id| id != user.id) {
        return Err(Error::forbidden(
            "You can buy a plan for your own account only.",
        ));
    }
    limits.admit(CHECKOUT, user.id.as_bytes()).await?;
    let url = billing.checkout(&user.id).await?;
    Ok(JsonAnswer(StripeSession { url }))
}
