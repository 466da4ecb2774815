//! `GET /settings`: which ways to sign in are on.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use super::dialect::AuthSettings;
use crate::config::Config;
use crate::sign_in::SignIn;

/// Which ways to sign in are on.
#[utoipa::path(
    get,
    path = "/settings",
    tag = "auth",
    responses((status = 200, description = "What is on", body = AuthSettings))
)]
pub async fn read(
    State(sign_in): State<Arc<SignIn>>,
    State(config): State<Arc<Config>>,
) -> Json<AuthSettings> {
    let all = sign_in.providers();
    Json(AuthSettings {
        external: all.map(|(provider, on)| (provider.name, on)).collect(),
        development: config.development(),
    })
}
