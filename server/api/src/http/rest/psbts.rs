//! The psbts table: the history of a user's own proofs.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::grammar::RestQuery;
use super::row::{Columns, rows_response};
use crate::accounts::Accounts;
use crate::config::Config;
use crate::http::error::Error;
use crate::http::session::User;
use store::proofs::Proof;

// utoipa's macro takes no generic types of ours.
type ProofColumns = Columns<Proof>;

/// The user's own proofs, newest first. Other users and visitors get none.
#[utoipa::path(get, path = "/api/rest/v1/psbts", tag = "rest", security((), ("access-token" = [])),
    params(
        ("user_id" = Option<String>, Query, description = "eq.{id}", pattern = r"^eq\.[^\x00]*$"),
        ("select" = inline(Option<ProofColumns>), Query, description = "* or a list of columns"),
        ("verified" = Option<String>, Query, description = "eq.true or is.true: every recorded proof has been verified", pattern = r"^(eq|is)\.(true|false)$"),
        ("order" = Option<String>, Query, description = "created_at.desc", pattern = r"^created_at\.desc$"),
        ("limit" = Option<i64>, Query, description = "at most 1000", minimum = 0),
        ("offset" = Option<i64>, Query, description = "rows to skip", minimum = 0),
    ),
    responses(
        (status = 200, description = "The rows; with `select`, of the columns that were asked for. Or the only row, for clients that accept that", content(
            ([Proof] = "application/json"),
            (Proof = "application/vnd.pgrst.object+json"),
        )),
        (status = 206, description = "Some of the rows: with `Prefer: count=exact`, when there are more", body = [Proof]),
        (status = 406, description = "No single row"),
    ))]
pub async fn list_proofs(
    State(accounts): State<Arc<Accounts>>,
    user: Option<User>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let mut query = RestQuery::parse::<Proof>(query.as_deref())?;
    let owner = query.take_eq("user_id")?;
    // A file that is not verified is never recorded.
    let none = query.take_bool("verified")? == Some(false);
    query.finish(&["created_at.desc"])?;
    let user = user.filter(|user| !none && owner.is_none_or(|id| id == user.id));
    let (mut proofs, mut total) = (Vec::new(), 0);
    if let Some(user) = user {
        let found = accounts.proofs(&user.id, query.limit, query.offset);
        (proofs, total) = found.await?;
    }
    rows_response(&proofs, &query, total, &headers)
}

/// Clear Mock Data: deletes the user's own mock proofs. Development only.
#[utoipa::path(delete, path = "/api/rest/v1/psbts", tag = "rest", security(("access-token" = [])),
    params(
        ("user_id" = String, Query, description = "eq.{id}, the user's own", pattern = r"^eq\.[^\x00]*$"),
        ("file_name" = String, Query, description = "eq.wallet_verification.psbt", pattern = r"^eq\.[^\x00]*$"),
    ),
    responses(
        (status = 204, description = "Deleted"),
        (status = 403, description = "Not in development mode"),
    ))]
pub async fn delete_mock_proofs(
    State(config): State<Arc<Config>>,
    State(accounts): State<Arc<Accounts>>,
    user: User,
    RawQuery(query): RawQuery,
) -> Result<StatusCode, Error> {
    let mut query = RestQuery::parse::<Proof>(query.as_deref())?;
    let owner = query
        .take_eq("user_id")?
        .ok_or_else(|| Error::bad_request("invalid-query", "Say whose proofs: user_id=eq.{id}."))?;
    if owner != user.id {
        return Err(Error::forbidden("Only your own proofs can be deleted."));
    }
    let file_name = query.take_eq("file_name")?.unwrap_or_default();
    query.finish(&[])?;
    if !config.development() {
        let message = "Mock data exists only in development mode.";
        return Err(Error::forbidden(message));
    }
    accounts.delete_mock_proofs(&user.id, &file_name).await?;
    Ok(StatusCode::NO_CONTENT)
}
