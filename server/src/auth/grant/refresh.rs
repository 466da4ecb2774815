//! A refresh token continues a session.

use super::refused;
use crate::auth::refresh_token::{Presented, family_of};
use crate::clock::UnixTime;
use crate::error::Error;
use crate::rate_limit;
use crate::state::AppState;
use crate::store::sessions::Session;

/// For how long a refresh token that was just used is answered once more with the token that it was
/// exchanged for, in seconds: another tab may have sent it at the same moment, or the answer may
/// have been lost.
pub const GRACE: i64 = 10;

/// The two credentials that a request can carry.
#[derive(Clone, Copy)]
pub struct Credentials<'a> {
    /// The refresh token, or in cookie mode the rotation id, in the body.
    pub body: &'a str,
    /// The refresh token in the cookie, when one of our own pages asks.
    pub cookie: Option<&'a str>,
}

/// Rotates a refresh token (RFC 9700, section 4.14.2). The session that comes back has the counter
/// of the token to hand out.
///
/// # Errors
/// When the credentials are not genuine or not complete, which changes nothing; when the session
/// has ended; when the token was used before, which ends the session; when the account refreshes too often.
pub async fn refresh(state: &AppState, credentials: Credentials<'_>) -> Result<Session, Error> {
    let presented = genuine(state, credentials)?;
    let now = state.clock.now();
    loop {
        let session = state
            .store
            .session(&presented.token.family)
            .await?
            .filter(|session| session.live(now))
            .ok_or_else(|| {
                refused(
                    "session-not-found",
                    "Your session has ended. Sign in again.",
                )
            })?;
        if session.cookie != presented.from_cookie {
            return Err(not_found());
        }
        match age(&session, presented.token.counter, now) {
            Age::Newest => {
                let counter = session.counter;
                let rotation = rate_limit::ROTATION;
                let account = session.user_id.as_bytes();
                let limits = &state.rate_limits;
                limits.admit(&state.store, rotation, account, now).await?;
                if state
                    .store
                    .rotate_session(&session.id, counter, now)
                    .await?
                {
                    return Ok(Session {
                        counter: counter + 1,
                        rotated_at: now,
                        ..session
                    });
                }
                // Another request rotated it, or it was ended: look again.
            }
            Age::JustUsed => return Ok(session),
            Age::Used => {
                state.store.revoke_session(&session.id, now).await?;
                tracing::warn!(session = %session.id, "a refresh token was used again; its session has been ended");
                return Err(refused(
                    "refresh-token-already-used",
                    "Your session was used from two places, so it has been ended. Sign in again.",
                ));
            }
            Age::Unknown => return Err(not_found()),
        }
    }
}

/// A genuine refresh token and where it came from.
struct Genuine {
    token: Presented,
    from_cookie: bool,
}

/// Finds the refresh token of a request. The cookie counts only when the body names its family, so
/// that a page that shows one person never goes on as another who signed in beside it.
fn genuine(state: &AppState, credentials: Credentials<'_>) -> Result<Genuine, Error> {
    let tokens = &state.auth.refresh_tokens;
    if let Some(token) = tokens.read(credentials.body) {
        return Ok(Genuine {
            token,
            from_cookie: false,
        });
    }
    let family = family_of(credentials.body).ok_or_else(not_found)?;
    let token = credentials
        .cookie
        .and_then(|cookie| tokens.read(cookie))
        .filter(|token| token.family == family)
        .ok_or_else(not_found)?;
    Ok(Genuine {
        token,
        from_cookie: true,
    })
}

/// How a token relates to its session.
enum Age {
    Newest,
    JustUsed,
    Used,
    Unknown,
}

fn age(session: &Session, counter: i64, now: UnixTime) -> Age {
    let behind = session.counter - counter;
    match behind {
        0 => Age::Newest,
        1 if now - session.rotated_at <= GRACE => Age::JustUsed,
        // From the future: the database was restored from a copy. Nobody used it twice.
        ..0 => Age::Unknown,
        _ => Age::Used,
    }
}

fn not_found() -> Error {
    refused(
        "refresh-token-not-found",
        "Your session cannot be continued from here. Sign in again.",
    )
}
