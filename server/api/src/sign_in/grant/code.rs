//! Exchanges codes for sessions.

use uuid::Uuid;

use super::Granted;
use crate::limits::SIGN_IN;
use crate::sign_in::SignIn;
use crate::sign_in::error::SignInError;
use crate::sign_in::origin::Caller;
use crate::sign_in::pkce;
use chain::clock::DAY;
use store::sessions::{AuthCode, Session};

/// How long a session lasts, however often it is refreshed: 90 days, in seconds.
const SESSION_LIFETIME: i64 = 90 * DAY;

impl SignIn {
    /// Exchanges a code for a session (RFC 6749, section 4.1.3; RFC 7636, section 4.5), and ends the one whose refresh
    /// token the caller has in its cookie. A code that was exchanged before ends the session that it was exchanged for
    /// (RFC 6749, section 4.1.2).
    ///
    /// # Errors
    /// When the code is unknown, used, expired, for another verifier, or sent by a foreign page; when the account signs in too
    /// often.
    pub async fn exchange(
        &self,
        caller: Caller,
        code: &str,
        verifier: &str,
        cookie: Option<&str>,
    ) -> Result<Granted, SignInError> {
        let now = self.clock.now();
        let code_hash = pkce::code_hash(code);
        let owner = self.store.code_owner(&code_hash).await?;
        if let Some(owner) = owner {
            self.limits.admit(SIGN_IN, owner.as_bytes()).await?;
        }
        let judge = |code: AuthCode| {
            if code.expires_at <= now {
                return Err(SignInError::TookTooLong);
            }
            if !pkce::verifies(verifier, &code.code_challenge) {
                return Err(SignInError::BadVerifier);
            }
            if code.cookie && caller == Caller::ForeignPage {
                return Err(SignInError::OtherSite);
            }
            Ok(Session {
                id: Uuid::new_v4().to_string(),
                user_id: code.user_id,
                cookie: code.cookie && caller == Caller::OwnPage,
                counter: 0,
                rotated_at: now,
                rotated_before_at: now,
                created_at: now,
                expires_at: now + SESSION_LIFETIME,
                seen: 0,
            })
        };
        // A wrong verifier uses the code up.
        let session = self.store.exchange_code(&code_hash, judge).await?;
        let session = session.ok_or(SignInError::UnknownCode)?;
        if session.cookie {
            self.end_replaced(cookie).await?;
        }
        let profile = self.profile(&session).await?;
        // Checked after the session exists: see `Blocked::block`.
        if self
            .blocked
            .contains(&profile.provider, &profile.subject)
            .await?
        {
            self.store.end_sessions(&profile.id).await?;
            return Err(SignInError::Blocked);
        }
        self.grant(session).await
    }

    /// Ends the session whose cookie is about to be replaced, because it could not be refreshed afterwards.
    async fn end_replaced(&self, cookie: Option<&str>) -> sqlx::Result<()> {
        match cookie.and_then(|token| self.refresh_tokens.verify(token)) {
            Some(old) => self.store.end_session(&old.session_id).await,
            None => Ok(()),
        }
    }
}
