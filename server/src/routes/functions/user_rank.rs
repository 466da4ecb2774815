//! The rank of a user.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::session::User;
use crate::error::{Error, Problem};
use crate::extract::Path;
use crate::proof::settle_expired;
use crate::state::AppState;

/// A rank.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserRank {
    /// 1 plus the number of users who hold strictly more; null when nothing is proven.
    rank: Option<i64>,
}

/// The rank of a user, the same as on the leaderboard (decisions, D7).
///
/// # Errors
/// 401 when nobody is signed in, 404 when there is no such user.
#[utoipa::path(get, path = "/getUserRank/{user_id}", tag = "functions",
    params(("user_id" = String, Path, description = "Id of a user")),
    responses(
        (status = 200, description = "The rank", body = UserRank),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "No such user", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn read(
    State(state): State<AppState>,
    _viewer: User,
    Path(user_id): Path<String>,
) -> Result<Json<UserRank>, Error> {
    settle_expired(&state).await?;
    let rank = state.store.rank(&user_id).await?;
    if rank.is_none() && state.store.profile(&user_id).await?.is_none() {
        return Err(Error::NotFound("There is no such user.".to_owned()));
    }
    Ok(Json(UserRank { rank }))
}
