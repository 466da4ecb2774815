//! Access tokens: short-lived JSON Web Tokens (RFC 7519) that name a session.

use std::sync::Arc;

use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use utoipa::ToSchema;

use super::error::SignInError;
use super::keys::{KeyError, LIFETIME, REREAD, SigningKeys};
use crate::pictures::{public_path, version};
use crate::providers::handles;
use chain::clock::UnixTime;
use store::Store;
use store::profiles::Profile;
use store::sessions::Session;

/// The audience and the role of signed-in users, as the client library spells them.
pub const AUTHENTICATED: &str = "authenticated";

/// The claims of a new token. The names are those of RFC 7519 and of the client library.
#[derive(Serialize)]
struct Claims<'a> {
    /// The address of this server's auth routes.
    iss: &'a str,
    sub: &'a str,
    aud: &'a str,
    exp: UnixTime,
    iat: UnixTime,
    role: &'a str,
    /// Assurance level: a single factor.
    aal: &'a str,
    /// The token is invalid once this session has ended.
    session_id: &'a str,
    /// How often the session was refreshed before.
    rotation: i64,
    is_anonymous: bool,
    app_metadata: AppMetadata,
    user_metadata: UserMetadata,
}

/// The provider that a user has signed in with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AppMetadata {
    /// Its name, one of those in `external` of the settings.
    #[schema(example = json!(handles()))]
    pub provider: String,
    /// The same, as a list: an account has one provider.
    pub providers: Vec<String>,
}

impl AppMetadata {
    pub fn from_profile(profile: &Profile) -> Self {
        Self {
            provider: profile.provider.clone(),
            providers: vec![profile.provider.clone()],
        }
    }
}

/// A user's claims from the provider: the name under all the names that the library knows, and the picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct UserMetadata {
    /// The name shown.
    pub preferred_username: String,
    /// The same name.
    pub user_name: String,
    /// The same name.
    pub name: String,
    /// Where the picture is, on this origin.
    pub avatar_url: Option<String>,
}

impl UserMetadata {
    pub fn from_profile(profile: &Profile) -> Self {
        Self {
            preferred_username: profile.username.clone(),
            user_name: profile.username.clone(),
            name: profile.username.clone(),
            avatar_url: public_path(&profile.id, version(profile.avatar_url.as_deref())),
        }
    }
}

/// The claims that are read from a token.
#[derive(Debug, Deserialize)]
pub(super) struct VerifiedClaims {
    pub(super) sub: String,
    pub(super) session_id: String,
    pub(super) rotation: i64,
    exp: UnixTime,
    /// Not in our tokens, but checked.
    #[serde(default)]
    nbf: UnixTime,
    /// A single audience; our tokens never have a list.
    #[serde(rename = "aud")]
    _aud: String,
}

/// Signs and verifies access tokens.
#[derive(Debug)]
pub(super) struct AccessTokens {
    store: Store,
    /// The keys, and when they were read, unix seconds.
    keys: Mutex<(Arc<SigningKeys>, UnixTime)>,
    issuer: String,
    validation: Validation,
}

impl AccessTokens {
    /// Reads the keys, or makes the first one.
    pub(super) async fn load(
        store: &Store,
        issuer: String,
        now: UnixTime,
    ) -> Result<Self, KeyError> {
        let keys = SigningKeys::load(store, now).await?;
        // RFC 8725, section 3.1: the verifier chooses the algorithm, not the token.
        let mut validation = Validation::new(Algorithm::ES256);
        validation.set_audience(&[AUTHENTICATED]);
        validation.set_issuer(&[&issuer]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // Checked below against a clock that tests can move.
        validation.validate_exp = false;
        Ok(Self {
            store: store.clone(),
            keys: Mutex::new((Arc::new(keys), now)),
            issuer,
            validation,
        })
    }

    /// The keys, read again when they are older than [`REREAD`], so that every replica has a new key before it can get a token of that
    /// key. While the database fails, the older keys are used.
    async fn keys(&self, now: UnixTime) -> Arc<SigningKeys> {
        let mut cached = self.keys.lock().await;
        let (keys, read_at) = &mut *cached;
        if now - *read_at >= REREAD {
            *read_at = now;
            match SigningKeys::load(&self.store, now).await {
                Ok(newer) => *keys = Arc::new(newer),
                Err(error) => tracing::error!(%error, "cannot reload the signing keys"),
            }
        }
        Arc::clone(keys)
    }

    /// A token for this session, and when it expires.
    pub(super) async fn issue(
        &self,
        profile: &Profile,
        session: &Session,
        now: UnixTime,
    ) -> Result<(String, UnixTime), SignInError> {
        let exp = session.expires_at.min(now + LIFETIME);
        let claims = Claims {
            iss: &self.issuer,
            sub: &profile.id,
            aud: AUTHENTICATED,
            exp,
            iat: now,
            role: AUTHENTICATED,
            aal: "aal1",
            session_id: &session.id,
            rotation: session.counter,
            is_anonymous: false,
            app_metadata: AppMetadata::from_profile(profile),
            user_metadata: UserMetadata::from_profile(profile),
        };
        let keys = self.keys(now).await;
        let key = keys
            .current(now)
            .ok_or_else(|| SignInError::NotSigned("there is no signing key".to_owned()))?;
        let mut header = Header::new(Algorithm::ES256);
        header.kid = key.public.common.key_id.clone();
        let token = encode(&header, &claims, &key.encoding)
            .map_err(|error| SignInError::NotSigned(error.to_string()))?;
        Ok((token, exp))
    }

    /// The claims of a valid token. The caller checks whether the session still exists.
    pub(super) async fn verify(&self, token: &str, now: UnixTime) -> Option<VerifiedClaims> {
        let header = decode_header(token).ok()?;
        // RFC 7515, section 4.1.11: refuses extensions that this server does not know.
        let kid = header.kid.filter(|_| header.crit.is_none())?;
        let keys = self.keys(now).await;
        let key = keys.find(&kid, now)?;
        let claims: VerifiedClaims = decode(token, &key.decoding, &self.validation).ok()?.claims;
        (claims.exp > now && claims.nbf <= now).then_some(claims)
    }

    /// The public keys that verify tokens now or soon, newest first.
    pub(super) async fn public_keys(&self, now: UnixTime) -> Vec<Jwk> {
        let keys = self.keys(now).await;
        keys.in_use(now).map(|key| key.public.clone()).collect()
    }
}
