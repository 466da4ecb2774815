//! `POST /logout`: sessions end.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::caller::caller;
use super::cookie::Cookies;
use super::error::AuthProblem;
use crate::http::error::Error;
use crate::http::extract::Query;
use crate::http::session::User;
use crate::sign_in::SignIn;
use crate::sign_in::origin::Caller;
use store::sessions::SignOutScope;

/// How much ends.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogoutQuery {
    /// `global` (default): every session of the user. `local`: this one. `others`: every other one.
    #[serde(default)]
    #[param(inline)]
    scope: Scope,
}

/// Which sessions end.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Scope {
    #[default]
    Global,
    Local,
    Others,
}

impl From<Scope> for SignOutScope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::Global => Self::Global,
            Scope::Local => Self::Local,
            Scope::Others => Self::Others,
        }
    }
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
    State(sign_in): State<Arc<SignIn>>,
    State(cookies): State<Cookies>,
    headers: HeaderMap,
    Query(LogoutQuery { scope }): Query<LogoutQuery>,
    user: User,
) -> Result<Response, Error> {
    let scope = SignOutScope::from(scope);
    sign_in.sign_out(&user.session, scope).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    let own_page = caller(&sign_in, &headers) == Caller::OwnPage;
    if own_page && scope != SignOutScope::Others {
        let cookie = cookies.session.clear();
        let headers = response.headers_mut();
        headers.extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    }
    Ok(response)
}
