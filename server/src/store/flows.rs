//! Sign-ins that are under way at a provider.

use sqlx::FromRow;

use super::{Store, each};
use crate::clock::UnixTime;

/// What is remembered while somebody is at a provider.
#[derive(Clone, FromRow)]
pub struct Flow {
    /// SHA-256 of the state, hex.
    pub state_hash: String,
    /// The provider that the browser was sent to.
    pub provider: String,
    /// SHA-256 of the secret in the browser's cookie, hex.
    pub browser_hash: String,
    /// Our PKCE verifier towards the provider (RFC 7636, section 4.1).
    pub pkce_verifier: String,
    /// The PKCE challenge of the page that began.
    pub code_challenge: String,
    /// Where that page waits, an address of the list.
    pub redirect_to: String,
    /// Whether the session will be in cookie mode.
    pub cookie: bool,
    /// When it stops working, unix seconds.
    pub expires_at: UnixTime,
}

impl Store {
    /// Remembers a sign-in that begins, and forgets those whose time is over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add_flow(&self, flow: &Flow, now: UnixTime) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            sqlx::query("delete from sign_in_flows where expires_at <= $1")
                .bind(now)
                .execute(pool)
                .await?;
            sqlx::query(
                "insert into sign_in_flows
                   (state_hash, provider, browser_hash, pkce_verifier, code_challenge, redirect_to, cookie, expires_at)
                 values ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(&flow.state_hash)
            .bind(&flow.provider)
            .bind(&flow.browser_hash)
            .bind(&flow.pkce_verifier)
            .bind(&flow.code_challenge)
            .bind(&flow.redirect_to)
            .bind(flow.cookie)
            .bind(flow.expires_at)
            .execute(pool)
            .await?;
            Ok(())
        })
    }

    /// Takes a sign-in: it comes back once, so reading it deletes it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take_flow(&self, state_hash: &str) -> Result<Option<Flow>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as("delete from sign_in_flows where state_hash = $1 returning *")
                .bind(state_hash)
                .fetch_optional(pool)
                .await
        })
    }
}
