//! A code begins a session.

use uuid::Uuid;

use super::refused;
use crate::auth::origin::Caller;
use crate::auth::pkce;
use crate::clock::{DAY, UnixTime};
use crate::error::Error;
use crate::rate_limit;
use crate::state::AppState;
use crate::store::sessions::Session;

/// How long a session lasts, however often it is refreshed: 90 days, in seconds.
pub const SESSION_LIFETIME: i64 = 90 * DAY;

/// Exchanges a code for a session (RFC 6749, section 4.1.3; RFC 7636, section 4.5).
///
/// # Errors
/// When the code is unknown, used, too old, of another verifier, or presented by a foreign page; when the
/// account signs in too often.
pub async fn exchange(
    state: &AppState,
    caller: Caller,
    code: &str,
    verifier: &str,
    cookie: Option<&str>,
) -> Result<Session, Error> {
    let now = state.clock.now();
    // Taken first and judged afterwards: whoever guesses wrong has used the code up.
    let code = state
        .store
        .take_auth_code(&pkce::code_hash(code))
        .await?
        .ok_or_else(|| {
            refused(
                "flow-state-not-found",
                "This sign-in is unknown or was already completed. Sign in again.",
            )
        })?;
    if code.expires_at <= now {
        return Err(refused(
            "flow-state-expired",
            "This sign-in took too long. Sign in again.",
        ));
    }
    if !pkce::verifies(verifier, &code.code_challenge) {
        return Err(refused(
            "bad-code-verifier",
            "This sign-in was begun elsewhere. Sign in again.",
        ));
    }
    if code.cookie && caller == Caller::ForeignPage {
        return Err(refused(
            "validation-failed",
            "This sign-in belongs to another site.",
        ));
    }
    let sign_in = rate_limit::SIGN_IN;
    let account = code.user_id.as_bytes();
    let limits = &state.rate_limits;
    limits.admit(&state.store, sign_in, account, now).await?;
    let own_page = code.cookie && caller == Caller::OwnPage;
    if own_page {
        end_replaced(state, cookie, now).await?;
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
    state.store.add_session(&session).await?;
    Ok(session)
}

/// Ends the session whose cookie is about to be replaced: nobody could refresh it any more.
async fn end_replaced(state: &AppState, cookie: Option<&str>, now: UnixTime) -> Result<(), Error> {
    if let Some(old) = cookie.and_then(|token| state.auth.refresh_tokens.read(token)) {
        state.store.revoke_session(&old.family, now).await?;
    }
    Ok(())
}
