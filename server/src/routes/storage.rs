//! Pictures by profile id, never by address.

use axum::extract::State;

use crate::error::Error;
use crate::extract::Path;
use crate::state::AppState;

/// The picture of a profile. Only profiles of real providers have one, and no provider is switched
/// on yet, so the answer is always that there is none.
///
/// # Errors
/// 404 when there is no such profile, or it has no picture.
#[utoipa::path(get, path = "/avatar/{profile_id}", tag = "storage",
    params(("profile_id" = String, Path, description = "Id of a profile")),
    responses((status = 404, description = "No picture", body = crate::error::Problem, content_type = "application/problem+json")))]
pub async fn avatar(
    State(state): State<AppState>,
    Path(profile_id): Path<String>,
) -> Result<(), Error> {
    match state.store.profile(&profile_id).await? {
        Some(_) => Err(Error::NotFound("This profile has no picture.".to_owned())),
        None => Err(Error::NotFound("There is no such profile.".to_owned())),
    }
}
