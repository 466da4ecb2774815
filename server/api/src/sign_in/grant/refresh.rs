//! A refresh token continues a session.

use super::Granted;
use crate::limits::ROTATION;
use crate::sign_in::SignIn;
use crate::sign_in::error::SignInError;
use crate::sign_in::refresh_token::{Presented, family_of};
use chain::clock::UnixTime;
use store::sessions::Session;

/// For how long a refresh token that was just used is answered once more with the token that it was
/// exchanged for, in seconds, whatever became of that: another tab may have sent it at the same moment, or it was on its way for
/// long. When that one has been exchanged as well, the answer is the newest, which it would lead to: an older one would end the
/// session an hour later. As long as nothing of the newest answer has been used, it may have been lost, and the same holds.
const GRACE: i64 = 10;

/// A genuine refresh token and where it came from.
struct Genuine {
    token: Presented,
    from_cookie: bool,
}

/// How a token relates to its session.
enum Age {
    Newest,
    /// Used, but a moment ago, or its answer may not have arrived.
    Unanswered,
    Used,
    Unknown,
}

impl SignIn {
    /// Rotates a refresh token (RFC 9700, section 4.14.2): the one in `body`, or in cookie mode the one in `cookie`, of
    /// which `body` has the rotation id.
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
            let session = self.store.session(&token.family).await?;
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
                    // Another request rotated it, or ended it: look again.
                }
                Age::Unanswered => return self.grant(session).await,
                Age::Used => {
                    self.store.end_session(&session.id).await?;
                    tracing::warn!(session = %session.id, "a refresh token was used again; its session has been ended");
                    return Err(SignInError::UsedTwice);
                }
                Age::Unknown => return Err(SignInError::UnknownRefreshToken),
            }
        }
    }

    /// Finds the refresh token of a request. The cookie counts only when the body names its family, so
    /// that a page that shows one person never goes on as another who signed in beside it.
    fn genuine(&self, body: &str, cookie: Option<&str>) -> Option<Genuine> {
        let tokens = &self.refresh_tokens;
        if let Some(token) = tokens.read(body) {
            return Some(Genuine {
                token,
                from_cookie: false,
            });
        }
        let family = family_of(body)?;
        let token = cookie.and_then(|cookie| tokens.read(cookie))?;
        (token.family == family).then_some(Genuine {
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
        // From the future: the database was restored from a copy. Nobody used it twice.
        ..0 => Age::Unknown,
        _ => Age::Used,
    }
}
