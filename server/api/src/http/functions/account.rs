//! The user's own account: rank, history, export, receipt, deletion.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_DISPOSITION;
use axum::response::IntoResponse;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::accounts::Accounts;
use crate::board::Board;
use crate::board_log::BoardLog;
use crate::http::error::Error;
use crate::http::extract::Path;
use crate::http::session::{Counted, Export, User};
use store::proofs::HoldingsPoint;
use store::records::Record;

/// A rank.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserRank {
    /// 1 plus the number of users who hold strictly more; null when nothing is proven.
    #[schema(required)]
    rank: Option<i64>,
}

/// The rank of a user, the same as on the leaderboard (decisions, D7). Anyone may read it, as they may read the leaderboard.
#[utoipa::path(get, path = "/api/functions/v1/getUserRank/{user_id}", tag = "functions", security((), ("access-token" = [])),
    params(("user_id" = String, Path, description = "Id of a user")),
    responses(
        (status = 200, description = "The rank", body = UserRank),
        (status = 404, description = "No such user"),
    ))]
pub async fn get_user_rank(
    State(board): State<Arc<Board>>,
    _viewer: Option<User>,
    Path(user_id): Path<String>,
) -> Result<Json<UserRank>, Error> {
    let row = board.current().await?.rows.profile(&user_id);
    let row = row.ok_or_else(|| Error::not_found("User profile not found"))?;
    Ok(Json(UserRank { rank: row.rank }))
}

/// Everything that is on record about the user, as a file.
#[utoipa::path(get, path = "/api/functions/v1/export-account", tag = "functions", security(("access-token" = [])),
    responses((status = 200, description = "The copy", body = Record)))]
pub async fn export_account(
    State(accounts): State<Arc<Accounts>>,
    Counted(user, ..): Counted<Export>,
) -> Result<impl IntoResponse, Error> {
    let record = accounts.record(&user.id).await?;
    let record = record.ok_or_else(Error::signed_out)?;
    let name = "attachment; filename=\"proof-of-reserves.json\"";
    Ok(([(CONTENT_DISPOSITION, name)], Json(record)))
}

const LATER: &str =
    "Your row is not in the log yet. It comes with the next block; try again in ten minutes or so.";

/// A receipt that the board showed the user's row like this at a block. Anyone can check it for ever, offline, with the key of the log
/// (C2SP tlog-proof).
#[utoipa::path(get, path = "/api/functions/v1/receipt", tag = "functions", security(("access-token" = [])),
    responses(
        (status = 200, description = "The receipt", body = String, content_type = "text/plain"),
        (status = 404, description = "The newest entry of the log does not have the row yet"),
    ))]
pub async fn get_receipt(
    State(board_log): State<Arc<BoardLog>>,
    user: User,
) -> Result<impl IntoResponse, Error> {
    let receipt = board_log.receipt(&user.id).await?;
    let receipt = receipt.ok_or_else(|| Error::not_found(LATER))?;
    let disposition = "attachment; filename=\"proof-of-reserves.tlog-proof\"";
    Ok(([(CONTENT_DISPOSITION, disposition)], receipt))
}

/// Deletes the account with its proofs, claims and sessions, at once and for good. A subscription is cancelled
/// within a minute, or as soon as the payment provider answers.
#[utoipa::path(post, path = "/api/functions/v1/delete-account", tag = "functions", security(("access-token" = [])),
    responses((status = 200, description = "Deleted", body = Value)))]
pub async fn delete_account(
    State(accounts): State<Arc<Accounts>>,
    user: User,
) -> Result<Json<Value>, Error> {
    accounts.delete(&user.id).await?;
    Ok(Json(json!({ "status": "ok" })))
}

/// The most points of a response, the newest.
const MOST: i64 = 1000;

/// The holdings at every moment at which they changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct HoldingsHistory {
    /// Oldest first; none for users who never proved anything.
    points: Vec<HoldingsPoint>,
}

/// What has counted for the user, from the first proof on. No one else sees it.
#[utoipa::path(get, path = "/api/functions/v1/holdings-history", tag = "functions", security(("access-token" = [])),
    responses((status = 200, description = "The points", body = HoldingsHistory)))]
pub async fn get_holdings_history(
    State(accounts): State<Arc<Accounts>>,
    user: User,
) -> Result<Json<HoldingsHistory>, Error> {
    let points = accounts.holdings(&user.id, MOST).await?;
    Ok(Json(HoldingsHistory { points }))
}
