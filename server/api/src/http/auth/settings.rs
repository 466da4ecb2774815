//! Public facts about sign-in: which providers are on, and the keys that check access tokens.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, header};
use jsonwebtoken::jwk::Jwk;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, Type};

use crate::config::Config;
use crate::sign_in::SignIn;

/// What a client may know about sign-in before a user signs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AuthSettings {
    /// Every provider by its name, and whether people can choose it right now.
    pub external: BTreeMap<&'static str, bool>,
    /// Whether this is development mode.
    pub development: bool,
}

/// Which sign-in methods are on.
#[utoipa::path(get, path = "/api/auth/v1/settings", tag = "auth",
    responses((status = 200, description = "What is on", body = AuthSettings)))]
pub async fn get_settings(
    State(sign_in): State<Arc<SignIn>>,
    State(config): State<Arc<Config>>,
) -> Json<AuthSettings> {
    let all = sign_in.providers.list();
    Json(AuthSettings {
        external: all.map(|(provider, on)| (provider.name, on)).collect(),
        development: config.development(),
    })
}

/// A JSON Web Key Set (RFC 7517, section 5).
#[derive(Debug, Serialize, ToSchema)]
pub struct KeySet {
    /// Newest first. Earlier keys stay until their last token has expired.
    #[schema(schema_with = keys)]
    keys: Vec<Jwk>,
}

/// What each key has (RFC 7517, section 4; RFC 7518, section 6.2).
fn keys() -> Array {
    let names = ["kid", "kty", "crv", "alg", "use", "x", "y"];
    let key = names.into_iter().fold(ObjectBuilder::new(), |key, name| {
        let text = ObjectBuilder::new().schema_type(Type::String);
        key.property(name, text).required(name)
    });
    ArrayBuilder::new().items(key).build()
}

/// The public keys of access tokens, so that anyone can check one.
#[utoipa::path(get, path = "/api/auth/v1/.well-known/jwks.json", tag = "auth",
    responses((status = 200, description = "The keys", body = KeySet)))]
pub async fn get_jwks(
    State(sign_in): State<Arc<SignIn>>,
) -> ([(HeaderName, &'static str); 1], Json<KeySet>) {
    let keys = sign_in.public_keys().await;
    // As long as the client library keeps them.
    let cache = [(header::CACHE_CONTROL, "public, max-age=600")];
    (cache, Json(KeySet { keys }))
}
