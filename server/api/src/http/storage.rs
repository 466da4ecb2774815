//! Pictures by profile id, never by address.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::client_address::ClientAddress;
use crate::http::error::Error;
use crate::http::extract::{Path, Query};
use crate::pictures::{Form, KEPT_SIDE, NoPicture, Pictures, SMALL_SIDE};

/// How long a browser may show a picture without asking.
const CACHE: &str = "public, max-age=3600";

const FORMS: &str = "A picture has a width and a height of 1 to 400 (both may be missing), resize=cover, contain or fill, quality=20 to 100, and format=origin, or webp up to 96.";

/// Which form of the picture is wanted. There are two, and the smallest that is large enough is sent: 96 pixels square as WebP, or as it is kept,
/// at most 400 pixels on a side.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FormQuery {
    /// Pixels.
    #[param(minimum = 1, maximum = 400)]
    width: Option<usize>,
    /// Pixels.
    #[param(minimum = 1, maximum = 400)]
    height: Option<usize>,
    /// Both forms are made already, so it changes nothing.
    #[param(pattern = "^(cover|contain|fill)$")]
    resize: Option<String>,
    /// `origin` is the picture as it is kept: PNG with transparency, else JPEG.
    #[param(pattern = "^(origin|webp)$")]
    format: Option<String>,
    /// It changes nothing.
    #[param(minimum = 20, maximum = 100)]
    quality: Option<usize>,
    /// Changes with the picture, so that caches on the way do not keep an older one; `avatar_url` of a profile has it. Not
    /// read.
    #[serde(rename = "v")]
    _version: Option<String>,
}

impl FormQuery {
    fn form(&self) -> Option<Form> {
        let sides = [self.width, self.height].into_iter().flatten();
        let sides = sides.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
        let is_known = sides.clone().all(|side| (1..=KEPT_SIDE).contains(&side))
            && self.quality.is_none_or(|it| (20..=100).contains(&it))
            && matches!(
                self.resize.as_deref(),
                None | Some("cover" | "contain" | "fill")
            );
        let is_small = sides.max().is_some_and(|side| side <= SMALL_SIDE);
        match self.format.as_deref() {
            _ if !is_known => None,
            None | Some("webp") if is_small => Some(Form::Small),
            None | Some("origin") => Some(Form::Whole),
            Some(_) => None,
        }
    }
}

impl From<NoPicture> for Error {
    fn from(cause: NoPicture) -> Self {
        let message = cause.to_string();
        match cause {
            NoPicture::NoProfile | NoPicture::None => Self::not_found(message),
            NoPicture::Full(cause) => cause.into(),
            NoPicture::Database(cause) => cause.into(),
        }
    }
}

/// The picture of a profile, fetched from its provider, redrawn and served from this origin.
///
/// It is also at `/api/storage/v1/object/public/avatars/{profile_id}`. Clients of hosted storage ask for it at these two addresses (`getPublicUrl`).
#[utoipa::path(get, path = "/api/storage/v1/render/image/public/avatars/{profile_id}", tag = "storage",
    params(("profile_id" = String, Path, description = "Id of a profile"), FormQuery),
    responses(
        (status = 200, description = "The picture, with a strong ETag", content(("image/jpeg"), ("image/png"), ("image/webp"))),
        (status = 400, description = "Not a form that is offered; the answer lists them"),
        (status = 304, description = "The client has it"),
        (status = 404, description = "No picture"),
    ))]
pub async fn get_avatar(
    State(pictures): State<Arc<Pictures>>,
    ClientAddress(address): ClientAddress,
    Path(profile_id): Path<String>,
    query: Result<Query<FormQuery>, Error>,
) -> Result<Response, Error> {
    let form = query.ok().and_then(|Query(query)| query.form());
    let form = form.ok_or_else(|| Error::bad_request("invalid-query", FORMS))?;
    let picture = pictures.picture(&profile_id, form, address).await?;
    let headers = [
        (header::CONTENT_TYPE, picture.media_type),
        (header::CACHE_CONTROL, CACHE),
    ];
    Ok((headers, picture.bytes).into_response())
}
