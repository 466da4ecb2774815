//! `GET /user`: who is signed in.

use axum::Json;
use axum::extract::State;

use crate::auth::dialect::{AuthError, AuthProblem, AuthUser};
use crate::auth::session::User;
use crate::error::Error;
use crate::state::AppState;

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
pub async fn read(
    State(state): State<AppState>,
    user: Result<User, Error>,
) -> Result<Json<AuthUser>, AuthError> {
    let user = user?;
    let profile = state.store.profile(&user.id).await?;
    let profile = profile.ok_or_else(Error::signed_out)?;
    Ok(Json(AuthUser::of(&profile, &user.session)))
}
