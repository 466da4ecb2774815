//! `GET /.well-known/jwks.json`: the keys that check access tokens.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, header};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::keys::PublicKey;
use crate::state::AppState;

/// A JSON Web Key Set (RFC 7517, section 5).
#[derive(Debug, Serialize, ToSchema)]
pub struct KeySet {
    /// Newest first. Earlier keys stay until their last token has expired.
    keys: Vec<PublicKey>,
}

/// The public keys of access tokens, so that anybody can check one.
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    tag = "auth",
    responses((status = 200, description = "The keys", body = KeySet))
)]
pub async fn read(
    State(state): State<AppState>,
) -> ([(HeaderName, &'static str); 1], Json<KeySet>) {
    let now = state.clock.now();
    let tokens = &state.auth.access_tokens;
    tokens.renew_keys(&state.store, now).await;
    let keys = tokens.public_keys(now);
    // As long as the client library keeps them.
    let cache = [(header::CACHE_CONTROL, "public, max-age=600")];
    (cache, Json(KeySet { keys }))
}
