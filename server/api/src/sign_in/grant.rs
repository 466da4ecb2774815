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

use super::SignIn;
use super::error::SignInError;
use super::refresh_token::rotation_id;
use chain::clock::UnixTime;
use store::profiles::Profile;
use store::sessions::Session;

mod code;
mod refresh;

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
