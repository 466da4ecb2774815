//! Deleting one's own account.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::auth::session::User;
use crate::billing::upkeep;
use crate::error::{Error, Problem};
use crate::state::AppState;

/// Deletes the account with its proofs, claims and sessions, at once and for good. A subscription is cancelled
/// right after, or as soon as the payment provider answers.
///
/// # Errors
/// 401 when nobody is signed in.
#[utoipa::path(post, path = "/delete-account", tag = "functions",
    responses(
        (status = 200, description = "Deleted", body = Value),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn delete(State(state): State<AppState>, user: User) -> Result<Json<Value>, Error> {
    state.store.delete_profile(&user.id).await?;
    state.live.changed();
    upkeep::soon(&state);
    Ok(Json(json!({ "status": "ok" })))
}
