//! The words of `@supabase/auth-js` 2.x: what it expects in answers and in errors.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::pictures::{public_path, version};
use crate::sign_in::access_token::AUTHENTICATED;
use board_log::units::iso;
use chain::clock::UnixTime;
use store::profiles::Profile;
use store::sessions::Session;

/// The provider that a user has signed in with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AppMetadata {
    /// Its name, one of those in `external` of the settings.
    #[schema(example = "twitter")]
    pub provider: String,
    /// The same, as a list: an account has one provider.
    pub providers: Vec<String>,
}

impl AppMetadata {
    /// Of this person.
    pub fn of(profile: &Profile) -> Self {
        Self {
            provider: profile.provider.clone(),
            providers: vec![profile.provider.clone()],
        }
    }
}

/// A user's claims from the provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct UserMetadata {
    /// The name shown.
    pub preferred_username: String,
    /// The same name.
    pub user_name: String,
    /// The same name.
    pub name: String,
    /// Where the picture is, on this origin.
    pub avatar_url: Option<String>,
}

impl UserMetadata {
    /// Of this person.
    pub fn of(profile: &Profile) -> Self {
        Self {
            preferred_username: profile.username.clone(),
            user_name: profile.username.clone(),
            name: profile.username.clone(),
            avatar_url: public_path(&profile.id, version(profile.avatar_url.as_deref())),
        }
    }
}

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
    pub fn of(profile: &Profile, session: &Session) -> Self {
        Self {
            id: profile.id.clone(),
            aud: AUTHENTICATED,
            role: AUTHENTICATED,
            email: profile.email.clone().unwrap_or_default(),
            phone: "",
            is_anonymous: false,
            app_metadata: AppMetadata::of(profile),
            user_metadata: UserMetadata::of(profile),
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

/// What a client may know about sign-in before a user signs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct AuthSettings {
    /// Every provider by its name, and whether people can choose it right now.
    pub external: BTreeMap<&'static str, bool>,
    /// Whether this is development mode.
    pub development: bool,
}
