//! Sign-in: who somebody is, and how a session begins, goes on and ends (decisions, D9).
//!
//! The wire is the dialect of `@supabase/auth-js`, spelled in [`dialect`]. A provider says who
//! somebody is ([`provider`]), a single-use code carries that to the page that asked ([`pkce`]),
//! and [`grant`] turns codes and refresh tokens into sessions. [`session`] lets requests in.

use axum::http::HeaderMap;

use crate::clock::Clock;
use crate::config::{Config, ConfigError};
use crate::state::StartError;
use crate::store::Store;

pub mod access_token;
pub mod cookie;
pub mod dialect;
pub mod flow;
pub mod grant;
pub mod keys;
pub mod origin;
pub mod pkce;
pub mod provider;
pub mod refresh_token;
pub mod session;

use access_token::AccessTokens;
use cookie::CookiePolicy;
use keys::SigningKeys;
use origin::{Caller, Origins};
use provider::Providers;
use refresh_token::RefreshTokens;

/// Everything that signing in needs beside the database. No secret is in its debug output.
#[derive(Debug)]
pub struct Auth {
    /// Signs and checks access tokens.
    pub access_tokens: AccessTokens,
    /// Makes and checks refresh tokens.
    pub refresh_tokens: RefreshTokens,
    /// Which origins are ours, and where a sign-in may end.
    pub origins: Origins,
    /// How the cookie of a session of our own pages is set.
    pub cookie: CookiePolicy,
    /// How the cookie of a sign-in that is under way is set.
    pub sign_in_cookie: CookiePolicy,
    /// Who may say who somebody is.
    pub providers: Providers,
}

impl Auth {
    /// Reads the signing key and the refresh secret, or makes them on first start. Replicas that
    /// start together end up with the same ones.
    ///
    /// # Errors
    /// When the database fails, or holds a key that cannot be used.
    pub async fn load(
        store: &Store,
        config: &Config,
        clock: &Clock,
        http: &reqwest::Client,
    ) -> Result<Self, StartError> {
        let now = clock.now();
        let keys = SigningKeys::load(store, now).await?;
        let secret = store.secret("refresh", now).await?;
        Ok(Self {
            access_tokens: AccessTokens::new(keys, format!("{}/api/auth/v1", config.origin()), now),
            refresh_tokens: RefreshTokens::new(&secret),
            origins: Origins::new(config).map_err(ConfigError::from)?,
            cookie: CookiePolicy::refresh(config),
            sign_in_cookie: CookiePolicy::sign_in(config),
            providers: Providers::new(config, http).map_err(ConfigError::from)?,
        })
    }

    /// The refresh token in the cookie of a request. Whoever else makes a browser send the cookie is
    /// treated as if it had none (decisions, D9).
    #[must_use]
    pub fn page_cookie<'a>(&self, caller: Caller, headers: &'a HeaderMap) -> Option<&'a str> {
        match caller {
            Caller::OwnPage => self.cookie.read(headers),
            Caller::ForeignPage | Caller::Program => None,
        }
    }
}
