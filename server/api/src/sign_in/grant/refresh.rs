//! Exchanges refresh tokens.

use super::Granted;
use crate::limits::ROTATION;
use crate::sign_in::SignIn;
use crate::sign_in::error::SignInError;
use crate::sign_in::refresh_token::{RefreshToken, session_of};
use chain::clock::UnixTime;
use store::sessions::Session;

/// How long a used refresh token may be sent again, in seconds: another tab may have sent it at the same moment. The response
/// has the session's newest tokens. Without a time limit this holds while no access token of the newest response has been
/// used, because that response may have been lost.
const GRACE: i64 = 10;

/// A genuine refresh token, and whether the cookie contained it.
struct Genuine {
    token: RefreshToken,
    from_cookie: bool,
}

/// How a token relates to its session.
enum Age {
    Newest,
    /// Used a moment ago, or the response may have been lost.
    Unanswered,
    Used,
    Unknown,
}

impl SignIn {
    /// Rotates a refresh token (RFC 9700, section 4.14.2): the one in `body`, or in cookie mode the one in `cookie`, whose
    /// rotation id is in `body`.
    ///
    /// # Errors
    /// When the credentials are not genuine or not complete, which changes nothing; when the session
    /// has ended; when the token was used before, which ends the session; when the account refreshes too often.
    pub async fn refresh(&self, body: &str, cookie: Option<&str>) -> Result<Granted, SignInError> {
        let Genuine { token, from_cookie } = self
            .genuine(body, cookie)
            .ok_or(SignInError::UnknownRefreshToken)?;
        let now = self.clock.now();
        loop {
            let session = self.store.session(&token.session_id).await?;
            let session = session
                .filter(|session| session.live(now))
                .ok_or(SignInError::SessionEnded)?;
            if session.cookie != from_cookie {
                return Err(SignInError::UnknownRefreshToken);
            }
            match age(&session, token.counter, now) {
                Age::Newest => {
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
                Age::Unanswered => return self.grant(session).await,
                Age::Used => {
                    self.store.end_session(&session.id).await?;
                    tracing::warn!(session = %session.id, "a refresh token was reused; its session has been ended");
                    return Err(SignInError::UsedTwice);
                }
                Age::Unknown => return Err(SignInError::UnknownRefreshToken),
            }
        }
    }

    /// Finds the refresh token of a request. The cookie counts only when the body names its session, so that a page of one
    /// user never continues as another user who signed in in a second tab.
    fn genuine(&self, body: &str, cookie: Option<&str>) -> Option<Genuine> {
        let tokens = &self.refresh_tokens;
        if let Some(token) = tokens.verify(body) {
            return Some(Genuine {
                token,
                from_cookie: false,
            });
        }
        let session_id = session_of(body)?;
        let token = cookie.and_then(|cookie| tokens.verify(cookie))?;
        (token.session_id == session_id).then_some(Genuine {
            token,
            from_cookie: true,
        })
    }
}

fn age(session: &Session, counter: i64, now: UnixTime) -> Age {
    let behind = session.counter - counter;
    match behind {
        0 => Age::Newest,
        1 if now - session.rotated_at <= GRACE || session.seen < session.counter => Age::Unanswered,
        2 if now - session.rotated_before_at <= GRACE => Age::Unanswered,
        // Newer than the database, which was restored from a copy. It was not used twice.
        ..0 => Age::Unknown,
        _ => Age::Used,
    }
}
