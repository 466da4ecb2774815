//! `GET /settings`: which ways to sign in are on.

use axum::Json;
use axum::extract::State;

use crate::auth::dialect::AuthSettings;
use crate::state::AppState;

/// Which ways to sign in are on.
#[utoipa::path(
    get,
    path = "/settings",
    tag = "auth",
    responses((status = 200, description = "What is on", body = AuthSettings))
)]
pub async fn read(State(state): State<AppState>) -> Json<AuthSettings> {
    Json(AuthSettings {
        external: state.auth.providers.enabled(),
        development: state.config.development(),
    })
}
