//! Deleting one's own account.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::billing::Billing;
use crate::http::error::{Error, Problem};
use crate::http::session::User;
use crate::sign_in::SignIn;

/// Deletes the account with its proofs, claims and sessions, at once and for good. A subscription is cancelled
/// right after, or as soon as the payment provider answers.
#[utoipa::path(post, path = "/delete-account", tag = "functions",
    responses(
        (status = 200, description = "Deleted", body = Value),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn delete(
    State(sign_in): State<Arc<SignIn>>,
    State(billing): State<Arc<Billing>>,
    user: User,
) -> Result<Json<Value>, Error> {
    sign_in.delete_account(&user.id).await?;
    billing.soon();
    Ok(Json(json!({ "status": "ok" })))
}
