//! The development wallet, in development mode.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::development;
use crate::http::error::{Error, Problem};
use crate::http::extract::Object;
use crate::http::session::User;
use chain::sources::development::DevelopmentChain;

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
    /// The signed and finalised PSBT, in base64.
    psbt_base64: String,
    /// Name of the file.
    file_name: String,
}

/// Signs a file with the keys of the signed-in user's samples, as the wallet of a holder does.
///
/// # Errors
/// 400 when the file cannot be signed, 401 when nobody is signed in, 404 without a development chain.
#[utoipa::path(post, path = "/development-sign", tag = "functions", request_body = FileToSign,
    responses(
        (status = 200, description = "The signed file", body = SignedFile),
        (status = 400, description = "Not a file over coins of this user's samples", body = Problem, content_type = "application/problem+json"),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "No development chain", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn sign(
    State(chain): State<Option<Arc<DevelopmentChain>>>,
    user: User,
    body: Result<Json<Object<FileToSign>>, JsonRejection>,
) -> Result<Json<SignedFile>, Error> {
    if chain.is_none() {
        let sentence = "There is a development wallet only on the development chain.";
        return Err(Error::not_found(sentence));
    }
    let Json(Object(file)) = body?;
    let signed = development::sign(&user.id, &file.psbt_base64)?;
    Ok(Json(SignedFile {
        psbt_base64: STANDARD.encode(signed.serialize()),
        file_name: FILE_NAME.to_owned(),
    }))
}
