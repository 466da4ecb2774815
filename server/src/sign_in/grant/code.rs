//! A code begins a session.

use uuid::Uuid;

use super::Granted;
use crate::base::clock::{DAY, UnixTime};
use crate::limits::SIGN_IN;
use crate::sign_in::SignIn;
use crate::sign_in::error::SignInError;
use crate::sign_in::origin::Caller;
use crate::sign_in::pkce;
use crate::store::sessions::Session;

/// How long a session lasts, however often it is refreshed: 90 days, in seconds.
const SESSION_LIFETIME: i64 = 90 * DAY;

impl SignIn {
    /// Exchanges a code for a session (RFC 6749, section 4.1.3; RFC 7636, section 4.5), and ends the one whose refresh
    /// token the caller has in its cookie.
    ///
    /// # Errors
    /// When the code is unknown, used, too old, of another verifier, or presented by a foreign page; when the
    /// account signs in too often.
    pub async fn exchange(
        &self,
        caller: Caller,
        code: &str,
        verifier: &str,
        cookie: Option<&str>,
    ) -> Result<Granted, SignInError> {
        let now = self.clock.now();
        // Taken first and judged afterwards: whoever guesses wrong has used the code up.
        let code = self.store.take_auth_code(&pkce::code_hash(code)).await?;
        let code = code.ok_or(SignInError::UnknownCode)?;
        if code.expires_at <= now {
            return Err(SignInError::TookTooLong);
        }
        if !pkce::verifies(verifier, &code.code_challenge) {
            return Err(SignInError::BadVerifier);
        }
        if code.cookie && caller == Caller::ForeignPage {
            return Err(SignInError::OtherSite);
        }
        self.limits.admit(SIGN_IN, code.user_id.as_bytes()).await?;
        let own_page = code.cookie && caller == Caller::OwnPage;
        if own_page {
            self.end_replaced(cookie, now).await?;
        }
        let session = Session {
            id: Uuid::new_v4().to_string(),
            user_id: code.user_id,
            cookie: own_page,
            counter: 0,
            rotated_at: now,
            created_at: now,
            expires_at: now + SESSION_LIFETIME,
            revoked_at: None,
        };
        self.store.add_session(&session).await?;
        self.grant(session).await
    }

    /// Ends the session whose cookie is about to be replaced: nobody could refresh it any more.
    async fn end_replaced(&self, cookie: Option<&str>, now: UnixTime) -> sqlx::Result<()> {
        match cookie.and_then(|token| self.refresh_tokens.read(token)) {
            Some(old) => self.store.revoke_session(&old.family, now).await,
            None => Ok(()),
        }
    }
}
