//! Sign-in: how a session begins, continues and ends (decisions, D9).
//!
//! A provider identifies the user (`flow.rs`), the page that began gets a single-use code (`pkce.rs`), and `grant.rs` turns codes
//! and refresh tokens into sessions.

use std::sync::Arc;

use crate::config::{Config, ConfigError};
use crate::limits::RateLimits;
use crate::providers::Provider;
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
use keys::{KeyError, PublicKey, SigningKeys};
use origin::{Origins, Target};
use refresh_token::RefreshTokens;

/// Signs users in and out. Its debug output contains no secret.
#[derive(Debug)]
pub struct SignIn {
    store: Store,
    clock: Clock,
    limits: Arc<RateLimits>,
    access_tokens: AccessTokens,
    refresh_tokens: RefreshTokens,
    origins: Origins,
    providers: Available,
    blocked: Blocked,
}

/// Why sign-in cannot start.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl SignIn {
    /// Reads the signing key and the refresh secret, or makes them on first start. Replicas that
    /// start together get the same ones.
    ///
    /// # Errors
    /// When a setting is invalid, or the database contains an invalid key.
    pub async fn load(
        config: &Config,
        store: Store,
        clock: Clock,
        limits: Arc<RateLimits>,
        http: &reqwest::Client,
    ) -> Result<Self, LoadError> {
        let now = clock.now();
        let keys = SigningKeys::load(&store, now).await?;
        let secret = store.secret("refresh", now).await?;
        Ok(Self {
            access_tokens: AccessTokens::new(keys, format!("{}/api/auth/v1", config.origin()), now),
            refresh_tokens: RefreshTokens::new(&secret),
            origins: Origins::new(config)?,
            providers: Available::new(config, http)?,
            blocked: Blocked::load(store.clone(), now).await?,
            store,
            clock,
            limits,
        })
    }

    /// Every provider, and whether users can choose it now.
    pub fn providers(&self) -> impl Iterator<Item = (&'static Provider, bool)> {
        self.providers.list()
    }

    /// Whether an `Origin` header names this site.
    #[must_use]
    pub fn is_own_origin(&self, origin: &str) -> bool {
        self.origins.is_own(origin)
    }

    /// The origins of other apps on the list.
    pub fn other_origins(&self) -> impl Iterator<Item = String> {
        self.origins.others()
    }

    /// Where a sign-in ends: exactly one of the addresses on the list (RFC 9700, section 2.1), by
    /// default the callback page of the configured origin.
    ///
    /// # Errors
    /// When `requested` is not on the list. The server never redirects there.
    pub fn target(&self, requested: Option<&str>) -> Result<Target, SignInError> {
        self.origins.target(requested)
    }

    /// The session of an access token, read from the database, so that every replica notices a sign-out or a deleted account at
    /// once.
    ///
    /// # Errors
    /// When the token is invalid or expired, or its session has ended.
    pub async fn authenticate(&self, access_token: &str) -> Result<Session, SignInError> {
        let now = self.clock.now();
        self.access_tokens.renew_keys(&self.store, now).await;
        let claims = self
            .access_tokens
            .read(access_token, now)
            .ok_or(SignInError::BadToken)?;
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

    /// Ends the sessions in `scope`, relative to `session`.
    pub async fn sign_out(&self, session: &Session, scope: SignOutScope) -> sqlx::Result<()> {
        self.store.sign_out(session, scope).await
    }

    /// Deletes an account with its proofs, claims and sessions.
    pub async fn delete_account(&self, user_id: &str) -> sqlx::Result<()> {
        self.store.delete_profile(user_id).await?;
        Ok(())
    }

    /// Deletes expired sessions, codes and unfinished sign-ins, and empties the database's log, which may contain deleted data.
    pub async fn tidy(&self) -> sqlx::Result<()> {
        let now = self.clock.now();
        self.store.forget_sessions(now).await?;
        self.store.forget_auth_codes(now).await?;
        self.store.forget_flows(now).await?;
        self.store.empty_log().await
    }

    /// The public keys that verify access tokens now or soon, newest first.
    pub async fn public_keys(&self) -> Vec<PublicKey> {
        let now = self.clock.now();
        self.access_tokens.renew_keys(&self.store, now).await;
        self.access_tokens.public_keys(now)
    }
}
