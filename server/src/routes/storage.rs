//! Pictures by profile id, never by address.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::{Error, Problem};
use crate::etag;
use crate::extract::{Path, Query};
use crate::images::{self, Rendered, Variant, VariantQuery};
use crate::state::AppState;

/// How long a browser may show a picture without asking.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// The picture of a profile, fetched from its provider, drawn anew and served from this origin. Values beside the
/// sets are refused.
///
/// # Errors
/// 400 for a form that is not offered, 404 when there is no such profile or it has no picture.
#[utoipa::path(get, path = "/avatar/{profile_id}", tag = "storage",
    params(("profile_id" = String, Path, description = "Id of a profile"), VariantQuery),
    responses(
        (status = 200, description = "The picture, with a strong ETag", content(("image/jpeg"), ("image/png"), ("image/webp"))),
        (status = 304, description = "The client has it"),
        (status = 400, description = "Not a form that is offered", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "No picture", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn avatar(
    state: State<AppState>,
    profile_id: Path<String>,
    query: Query<VariantQuery>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    picture(state, profile_id, query, headers).await
}

/// The same picture, where clients of hosted storage ask for a form of it (`getPublicUrl` with `transform`).
///
/// # Errors
/// As [`avatar`].
#[utoipa::path(get, path = "/render/image/public/avatars/{profile_id}", tag = "storage",
    params(("profile_id" = String, Path, description = "Id of a profile"), VariantQuery),
    responses(
        (status = 200, description = "The picture", content(("image/jpeg"), ("image/png"), ("image/webp"))),
        (status = 304, description = "The client has it"),
        (status = 400, description = "Not a form that is offered", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "No picture", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn render(
    state: State<AppState>,
    profile_id: Path<String>,
    query: Query<VariantQuery>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    picture(state, profile_id, query, headers).await
}

/// The same picture, where clients of hosted storage ask for it as it is (`getPublicUrl`).
///
/// # Errors
/// As [`avatar`].
#[utoipa::path(get, path = "/object/public/avatars/{profile_id}", tag = "storage",
    params(("profile_id" = String, Path, description = "Id of a profile")),
    responses(
        (status = 200, description = "The picture", content(("image/jpeg"), ("image/png"))),
        (status = 304, description = "The client has it"),
        (status = 404, description = "No picture", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn object(
    state: State<AppState>,
    profile_id: Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    picture(state, profile_id, Query(VariantQuery::default()), headers).await
}

async fn picture(
    State(state): State<AppState>,
    Path(profile_id): Path<String>,
    Query(query): Query<VariantQuery>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let variant = Variant::try_from(query)?;
    let profile = state.store.profile(&profile_id).await?;
    let profile = profile.ok_or_else(|| Error::NotFound("There is no such profile.".to_owned()))?;
    let picture = match profile.avatar_url {
        Some(avatar_url) => images::variant(&state, &profile.id, &avatar_url, variant).await,
        None => None,
    };
    let picture =
        picture.ok_or_else(|| Error::NotFound("This profile has no picture.".to_owned()))?;
    Ok(answer(&picture, &headers))
}

fn answer(picture: &Arc<Rendered>, headers: &HeaderMap) -> Response {
    let kept = [
        (header::ETAG, etag::header(&picture.tag)),
        (header::CACHE_CONTROL, CACHE),
    ];
    if etag::has_one_of(headers, [picture.tag.as_str()]) {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    let kind = [(
        header::CONTENT_TYPE,
        HeaderValue::from_static(picture.media_type),
    )];
    (kept, kind, picture.bytes.clone()).into_response()
}
