//! Sign-in: how a session begins, continues and ends (decisions, D9).
//!
//! A provider identifies the user (`flow.rs`), the page that began gets a single-use code (`pkce.rs`), and `grant.rs` turns codes
//! and refresh tokens into sessions.

use std::error::Error;
use std::sync::Arc;

use jsonwebtoken::jwk::Jwk;

use crate::config::Config;
use crate::limits::RateLimits;
use chain::clock::Clock;
use store::Store;
use store::profiles::Profile;
use store::sessions::{Session, SignOutScope};

pub mod access_token;
mod available;
pub mod blocked;
pub mod error;
pub mod flow;
pub mod grant;
pub mod keys;
mod oauth;
pub mod origin;
pub mod pkce;
pub mod refresh_token;

use access_token::AccessTokens;
use available::Available;
use blocked::Blocked;
use error::SignInError;
use origin::Origins;
use refresh_token::RefreshTokens;

/// Signs users in and out. Its debug output contains no secret.
#[derive(Debug)]
pub struct SignIn {
    store: Store,
    clock: Clock,
    limits: Arc<RateLimits>,
    access_tokens: AccessTokens,
    refresh_tokens: RefreshTokens,
    pub origins: Origins,
    pub providers: Available,
    blocked: Blocked,
}

impl SignIn {
    /// Reads the signing key and the refresh secret, or makes them on first start. Replicas that
    /// start together get the same ones.
    ///
    /// # Errors
    /// When a setting is invalid, or the database contains an invalid key.
    pub async fn load(
        config: &Config,
        store: &Store,
        clock: &Clock,
        limits: &Arc<RateLimits>,
        http: &reqwest::Client,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let now = clock.now();
        let issuer = format!("{}/api/auth/v1", config.origin());
        let secret = store.secret("refresh", now).await?;
        Ok(Self {
            access_tokens: AccessTokens::load(store, issuer, now).await?,
            refresh_tokens: RefreshTokens::new(&secret),
            origins: Origins::new(config),
            providers: Available::new(config, http)?,
            blocked: Blocked::load(store.clone(), now).await?,
            store: store.clone(),
            clock: clock.clone(),
            limits: Arc::clone(limits),
        })
    }

    /// The session of an access token, read from the database, so that every replica notices a sign-out or a deleted account at
    /// once.
    ///
    /// # Errors
    /// When the token is invalid or expired, or its session has ended.
    pub async fn authenticate(&self, access_token: &str) -> Result<Session, SignInError> {
        let now = self.clock.now();
        let claims = self.access_tokens.verify(access_token, now).await;
        let claims = claims.ok_or(SignInError::BadToken)?;
        let session = self.store.session(&claims.session_id).await?;
        let session = session
            .filter(|session| session.live(now) && session.user_id == claims.sub)
            .ok_or(SignInError::SignedOut)?;
        if claims.rotation > session.seen {
            // The client has received the response with this token.
            self.store
                .see_rotation(&session.id, claims.rotation)
                .await?;
        }
        Ok(session)
    }

    /// The profile of the session's user.
    ///
    /// # Errors
    /// When the account was deleted meanwhile.
    pub async fn profile(&self, session: &Session) -> Result<Profile, SignInError> {
        let profile = self.store.profile(&session.user_id).await?;
        profile.ok_or(SignInError::SignedOut)
    }

    /// Ends the session, others of the user, or all.
    pub async fn sign_out(&self, session: &Session, scope: SignOutScope) -> sqlx::Result<()> {
        self.store.sign_out(session, scope).await
    }

    /// Deletes expired sessions, codes and unfinished sign-ins, and empties SQLite's write-ahead log, which may contain deleted data.
    pub async fn tidy(&self) -> sqlx::Result<()> {
        self.store.forget_expired(self.clock.now()).await?;
        self.store.empty_wal().await
    }

    /// The public keys that verify access tokens now or soon, newest first.
    pub async fn public_keys(&self) -> Vec<Jwk> {
        self.access_tokens.public_keys(self.clock.now()).await
    }
}
