//! A receipt for one's own row.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;

use crate::history::History;
use crate::http::error::{Error, Problem};
use crate::http::session::User;

/// A receipt for whoever asks: that the board showed their row like this at a block. It can be checked for ever, offline, with the key of the
/// log (C2SP tlog-proof).
#[utoipa::path(get, path = "/receipt", tag = "functions",
    responses(
        (status = 200, description = "The receipt", body = String, content_type = "text/plain"),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "The newest entry of the log does not have the row yet", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn get_receipt(
    State(history): State<Arc<History>>,
    user: User,
) -> Result<impl IntoResponse, Error> {
    let receipt = history.receipt(&user.id).await?;
    let receipt = receipt.ok_or_else(|| {
        let later = "Your row is not in the log yet. It comes with the next block; try again in ten minutes or so.";
        Error::not_found(later)
    })?;
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8"),
        (
            CONTENT_DISPOSITION,
            "attachment; filename=\"proof-of-reserves.tlog-proof\"",
        ),
    ];
    Ok((headers, receipt))
}
