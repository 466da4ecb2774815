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
use crate::pictures::{Form, Pictures};
use store::Store;

/// How long a browser may show a picture without asking.
const CACHE: &str = "public, max-age=3600";

const FORMS: &str = "A picture is offered as it is (format=origin or no parameters), or square as WebP (width=96&height=96); resize=cover, format=webp and quality=80 change nothing.";

/// Which form of the picture is wanted: as it is, or square.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FormQuery {
    /// Pixels; with the same height.
    #[param(pattern = "^96$")]
    width: Option<String>,
    /// Pixels; with the same width.
    #[param(pattern = "^96$")]
    height: Option<String>,
    /// With width and height; what stands out is cut off.
    #[param(pattern = "^cover$")]
    resize: Option<String>,
    /// `webp` only with width and height, and the default there. `origin` only without them: PNG with transparency, else JPEG, at most 400
    /// pixels on a side.
    #[param(pattern = "^(webp|origin)$")]
    format: Option<String>,
    /// With width and height.
    #[param(pattern = "^80$")]
    quality: Option<String>,
    /// Changes with the picture, so that caches on the way do not keep an older one; `avatar_url` of a profile has it. Not
    /// read.
    #[serde(rename = "v")]
    _version: Option<String>,
}

impl FormQuery {
    fn form(&self) -> Option<Form> {
        let side = (self.width.as_deref(), self.height.as_deref());
        let how = (self.resize.as_deref(), self.quality.as_deref());
        match (side, how, self.format.as_deref()) {
            (
                (Some("96"), Some("96")),
                (None | Some("cover"), None | Some("80")),
                None | Some("webp"),
            ) => Some(Form::Small),
            ((None, None), (None, None), None | Some("origin")) => Some(Form::Whole),
            _ => None,
        }
    }
}

/// The picture of a profile, fetched from its provider, redrawn and served from this origin.
///
/// It is also at `/api/storage/v1/object/public/avatars/{profile_id}`, as it is, and at `/api/storage/v1/render/image/public/avatars/{profile_id}`, in
/// either form: there clients of hosted storage ask for it (`getPublicUrl`).
#[utoipa::path(get, path = "/api/storage/v1/avatar/{profile_id}", tag = "storage",
    params(("profile_id" = String, Path, description = "Id of a profile"), FormQuery),
    responses(
        (status = 200, description = "The picture, with a strong ETag", content(("image/jpeg"), ("image/png"), ("image/webp"))),
        (status = 400, description = "Not a form that is offered; the answer lists them"),
        (status = 304, description = "The client has it"),
        (status = 404, description = "No picture"),
    ))]
pub async fn get_avatar(
    State(pictures): State<Arc<Pictures>>,
    State(store): State<Store>,
    ClientAddress(address): ClientAddress,
    Path(profile_id): Path<String>,
    query: Result<Query<FormQuery>, Error>,
) -> Result<Response, Error> {
    let form = query.ok().and_then(|Query(query)| query.form());
    let form = form.ok_or_else(|| Error::bad_request("invalid-query", FORMS))?;
    let profile = {
        let _permit = store.visitor_permit().await;
        store.profile(&profile_id).await?
    };
    let profile = profile.ok_or_else(|| Error::not_found("There is no such profile."))?;
    let missing = || Error::not_found("This profile has no picture.");
    let avatar_url = profile.avatar_url.ok_or_else(missing)?;
    let picture = pictures.picture(&profile.id, &avatar_url, form, address);
    let picture = picture.await?.ok_or_else(missing)?;
    let headers = [
        (header::CONTENT_TYPE, picture.media_type),
        (header::CACHE_CONTROL, CACHE),
    ];
    Ok((headers, picture.bytes).into_response())
}
