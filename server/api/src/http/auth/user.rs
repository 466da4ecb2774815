//! The signed-in user, as `@supabase/auth-js` expects it, and the end of sessions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum_extra::extract::CookieJar;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::cookie::{Cookies, caller};
use crate::http::error::Error;
use crate::http::extract::Query;
use crate::http::session::User;
use crate::sign_in::SignIn;
use crate::sign_in::access_token::{AUTHENTICATED, AppMetadata, UserMetadata};
use crate::sign_in::origin::Caller;
use board_log::units::iso;
use store::profiles::Profile;
use store::sessions::SignOutScope;

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
    /// Which provider said who this is.
    pub app_metadata: AppMetadata,
    /// What the provider said.
    pub user_metadata: UserMetadata,
    /// When the account was made, ISO 8601.
    pub created_at: String,
    /// When the profile last changed, ISO 8601.
    pub updated_at: String,
}

impl AuthUser {
    pub fn from_profile(profile: &Profile) -> Self {
        Self {
            id: profile.id.clone(),
            aud: AUTHENTICATED,
            role: AUTHENTICATED,
            email: profile.email.clone().unwrap_or_default(),
            app_metadata: AppMetadata::from_profile(profile),
            user_metadata: UserMetadata::from_profile(profile),
            created_at: iso(profile.created_at),
            updated_at: iso(profile.updated_at),
        }
    }
}

/// Who the access token belongs to.
#[utoipa::path(get, path = "/api/auth/v1/user", tag = "auth", security(("access-token" = [])),
    responses((status = 200, description = "The signed-in user", body = AuthUser)))]
pub async fn get_user(
    State(sign_in): State<Arc<SignIn>>,
    user: User,
) -> Result<Json<AuthUser>, Error> {
    let profile = sign_in.profile(&user.session).await?;
    Ok(Json(AuthUser::from_profile(&profile)))
}

/// How much ends.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogoutQuery {
    /// `global` (default): every session of the user. `local`: this one. `others`: every other one.
    #[serde(default)]
    #[param(inline)]
    scope: SignOutScope,
}

/// Ends sessions at once, wherever their tokens are.
#[utoipa::path(post, path = "/api/auth/v1/logout", tag = "auth", security(("access-token" = [])),
    params(LogoutQuery),
    responses((status = 204, description = "Signed out")))]
pub async fn logout(
    State(sign_in): State<Arc<SignIn>>,
    State(cookies): State<Cookies>,
    headers: HeaderMap,
    jar: CookieJar,
    Query(LogoutQuery { scope }): Query<LogoutQuery>,
    user: User,
) -> Result<(CookieJar, StatusCode), Error> {
    sign_in.sign_out(&user.session, scope).await?;
    let own_page = caller(&sign_in, &headers) == Caller::OwnPage;
    let jar = if own_page && scope != SignOutScope::Others {
        jar.add(cookies.session.set("", 0))
    } else {
        jar
    };
    Ok((jar, StatusCode::NO_CONTENT))
}
