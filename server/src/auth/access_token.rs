//! Access tokens: short-lived JSON Web Tokens (RFC 7519) that name a session.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use jsonwebtoken::{Algorithm, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};

use super::dialect::{AppMetadata, UserMetadata};
use super::keys::{self, PublicKey, SigningKeys};
use crate::clock::UnixTime;
use crate::error::Error;
use crate::store::Store;
use crate::store::profiles::Profile;
use crate::store::sessions::Session;

/// How long an access token is valid, in seconds.
pub const LIFETIME: i64 = 60 * 60;

/// The audience and the role of everybody who is signed in, as the client library spells them.
pub const AUTHENTICATED: &str = "authenticated";

/// What a token says. The names are those of RFC 7519 and of the client library.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claims {
    /// Who signed it: the address of this server's auth family.
    pub iss: String,
    /// The user's id.
    pub sub: String,
    /// Whom it is for.
    pub aud: String,
    /// When it ends, unix seconds.
    pub exp: UnixTime,
    /// When it was made, unix seconds.
    pub iat: UnixTime,
    /// What its owner may do.
    pub role: String,
    /// Assurance level: `aal1`, a single factor.
    pub aal: String,
    /// Which session it belongs to. A token is worth nothing once that one has ended.
    pub session_id: String,
    /// The e-mail address, empty when unknown.
    pub email: String,
    /// Always false: everybody who has a token has signed in.
    pub is_anonymous: bool,
    /// Which provider said who this is.
    pub app_metadata: AppMetadata,
    /// What the provider said.
    pub user_metadata: UserMetadata,
}

/// Signs and checks access tokens.
#[derive(Debug)]
pub struct AccessTokens {
    keys: RwLock<Arc<SigningKeys>>,
    /// When the keys were last read, unix seconds.
    read_at: AtomicI64,
    issuer: String,
    validation: Validation,
}

impl AccessTokens {
    /// Tokens of this issuer.
    #[must_use]
    pub fn new(keys: SigningKeys, issuer: String, now: UnixTime) -> Self {
        // RFC 8725, section 3.1: the algorithm is ours to choose, never the token's.
        let mut validation = Validation::new(Algorithm::ES256);
        validation.set_audience(&[AUTHENTICATED]);
        validation.set_issuer(&[&issuer]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // Checked below against our own clock, which tests can move.
        validation.validate_exp = false;
        Self {
            keys: RwLock::new(Arc::new(keys)),
            read_at: AtomicI64::new(now),
            issuer,
            validation,
        }
    }

    /// Reads the keys again when that was a while ago, so that every replica learns of a rotation before a token
    /// of the new key can reach it. While the database fails the known keys go on.
    pub async fn renew_keys(&self, store: &Store, now: UnixTime) {
        let read_at = self.read_at.load(Ordering::Relaxed);
        // One request reads for all that come meanwhile.
        if now - read_at < keys::REREAD
            || self
                .read_at
                .compare_exchange(read_at, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_err()
        {
            return;
        }
        match SigningKeys::load(store, now).await {
            Ok(keys) => {
                *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
            }
            Err(error) => tracing::error!(%error, "the signing keys were not read again"),
        }
    }

    fn keys(&self) -> Arc<SigningKeys> {
        Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// A token for this session of this user, and when it ends.
    ///
    /// # Errors
    /// When it cannot be signed.
    pub fn issue(
        &self,
        profile: &Profile,
        session: &Session,
        now: UnixTime,
    ) -> Result<(String, UnixTime), Error> {
        let exp = session.expires_at.min(now + LIFETIME);
        let claims = Claims {
            iss: self.issuer.clone(),
            sub: profile.id.clone(),
            aud: AUTHENTICATED.to_owned(),
            exp,
            iat: now,
            role: AUTHENTICATED.to_owned(),
            aal: "aal1".to_owned(),
            session_id: session.id.clone(),
            email: profile.email.clone().unwrap_or_default(),
            is_anonymous: false,
            app_metadata: AppMetadata::of(profile),
            user_metadata: UserMetadata::of(profile),
        };
        let keys = self.keys();
        let key = keys
            .current(now)
            .ok_or_else(|| Error::Internal("there is no signing key".to_owned()))?;
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some(key.public.kid.clone());
        let token = encode(&header, &claims, &key.encoding)
            .map_err(|error| Error::Internal(format!("an access token was not signed: {error}")))?;
        Ok((token, exp))
    }

    /// What the token says, when it is one of ours and its time is not over. Whether its session
    /// still lives is for the caller to ask.
    #[must_use]
    pub fn read(&self, token: &str, now: UnixTime) -> Option<Claims> {
        let kid = decode_header(token).ok()?.kid?;
        let keys = self.keys();
        let key = keys.find(&kid, now)?;
        let claims = decode::<Claims>(token, &key.decoding, &self.validation)
            .ok()?
            .claims;
        (claims.exp > now).then_some(claims)
    }

    /// The public keys that check tokens now or soon, newest first.
    #[must_use]
    pub fn public_keys(&self, now: UnixTime) -> Vec<PublicKey> {
        let keys = self.keys();
        keys.in_use(now).map(|key| key.public.clone()).collect()
    }
}
