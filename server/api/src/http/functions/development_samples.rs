//! Files to try the product with, in development mode.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use utoipa::ToSchema;

use crate::development;
use crate::http::error::{Error, Problem};
use crate::http::session::User;
use crate::proof::Proving;
use chain::sources::development::DevelopmentChain;
use store::Store;

/// A sample file.
#[derive(Debug, Serialize, ToSchema)]
pub struct SampleFile {
    /// Stable name of the sample.
    id: String,
    /// Name of the file.
    file_name: String,
    /// What it is, in a few words.
    title: String,
    /// What to expect of it.
    description: String,
    /// The file itself, in base64.
    psbt_base64: String,
}

/// Files made for the signed-in user from coins of the development chain.
///
/// # Errors
/// 401 when nobody is signed in, 404 without a development chain.
#[utoipa::path(get, path = "/development-samples", tag = "functions",
    responses(
        (status = 200, description = "The samples", body = [SampleFile]),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "No development chain", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn read(
    State(chain): State<Option<Arc<DevelopmentChain>>>,
    State(proving): State<Arc<Proving>>,
    State(store): State<Store>,
    user: User,
) -> Result<Json<Vec<SampleFile>>, Error> {
    let chain = chain
        .ok_or_else(|| Error::not_found("There are samples only on the development chain."))?;
    let account = store.profile(&user.id).await?;
    let account = account.ok_or_else(Error::signed_out)?;
    let statement = proving.statement(&account).await?;
    let samples = development::samples(&chain, &user.id, Some(statement.line()))
        .into_iter()
        .map(|sample| SampleFile {
            id: sample.id.to_owned(),
            file_name: sample.file_name.to_owned(),
            title: sample.title.to_owned(),
            description: sample.description.to_owned(),
            psbt_base64: STANDARD.encode(&sample.psbt),
        })
        .collect();
    Ok(Json(samples))
}
