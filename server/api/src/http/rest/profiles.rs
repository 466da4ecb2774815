//! The profiles table as the specification's client reads and writes it.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;

use super::grammar::{RestQuery, prefers};
use super::profile_row::{ProfileRow, Tier};
use super::row::{Columns, rows_response};
use crate::accounts::{Accounts, ChoiceError};
use crate::board::Board;
use crate::board::memory::BoardFilter;
use crate::board::refresh::NumberedBoard;
use crate::http::client_address::ClientAddress;
use crate::http::error::Error;
use crate::http::extract::Json;
use crate::http::session::{User, Viewer};
use store::shown_as::ShownAs;

// utoipa's macro takes no generic types of ours.
type ProfileColumns = Columns<ProfileRow>;

/// The orders that a client may ask for; rows always come in this one.
const ORDERS: &[&str] = &["bitcoin_holdings.desc.nullslast"];

/// Profiles, most holdings first. Anyone may read them; only the owner sees tier and the time of the last re-verification, which are null
/// for others. Of a profile that is shown as a range the owner sees all, and others see the same whatever the total is within its tier.
#[utoipa::path(get, path = "/api/rest/v1/profiles", tag = "rest", security((), ("access-token" = [])),
    params(
        ("select" = inline(Option<ProfileColumns>), Query, description = "* or a list of columns"),
        ("id" = Option<String>, Query, description = "eq.{id}", pattern = r"^eq\.[^\x00]*$"),
        ("username" = Option<String>, Query, description = "ilike.*{text}*, or eq.{name}", pattern = r"^(eq|ilike)\.[^\x00\\]*$"),
        ("provider" = Option<String>, Query, description = "eq.{name of a provider}", pattern = r"^eq\.[^\x00]*$"),
        ("verified" = Option<String>, Query, description = "eq or is, true or false", pattern = r"^(eq|is)\.(true|false)$"),
        ("bitcoin_holdings" = Option<Vec<String>>, Query, description = "gte.{BTC}, lt.{BTC}, or both", min_items = 1, pattern = r"^(gte|lt)\.[0-9]{1,11}(\.[0-9]{0,8})?$"),
        ("order" = Option<String>, Query, description = "bitcoin_holdings.desc.nullslast", pattern = r"^bitcoin_holdings\.desc\.nullslast$"),
        ("limit" = Option<i64>, Query, description = "at most 1000", minimum = 0),
        ("offset" = Option<i64>, Query, description = "rows to skip", minimum = 0),
    ),
    responses(
        (status = 200, description = "The rows, with `select` of the columns that were asked for; their range and, with `Prefer: count=exact`, their number in Content-Range. Or the only row, for clients that accept that", content(
            ([ProfileRow] = "application/json"),
            (ProfileRow = "application/vnd.pgrst.object+json"),
        )),
        (status = 206, description = "Some of the rows: with `Prefer: count=exact`, when there are more", body = [ProfileRow]),
        (status = 304, description = "The client has it"),
        (status = 406, description = "No single row"),
    ))]
pub async fn list_profiles(
    State(board): State<Arc<Board>>,
    ClientAddress(address): ClientAddress,
    Viewer(own): Viewer,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let mut query = RestQuery::parse::<ProfileRow>(query.as_deref())?;
    let filter = BoardFilter {
        id: query.take_eq("id")?,
        provider: query.take_eq("provider")?,
        username_like: query.take_pattern("username")?,
        verified: query.take_bool("verified")?,
        sats: query.take_sats("bitcoin_holdings")?,
    };
    query.finish(ORDERS)?;
    let find = move |board: &NumberedBoard| {
        let found = board.rows.find(&filter, query.limit, query.offset);
        let for_viewer = |row| ProfileRow::for_viewer(row, own.as_ref());
        let rows: Vec<_> = found.rows.iter().map(for_viewer).collect();
        rows_response(&rows, &query, found.total, &headers)
    };
    board.read(address, find).await?
}

