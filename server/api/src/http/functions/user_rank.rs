//! The rank of a user.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::board::Board;
use crate::http::error::{Error, Problem};
use crate::http::extract::Path;
use crate::http::session::User;

/// A rank.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserRank {
    /// 1 plus the number of users who hold strictly more; null when nothing is proven.
    #[schema(required)]
    rank: Option<i64>,
}

/// The rank of a user, the same as on the leaderboard (decisions, D7).
#[utoipa::path(get, path = "/getUserRank/{user_id}", tag = "functions",
    params(("user_id" = String, Path, description = "Id of a user")),
    responses(
        (status = 200, description = "The rank", body = UserRank),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "No such user", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn read(
    State(board): State<Arc<Board>>,
    _viewer: User,
    Path(user_id): Path<String>,
) -> Result<Json<UserRank>, Error> {
    let rank = board.rank(&user_id).await?;
    let rank = rank.ok_or_else(|| Error::not_found("User profile not found"))?;
    Ok(Json(UserRank { rank }))
}
