//! A copy of one's own data.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_DISPOSITION;
use axum::response::IntoResponse;

use crate::http::error::{Error, Problem};
use crate::http::session::User;
use crate::limits::{EXPORT, RateLimits};
use crate::records::{self, Record};
use chain::clock::Clock;
use store::Store;

/// Everything that is on record about whoever asks, as a file.
#[utoipa::path(get, path = "/export-account", tag = "functions",
    responses(
        (status = 200, description = "The copy", body = Record),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Asked for too often; Retry-After says when to try again", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn read(
    State(store): State<Store>,
    State(clock): State<Clock>,
    State(limits): State<Arc<RateLimits>>,
    user: User,
) -> Result<impl IntoResponse, Error> {
    limits.admit(EXPORT, user.id.as_bytes()).await?;
    let record = records::of(&store, &user.id, clock.now()).await?;
    let record = record.ok_or_else(Error::signed_out)?;
    let name = "attachment; filename=\"proof-of-reserves.json\"";
    Ok(([(CONTENT_DISPOSITION, name)], Json(record)))
}
