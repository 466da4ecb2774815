//! Public facts about sign-in: which providers are on, and the keys that check access tokens.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, header};
use serde::Serialize;
use utoipa::ToSchema;

use super::dialect::AuthSettings;
use crate::config::Config;
use crate::sign_in::{SignIn, keys};

/// Which ways to sign in are on.
#[utoipa::path(get, path = "/settings", tag = "auth",
    responses((status = 200, description = "What is on", body = AuthSettings)))]
pub async fn get_settings(
    State(sign_in): State<Arc<SignIn>>,
    State(config): State<Arc<Config>>,
) -> Json<AuthSettings> {
    let all = sign_in.providers();
    Json(AuthSettings {
        external: all.map(|(provider, on)| (provider.name, on)).collect(),
        development: config.development(),
    })
}

/// A JSON Web Key Set (RFC 7517, section 5).
#[derive(Debug, Serialize, ToSchema)]
pub struct KeySet {
    /// Newest first. Earlier keys stay until their last token has expired.
    keys: Vec<PublicKey>,
}

/// A JSON Web Key (RFC 7517; the curve's members are of RFC 7518, section 6.2).
#[derive(Debug, Serialize, ToSchema)]
pub struct PublicKey {
    /// The key's SHA-256 thumbprint (RFC 7638).
    kid: String,
    /// The family of keys.
    #[schema(example = "EC")]
    kty: &'static str,
    /// The curve.
    #[schema(example = "P-256")]
    crv: &'static str,
    /// The only algorithm that it is used with.
    #[schema(example = "ES256")]
    alg: &'static str,
    /// What it is for.
    #[serde(rename = "use")]
    #[schema(example = "sig")]
    usage: &'static str,
    /// First coordinate, base64url.
    x: String,
    /// Second coordinate, base64url.
    y: String,
}

impl From<keys::PublicKey> for PublicKey {
    fn from(keys::PublicKey { kid, x, y }: keys::PublicKey) -> Self {
        Self {
            kid,
            kty: "EC",
            crv: "P-256",
            alg: "ES256",
            usage: "sig",
            x,
            y,
        }
    }
}

/// The public keys of access tokens, so that anyone can check one.
#[utoipa::path(get, path = "/.well-known/jwks.json", tag = "auth",
    responses((status = 200, description = "The keys", body = KeySet)))]
pub async fn get_jwks(
    State(sign_in): State<Arc<SignIn>>,
) -> ([(HeaderName, &'static str); 1], Json<KeySet>) {
    let keys = sign_in.public_keys().await;
    // As long as the client library keeps them.
    let cache = [(header::CACHE_CONTROL, "public, max-age=600")];
    let keys = keys.into_iter().map(PublicKey::from).collect();
    (cache, Json(KeySet { keys }))
}