/// What a client may send about its own profile. Only `tier`, from unset to `free`, and `shown_as` can change anything
/// (decisions, D1 and D17); the server decides the rest, which is accepted without effect.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ProfileChange {
    /// Must be the sender's own.
    id: Option<String>,
    /// `free` chooses the plan, when there is none yet.
    tier: Option<Tier>,
    /// What others see of the total from now on.
    shown_as: Option<ShownAs>,
    #[schema(value_type = Option<String>)]
    username: Value,
    #[schema(value_type = Option<String>)]
    avatar_url: Value,
    #[schema(value_type = Option<String>)]
    updated_at: Value,
    #[schema(value_type = Option<bool>)]
    verified: Value,
    #[schema(value_type = Option<f64>)]
    bitcoin_holdings: Value,
    #[schema(value_type = Option<String>)]
    last_verified: Value,
}

/// Creates or updates the user's own profile; it exists already, so this is an update.
#[utoipa::path(post, path = "/api/rest/v1/profiles", tag = "rest", security(("access-token" = [])), request_body = ProfileChange,
    params(("on_conflict" = Option<String>, Query, description = "id, which is also meant without", pattern = "^id$")),
    responses(
        (status = 200, description = "Done; the row, with `Prefer: return=representation`", content(
            ([ProfileRow] = "application/json"),
            (ProfileRow = "application/vnd.pgrst.object+json"),
        )),
        (status = 201, description = "Done"),
        (status = 403, description = "The row of another user"),
        (status = 406, description = "No single row"),
        (status = 409, description = "A range, while proofs are published"),
    ))]
pub async fn upsert_profile(
    State(accounts): State<Arc<Accounts>>,
    user: User,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    Json(change): Json<ProfileChange>,
) -> Result<Response, Error> {
    let query = RestQuery::parse::<ProfileRow>(query.as_deref())?;
    query.finish(&[])?;
    let id = change.id.clone().unwrap_or_default();
    change_own(&accounts, &user, &id, &change).await?;
    let done = StatusCode::CREATED;
    changed_row(&accounts, &user, &headers, &query, done).await
}

/// Updates the user's own profile.
#[utoipa::path(patch, path = "/api/rest/v1/profiles", tag = "rest", security(("access-token" = [])), request_body = ProfileChange,
    params(("id" = String, Query, description = "eq.{id}", pattern = r"^eq\.[^\x00]*$")),
    responses(
        (status = 200, description = "Done; the row, with `Prefer: return=representation`", content(
            ([ProfileRow] = "application/json"),
            (ProfileRow = "application/vnd.pgrst.object+json"),
        )),
        (status = 204, description = "Done"),
        (status = 403, description = "The row of another user"),
        (status = 406, description = "No single row"),
        (status = 409, description = "A range, while proofs are published"),
    ))]
pub async fn update_profile(
    State(accounts): State<Arc<Accounts>>,
    user: User,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    Json(change): Json<ProfileChange>,
) -> Result<Response, Error> {
    let mut query = RestQuery::parse::<ProfileRow>(query.as_deref())?;
    let id = query.take_eq("id")?.unwrap_or_default();
    query.finish(&[])?;
    change_own(&accounts, &user, &id, &change).await?;
    let done = StatusCode::NO_CONTENT;
    changed_row(&accounts, &user, &headers, &query, done).await
}

impl From<ChoiceError> for Error {
    fn from(cause: ChoiceError) -> Self {
        match cause {
            ChoiceError::Published => Self::conflict("proofs-published", cause.to_string()),
            ChoiceError::Database(cause) => cause.into(),
        }
    }
}

async fn change_own(
    accounts: &Accounts,
    user: &User,
    id: &str,
    change: &ProfileChange,
) -> Result<(), Error> {
    if id != user.id || change.id.as_ref().is_some_and(|named| *named != user.id) {
        return Err(Error::forbidden("Only your own profile can be changed."));
    }
    let free = change.tier == Some(Tier::Free);
    Ok(accounts.choose(id, free, change.shown_as).await?)
}

/// The row after a change, for clients that want it; else only a status.
async fn changed_row(
    accounts: &Accounts,
    user: &User,
    headers: &HeaderMap,
    query: &RestQuery,
    done: StatusCode,
) -> Result<Response, Error> {
    if !prefers(headers, "return=representation") {
        return Ok(done.into_response());
    }
    let row = accounts.row(&user.id).await?;
    let row = row.map(|(row, own)| ProfileRow::for_viewer(&row, Some(&own)));
    rows_response(row.as_slice(), query, row.iter().count(), headers)
}
