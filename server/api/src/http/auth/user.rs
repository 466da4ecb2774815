//! The signed-in user, and the end of sessions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum_extra::extract::CookieJar;
use serde::Deserialize;
use utoipa::IntoParams;

use super::cookie::{Cookies, caller};
use super::dialect::AuthUser;
use crate::http::error::Error;
use crate::http::extract::Query;
use crate::http::session::User;
use crate::sign_in::SignIn;
use crate::sign_in::origin::Caller;
use store::Store;
use store::sessions::SignOutScope;

/// Who the access token belongs to.
#[utoipa::path(get, path = "/user", tag = "auth", security(("access-token" = [])),
    responses(
        (status = 200, description = "The signed-in user", body = AuthUser),
    ))]
pub async fn get_user(
    State(sign_in): State<Arc<SignIn>>,
    user: User,
) -> Result<Json<AuthUser>, Error> {
    let session = user.session;
    let profile = sign_in.profile(&session).await?;
    Ok(Json(AuthUser::new(&profile, &session)))
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
#[utoipa::path(post, path = "/logout", tag = "auth", security(("access-token" = [])),
    params(LogoutQuery),
    responses(
        (status = 204, description = "Signed out"),
    ))]
pub async fn logout(
    State(sign_in): State<Arc<SignIn>>,
    State(store): State<Store>,
    State(cookies): State<Cookies>,
    headers: HeaderMap,
    jar: CookieJar,
    Query(LogoutQuery { scope }): Query<LogoutQuery>,
    user: User,
) -> Result<(CookieJar, StatusCode), Error> {
    store.sign_out(&user.session, scope).await?;
    let own_page = caller(&sign_in, &headers) == Caller::OwnPage;
    let jar = if own_page && scope != SignOutScope::Others {
        jar.add(cookies.session.set("", 0))
    } else {
        jar
    };
    Ok((jar, StatusCode::NO_CONTENT))
}
