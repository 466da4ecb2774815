//! Development mode: files to try the product with, and the wallet that signs them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::error::Error;
use crate::http::extract::Object;
use crate::http::session::User;
use crate::proof::Proving;
use crate::sample_holders::SampleHolders;
use chain::sources::development::DevelopmentChain;
use development::Sample;

/// Files made for the signed-in user from coins of the development chain.
///
/// # Errors
/// 401 when nobody is signed in, 404 without a development chain.
#[utoipa::path(get, path = "/api/functions/v1/development-samples", tag = "functions", security(("access-token" = [])),
    responses(
        (status = 200, description = "The samples", body = [Sample]),
        (status = 404, description = "No development chain"),
    ))]
pub async fn list_development_samples(
    State(chain): State<Option<Arc<DevelopmentChain>>>,
    State(proving): State<Arc<Proving>>,
    user: User,
) -> Result<Json<Vec<Sample>>, Error> {
    let message = "There are samples only on the development chain.";
    let chain = chain.ok_or_else(|| Error::not_found(message))?;
    let statement = proving.statement(&user.id).await?;
    let samples = development::samples(&chain, &user.id, Some(statement.line()));
    Ok(Json(samples))
}

/// How many sample holders the board has.
#[derive(Debug, Serialize, ToSchema)]
pub struct SampleHolderCount {
    /// 0 after they are removed, and on a board that never had any.
    count: usize,
}

fn sample_holders(holders: Option<Arc<SampleHolders>>) -> Result<Arc<SampleHolders>, Error> {
    holders
        .ok_or_else(|| Error::not_found("There are sample holders only on the development chain."))
}

/// How many sample holders the board has.
///
/// # Errors
/// 404 without a development chain.
#[utoipa::path(get, path = "/api/functions/v1/sample-holders", tag = "functions",
    responses(
        (status = 200, description = "Their number", body = SampleHolderCount),
        (status = 404, description = "No development chain"),
    ))]
pub async fn count_sample_holders(
    State(holders): State<Option<Arc<SampleHolders>>>,
) -> Result<Json<SampleHolderCount>, Error> {
    let count = sample_holders(holders)?.count().await?;
    Ok(Json(SampleHolderCount { count }))
}

/// Removes the sample holders, and nothing of the developer's own.
///
/// # Errors
/// 404 without a development chain.
#[utoipa::path(delete, path = "/api/functions/v1/sample-holders", tag = "functions",
    responses(
        (status = 204, description = "They are gone"),
        (status = 404, description = "No development chain"),
    ))]
pub async fn remove_sample_holders(
    State(holders): State<Option<Arc<SampleHolders>>>,
) -> Result<StatusCode, Error> {
    sample_holders(holders)?.remove().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What the signed file is called.
const FILE_NAME: &str = "signed-by-development-wallet.psbt";

/// A file for the development wallet.
#[derive(Debug, Deserialize, ToSchema)]
pub struct FileToSign {
    /// A PSBT over coins of the signed-in user's samples, in base64.
    psbt_base64: String,
}

/// The file as the development wallet gives it back.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedFile {
    /// The signed and finalized PSBT, in base64.
    psbt_base64: String,
    /// Name of the file.
    file_name: String,
}

/// Signs a file with the keys of the signed-in user's samples, as the wallet of a holder does.
///
/// # Errors
/// 400 when the file cannot be signed, 401 when nobody is signed in, 404 without a development chain.
#[utoipa::path(post, path = "/api/functions/v1/development-sign", tag = "functions", security(("access-token" = [])), request_body = FileToSign,
    responses(
        (status = 200, description = "The signed file", body = SignedFile),
        (status = 400, description = "Not a file over coins of this user's samples"),
        (status = 404, description = "No development chain"),
    ))]
pub async fn sign_with_development_wallet(
    State(chain): State<Option<Arc<DevelopmentChain>>>,
    user: User,
    body: Result<Json<Object<FileToSign>>, JsonRejection>,
) -> Result<Json<SignedFile>, Error> {
    if chain.is_none() {
        let message = "There is a development wallet only on the development chain.";
        return Err(Error::not_found(message));
    }
    let Json(Object(file)) = body?;
    let signed = development::sign(&user.id, &file.psbt_base64)
        .map_err(|error| Error::bad_request("invalid-psbt", error.to_string()))?;
    Ok(Json(SignedFile {
        psbt_base64: STANDARD.encode(signed.serialize()),
        file_name: FILE_NAME.to_owned(),
    }))
}
