//! `GET /user`: who is signed in.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use super::dialect::AuthUser;
use super::error::AuthProblem;
use crate::http::error::Error;
use crate::http::session::User;
use crate::sign_in::SignIn;

/// Who the access token belongs to.
#[utoipa::path(
    get,
    path = "/user",
    tag = "auth",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The signed-in user", body = AuthUser),
        (status = 401, description = "Nobody is signed in, or no longer", body = AuthProblem, content_type = "application/problem+json"),
    )
)]
pub async fn read(State(sign_in): State<Arc<SignIn>>, user: User) -> Result<Json<AuthUser>, Error> {
    let session = user.session;
    let profile = sign_in.profile(&session).await?;
    Ok(Json(AuthUser::of(&profile, &session)))
}
