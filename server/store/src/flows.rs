//! Sign-ins under way at a provider.

use sqlx::FromRow;

use super::Store;
use super::sql::Value;
use chain::clock::UnixTime;

/// A sign-in while the user is at the provider.
#[derive(Clone, FromRow)]
pub struct Flow {
    /// SHA-256 of the state, hex.
    pub state_hash: String,
    /// The provider that the browser was sent to.
    pub provider: String,
    /// SHA-256 of the secret in the browser's cookie, hex.
    pub browser_hash: String,
    /// Our PKCE verifier for the provider (RFC 7636, section 4.1).
    pub pkce_verifier: String,
    /// The PKCE challenge of the page that began the sign-in.
    pub code_challenge: String,
    /// The redirect address at which that page waits, one of those in the settings.
    pub redirect_to: String,
    /// Whether the session will be in cookie mode.
    pub cookie: bool,
    /// When it expires, unix seconds.
    pub expires_at: UnixTime,
}

impl Store {
    /// Stores a sign-in that begins, and deletes expired ones.
    pub async fn add_flow(&self, flow: &Flow, now: UnixTime) -> sqlx::Result<()> {
        self.forget_expired(now).await?;
        let sql = "insert into sign_in_flows
              (state_hash, provider, browser_hash, pkce_verifier, code_challenge, redirect_to, cookie, expires_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8)";
        let values: &[&dyn Value] = &[
            &flow.state_hash,
            &flow.provider,
            &flow.browser_hash,
            &flow.pkce_verifier,
            &flow.code_challenge,
            &flow.redirect_to,
            &flow.cookie,
            &flow.expires_at,
        ];
        self.query(sql, values).run().await
    }

    /// Returns a sign-in and deletes it, because it can be completed only once.
    pub async fn take_flow(&self, state_hash: &str) -> sqlx::Result<Option<Flow>> {
        let sql = "delete from sign_in_flows where state_hash = $1 returning *";
        self.query(sql, &[&state_hash]).optional().await
    }
}
