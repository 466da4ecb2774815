//! How a session begins and continues: codes and refresh tokens in, new tokens out.
//!
//! A session is in one of two modes for its whole life (decisions, D9):
//!
//! - **Cookie mode**: a page of our own origin exchanged the code. The refresh token is in a cookie that no script can
//!   read, and the page gets a rotation id that only names the session. Only our own pages can refresh it.
//! - **Body mode**: a program, which has no origin, or a page of another site on the redirect list exchanged the code. The
//!   refresh token is in the body, without a cookie.
//!
//! A code for our own page is refused from a page of another or a hidden origin, so that no script in a browser can choose body
//! mode to get the refresh token.

use uuid::Uuid;

use super::error::SignInError;
use super::origin::Caller;
use super::refresh_token::{RefreshToken, rotation_id, session_of};
use super::{SignIn, pkce};
use crate::limits::{ROTATION, SIGN_IN};
use chain::clock::{DAY, UnixTime};
use store::profiles::Profile;
use store::sessions::{AuthCode, Session};

/// How long a session lasts, however often it is refreshed: 90 days, in seconds.
const SESSION_LIFETIME: i64 = 90 * DAY;

/// How long a used refresh token may be sent again, in seconds: another tab may have sent it at the same moment. The response
/// has the session's newest tokens. Without a time limit this holds while no access token of the newest response has been
/// used, because that response may have been lost.
const GRACE: i64 = 10;

/// The tokens of a session after a code or a refresh token was exchanged.
pub struct Granted {
    pub profile: Profile,
    pub session: Session,
    /// The time of the exchange, unix seconds.
    pub now: UnixTime,
    pub access_token: String,
    /// When the access token expires, unix seconds.
    pub expires_at: UnixTime,
    /// Goes into the cookie, or in body mode into the body.
    pub refresh_token: String,
    /// Goes into the body in cookie mode.
    pub rotation_id: String,
}

impl SignIn {
    /// The tokens of this session after its newest refresh.
    ///
    /// # Errors
    /// When its account was deleted meanwhile.
    pub async fn grant(&self, session: Session) -> Result<Granted, SignInError> {
        let now = self.clock.now();
        let profile = self.profile(&session).await?;
        let issued = self.access_tokens.issue(&profile, &session, now).await;
        let (access_token, expires_at) = issued?;
        Ok(Granted {
            access_token,
            expires_at,
            refresh_token: self.refresh_tokens.token(&session.id, session.counter),
            rotation_id: rotation_id(&session.id, session.counter),
            profile,
            session,
            now,
        })
    }

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
        // The session whose cookie is about to be replaced could not be refreshed afterwards.
        let cookie = cookie.filter(|_| session.cookie);
        if let Some(replaced) = cookie.and_then(|token| self.refresh_tokens.verify(token)) {
            self.store.end_session(&replaced.session_id).await?;
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

    /// Rotates a refresh token (RFC 9700, section 4.14.2): the one in `body`, or in cookie mode the one in `cookie`, whose
    /// rotation id is in `body`.
    ///
    /// # Errors
    /// When the credentials are not genuine or not complete, which changes nothing; when the session
    /// has ended; when the token was used before, which ends the session; when the account refreshes too often.
    pub async fn refresh(&self, body: &str, cookie: Option<&str>) -> Result<Granted, SignInError> {
        let genuine = self.genuine(body, cookie);
        let (token, from_cookie) = genuine.ok_or(SignInError::UnknownRefreshToken)?;
        let now = self.clock.now();
        loop {
            let session = self.store.session(&token.session_id).await?;
            let session = session
                .filter(|session| session.live(now))
                .ok_or(SignInError::SessionEnded)?;
            if session.cookie != from_cookie {
                return Err(SignInError::UnknownRefreshToken);
            }
            match session.counter - token.counter {
                0 => {
                    let counter = session.counter;
                    let account = session.user_id.as_bytes();
                    self.limits.admit(ROTATION, account).await?;
                    if self.store.rotate_session(&session.id, counter, now).await? {
                        let rotated = Session {
                            counter: counter + 1,
                            rotated_at: now,
                            rotated_before_at: session.rotated_at,
                            ..session
                        };
                        return self.grant(rotated).await;
                    }
                    // Another request rotated or ended it: read it again.
                }
                // Used a moment ago, or the response may have been lost.
                1 if now - session.rotated_at <= GRACE || session.seen < session.counter => {
                    return self.grant(session).await;
                }
                2 if now - session.rotated_before_at <= GRACE => return self.grant(session).await,
                // Newer than the database, which was restored from a copy. It was not used twice.
                ..0 => return Err(SignInError::UnknownRefreshToken),
                _ => {
                    self.store.end_session(&session.id).await?;
                    tracing::warn!(session = %session.id, "a refresh token was reused; its session has been ended");
                    return Err(SignInError::UsedTwice);
                }
            }
        }
    }

    /// The genuine refresh token of a request, and whether the cookie contained it. The cookie counts only when the body names its
    /// session, so that a page of one user never continues as another user who signed in in a second tab.
    fn genuine(&self, body: &str, cookie: Option<&str>) -> Option<(RefreshToken, bool)> {
        let tokens = &self.refresh_tokens;
        if let Some(token) = tokens.verify(body) {
            return Some((token, false));
        }
        let session_id = session_of(body)?;
        let token = cookie.and_then(|cookie| tokens.verify(cookie))?;
        (token.session_id == session_id).then_some((token, true))
    }
}
