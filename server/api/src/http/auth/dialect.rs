//! The words of `@supabase/auth-js` 2.x: what it expects in answers and in errors.

use serde::Serialize;
use utoipa::ToSchema;

use crate::sign_in::access_token::AUTHENTICATED;
pub use crate::sign_in::access_token::{AppMetadata, UserMetadata};
use board_log::units::iso;
use chain::clock::UnixTime;
use store::profiles::Profile;
use store::sessions::Session;

/// The library's `User`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AuthUser {
    /// A UUID, also the id of the profile.
    pub id: String,
    /// Always `authenticated`.
    pub aud: &'static str,
    /// Always `authenticated`.
    pub role: &'static str,
    /// Empty when the provider does not tell.
    pub email: String,
    /// Always empty.
    pub phone: &'static str,
    /// Always false.
    pub is_anonymous: bool,
    /// Which provider said who this is.
    pub app_metadata: AppMetadata,
    /// What the provider said.
    pub user_metadata: UserMetadata,
    /// When this session began, ISO 8601.
    pub last_sign_in_at: String,
    /// When the account was made, ISO 8601.
    pub created_at: String,
    /// When the profile last changed, ISO 8601.
    pub updated_at: String,
}

impl AuthUser {
    /// This person, signed in with this session.
    pub fn new(profile: &Profile, session: &Session) -> Self {
        Self {
            id: profile.id.clone(),
            aud: AUTHENTICATED,
            role: AUTHENTICATED,
            email: profile.email.clone().unwrap_or_default(),
            phone: "",
            is_anonymous: false,
            app_metadata: AppMetadata::from_profile(profile),
            user_metadata: UserMetadata::from_profile(profile),
            last_sign_in_at: iso(session.created_at),
            created_at: iso(profile.created_at),
            updated_at: iso(profile.updated_at),
        }
    }
}

/// The library's `Session`.
#[derive(Clone, Serialize, ToSchema)]
pub struct AuthSession {
    /// Goes into the Authorization header of every request.
    pub access_token: String,
    /// Always `bearer`.
    pub token_type: &'static str,
    /// How long the access token is valid, in seconds.
    pub expires_in: i64,
    /// Until when, unix seconds.
    pub expires_at: UnixTime,
    /// What the next refresh presents. In cookie mode it is only a name of the session and is worth
    /// nothing without the cookie.
    pub refresh_token: String,
    /// Who is signed in.
    pub user: AuthUser,
}
