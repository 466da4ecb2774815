//! How a session begins and goes on: codes and refresh tokens in, new tokens out.
//!
//! A family (one session) is in one of two modes for its whole life (decisions, D9):
//!
//! - **Cookie mode**: its code was exchanged by a page of our own origin. The refresh token lives in
//!   a cookie that no script can read, and the page sees a rotation id that only names the family.
//!   Only our own pages can refresh it.
//! - **Body mode**: its code was exchanged by a program, which has no origin, or belongs to another
//!   site on the redirect list. The refresh token travels in the body, and no cookie is involved.
//!
//! A code that was sent to our own page and comes back from a page of another origin, or of a hidden
//! one, is refused: no script in a browser can choose body mode to get hold of the refresh token.

use super::SignIn;
use super::error::SignInError;
use super::refresh_token::rotation_id;
use chain::clock::UnixTime;
use store::profiles::Profile;
use store::sessions::Session;

mod code;
mod refresh;

/// A session's next tokens.
pub struct Granted {
    pub profile: Profile,
    pub session: Session,
    /// When it was made, unix seconds.
    pub now: UnixTime,
    pub access_token: String,
    /// Until when the access token is valid, unix seconds.
    pub expires_at: UnixTime,
    /// For the cookie, or in body mode for the body.
    pub refresh_token: String,
    /// For the body in cookie mode.
    pub rotation_id: String,
}

impl SignIn {
    /// The tokens of this session, as often as it has been refreshed.
    ///
    /// # Errors
    /// When its account was deleted a moment ago.
    pub async fn grant(&self, session: Session) -> Result<Granted, SignInError> {
        let now = self.clock.now();
        let profile = self.profile(&session).await?;
        self.access_tokens.renew_keys(&self.store, now).await;
        let (access_token, expires_at) = self.access_tokens.issue(&profile, &session, now)?;
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
}
