//! A receipt for the user's own row.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CONTENT_DISPOSITION;
use axum::response::IntoResponse;

use crate::history::History;
use crate::http::error::Error;
use crate::http::session::User;

const LATER: &str =
    "Your row is not in the log yet. It comes with the next block; try again in ten minutes or so.";

/// A receipt that the board showed the user's row like this at a block. Anyone can check it for ever, offline, with the key of the log
/// (C2SP tlog-proof).
#[utoipa::path(get, path = "/receipt", tag = "functions", security(("access-token" = [])),
    responses(
        (status = 200, description = "The receipt", body = String, content_type = "text/plain"),
        (status = 404, description = "The newest entry of the log does not have the row yet"),
    ))]
pub async fn get_receipt(
    State(history): State<Arc<History>>,
    user: User,
) -> Result<impl IntoResponse, Error> {
    let receipt = history.receipt(&user.id).await?;
    let receipt = receipt.ok_or_else(|| Error::not_found(LATER))?;
    let disposition = "attachment; filename=\"proof-of-reserves.tlog-proof\"";
    Ok(([(CONTENT_DISPOSITION, disposition)], receipt))
}
