//! `POST /logout`: sessions end.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::auth::dialect::{AuthError, AuthProblem};
use crate::auth::origin::Caller;
use crate::auth::session::User;
use crate::error::Error;
use crate::extract::Query;
use crate::state::AppState;
use crate::store::sessions::SignOutScope;

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
#[utoipa::path(
    post,
    path = "/logout",
    tag = "auth",
    security(("bearer" = [])),
    params(LogoutQuery),
    responses(
        (status = 204, description = "Signed out"),
        (status = 400, description = "No such scope", body = AuthProblem, content_type = "application/problem+json"),
        (status = 401, description = "Nobody is signed in, or no longer", body = AuthProblem, content_type = "application/problem+json"),
    )
)]
pub async fn logout(
    State(state): State<AppState>,
    headers: HeaderMap,
    query: Result<Query<LogoutQuery>, Error>,
    user: Result<User, Error>,
) -> Result<Response, AuthError> {
    let Query(LogoutQuery { scope }) = query?;
    let user = user?;
    let now = state.clock.now();
    state.store.sign_out(&user.session, scope, now).await?;
    let own_page = state.auth.origins.caller(&headers) == Caller::OwnPage;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if own_page && scope != SignOutScope::Others {
        let cookie = state.auth.cookie.clear();
        let headers = response.headers_mut();
        headers.extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    }
    Ok(response)
}
