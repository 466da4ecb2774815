//! The profiles table as the specification's client reads and writes it.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;

use super::answers::{Answers, found};
use super::grammar::{AmountConditions, Filter, RestQuery, prefers, wants_single};
use super::profile_row::{ProfileRow, Shown, Tier, wire};
use super::row::Answer;
use crate::billing::Billing;
use crate::board::Board;
use crate::board::keeper::Seen;
use crate::board::memory::{BoardFilter, Memory};
use crate::http::client_address::ClientAddress;
use crate::http::error::{Error, Problem};
use crate::http::extract::{Body, Json, Object};
use crate::http::session::User;
use store::Store;
use store::profiles::Profile;

/// The columns, in the order of the wire.
const COLUMNS: &[&str] = &[
    "id",
    "username",
    "avatar_url",
    "updated_at",
    "tier",
    "verified",
    "bitcoin_holdings",
    "shown_as",
    "last_verified",
    "rank",
    "last_auto_reverify",
    "provider",
    "published_sats",
    "named",
];

/// The orders that rows can be asked in; they come in this one anyway.
const ORDERS: &[&str] = &["bitcoin_holdings.desc.nullslast"];

/// Profiles, most holdings first. Anybody may read them; tier and the time of the last
/// re-verification are their owner's alone and null for others. Of a profile that is shown as a range its owner sees all, and others
/// see the same whatever the total is within its tier.
#[utoipa::path(get, path = "/profiles", tag = "rest", security(()),
    params(
        ("select" = Option<String>, Query, description = "* or a list of columns", pattern = r"^(\*|(id|username|avatar_url|updated_at|tier|verified|bitcoin_holdings|shown_as|last_verified|rank|last_auto_reverify|provider|published_sats|named)(,(id|username|avatar_url|updated_at|tier|verified|bitcoin_holdings|shown_as|last_verified|rank|last_auto_reverify|provider|published_sats|named))*)?$"),
        ("id" = Option<String>, Query, description = "eq.{id}", pattern = r"^eq\.[^\x00]{0,997}$"),
        ("username" = Option<String>, Query, description = "ilike.*{text}*, or eq.{name}", pattern = r"^(eq|ilike)\.[^\x00\\]{0,990}$"),
        ("provider" = Option<String>, Query, description = "eq.{name of a provider}", pattern = r"^eq\.[^\x00]{0,997}$"),
        ("verified" = Option<String>, Query, description = "eq.true or eq.false", pattern = r"^(eq|is)\.(true|false)$"),
        ("bitcoin_holdings" = inline(Option<AmountConditions>), Query, description = "gte.{BTC}, lt.{BTC}, or both"),
        ("order" = Option<String>, Query, description = "bitcoin_holdings.desc.nullslast", pattern = r"^bitcoin_holdings\.desc\.nullslast$"),
        ("limit" = Option<i64>, Query, description = "at most 1000", minimum = 0),
        ("offset" = Option<i64>, Query, description = "rows to pass over", minimum = 0),
    ),
    responses(
        (status = 200, description = "The rows, with `select` of the columns that were asked for; their range and, with `Prefer: count=exact`, their number in Content-Range. Or the only row, for whoever accepts that", content(
            ([ProfileRow] = "application/json"),
            (ProfileRow = "application/vnd.pgrst.object+json"),
        )),
        (status = 206, description = "Some of the rows: with `Prefer: count=exact`, when there are more", body = [ProfileRow]),
        (status = 304, description = "The client has it"),
        (status = 400, description = "Query not understood", body = Problem, content_type = "application/problem+json"),
        (status = 401, description = "Signed in no longer", body = Problem, content_type = "application/problem+json"),
        (status = 406, description = "No single row", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn read(
    State(board): State<Arc<Board>>,
    State(store): State<Store>,
    State(answers): State<Arc<Answers>>,
    ClientAddress(address): ClientAddress,
    viewer: Option<User>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let mut query = RestQuery::parse(uri.query(), COLUMNS)?;
    let filter = BoardFilter {
        id: query.take_eq("id")?,
        provider: query.take_eq("provider")?,
        username_like: match query.take("username") {
            None => None,
            Some(Filter::Ilike(pattern)) => Some(pattern),
            Some(Filter::Eq(name)) => Some(escape_like(&name)),
            Some(_) => return Err(not_for_names()),
        },
        verified: query.take_bool("verified")?,
        sats: query.take_sats("bitcoin_holdings")?,
    };
    query.finish(ORDERS)?;
    let asked = Asked {
        single: wants_single(&headers),
        count: prefers(&headers, "count=exact"),
        filter,
        query,
    };
    match viewer {
        None => {
            let make = move |seen: &Seen| asked.answer(&seen.board, None);
            let asker = (&headers, ClientAddress(address));
            answers.answer(&uri, asker, make).await
        }
        Some(user) => {
            let (seen, own) = (board.seen().await?, store.profile(&user.id).await?);
            let finding = move || asked.answer(&seen.board, own.as_ref());
            let found = found(&board, address, finding).await?;
            Ok(found.into_response())
        }
    }
}

fn not_for_names() -> Error {
    let message = "The query cannot be read: 'username' is compared with eq and ilike.";
    Error::bad_request("invalid-query", message)
}

/// A request for rows, understood.
struct Asked {
    query: RestQuery,
    filter: BoardFilter,
    single: bool,
    count: bool,
}

impl Asked {
    /// `own` is the viewer's profile.
    fn answer(&self, board: &Memory, own: Option<&Profile>) -> Result<Answer, Error> {
        let (limit, offset) = (self.query.limit, self.query.offset);
        let found = board.find(&self.filter, limit, offset);
        let rows = found.rows.iter();
        let rows = rows.map(|row| wire(row, own).select(&self.query)).collect();
        Answer::of(rows, self.single, offset, self.count.then_some(found.total))
    }
}

/// What a client may send about its own profile. Only `tier`, from unset to `free`, and `shown_as` can change anything
/// (decisions, D1 and D17); the rest is the server's and is accepted without effect.
#[derive(Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ProfileChange {
    /// Must be the sender's own.
    id: Option<String>,
    /// `free` chooses the plan, when there is none yet.
    tier: Option<Tier>,
    /// What others see of the total from now on.
    shown_as: Option<Shown>,
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

/// One row, or a list with one row: clients send either.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum OneRow<T> {
    /// The row itself.
    Bare(T),
    /// The row in a list.
    List([T; 1]),
}

/// Creates or updates one's own profile; it exists already, so this is an update.
#[utoipa::path(post, path = "/profiles", tag = "rest", request_body = ProfileChange,
    params(("on_conflict" = Option<String>, Query, description = "id, which is also meant without", pattern = "^id$")),
    responses(
        (status = 200, description = "Done; the row, with `Prefer: return=representation`", content(
            ([ProfileRow] = "application/json"),
            (ProfileRow = "application/vnd.pgrst.object+json"),
        )),
        (status = 201, description = "Done"),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
        (status = 403, description = "Somebody else's row", body = Problem, content_type = "application/problem+json"),
        (status = 406, description = "No single row", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "A range, while proofs are published", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn upsert(
    State(billing): State<Arc<Billing>>,
    State(board): State<Arc<Board>>,
    State(store): State<Store>,
    user: User,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    Body(body): Body<OneRow<Object<ProfileChange>>>,
) -> Result<Response, Error> {
    let query = RestQuery::parse(query.as_deref(), COLUMNS)?;
    query.finish(&[])?;
    // As in PostgREST, nothing said means the primary key.
    if query.on_conflict.as_deref().is_some_and(|key| key != "id") {
        return Err(Error::bad_request(
            "invalid-query",
            "A profile is written with on_conflict=id.",
        ));
    }
    let (OneRow::Bare(Object(change)) | OneRow::List([Object(change)])) = body;
    let id = change.id.clone().unwrap_or_default();
    change_own((&billing, &board), &user, &id, &change).await?;
    written(
        (&board, &store),
        &user,
        &headers,
        &query,
        StatusCode::CREATED,
    )
    .await
}

/// Updates one's own profile.
#[utoipa::path(patch, path = "/profiles", tag = "rest", request_body = ProfileChange,
    params(("id" = String, Query, description = "eq.{id}", pattern = r"^eq\.[^\x00]{0,997}$")),
    responses(
        (status = 200, description = "Done; the row, with `Prefer: return=representation`", content(
            ([ProfileRow] = "application/json"),
            (ProfileRow = "application/vnd.pgrst.object+json"),
        )),
        (status = 204, description = "Done"),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
        (status = 403, description = "Somebody else's row", body = Problem, content_type = "application/problem+json"),
        (status = 406, description = "No single row", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "A range, while proofs are published", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn update(
    State(billing): State<Arc<Billing>>,
    State(board): State<Arc<Board>>,
    State(store): State<Store>,
    user: User,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    Json(change): Json<ProfileChange>,
) -> Result<Response, Error> {
    let mut query = RestQuery::parse(query.as_deref(), COLUMNS)?;
    let id = query.take_eq("id")?.unwrap_or_default();
    query.finish(&[])?;
    change_own((&billing, &board), &user, &id, &change).await?;
    written(
        (&board, &store),
        &user,
        &headers,
        &query,
        StatusCode::NO_CONTENT,
    )
    .await
}

/// A name as a pattern that matches nothing but it.
fn escape_like(name: &str) -> String {
    let mut pattern = String::with_capacity(name.len());
    for character in name.chars() {
        if matches!(character, '\\' | '%' | '_') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}

async fn change_own(
    (billing, board): (&Billing, &Board),
    user: &User,
    id: &str,
    change: &ProfileChange,
) -> Result<(), Error> {
    if id != user.id || change.id.as_ref().is_some_and(|named| *named != user.id) {
        return Err(Error::forbidden("Only your own profile can be changed."));
    }
    if change.tier == Some(Tier::Free) {
        billing.choose_free(id).await?;
    }
    if let Some(shown) = change.shown_as {
        board.show_as(id, shown.into()).await?;
    }
    Ok(())
}

async fn written(
    (board, store): (&Board, &Store),
    user: &User,
    headers: &HeaderMap,
    query: &RestQuery,
    status: StatusCode,
) -> Result<Response, Error> {
    if !prefers(headers, "return=representation") {
        return Ok(status.into_response());
    }
    let seen = board.caught_up().await?;
    let own = store.profile(&user.id).await?;
    let row = seen.board.profile(&user.id).into_iter();
    let rows = row
        .map(|row| wire(&row, own.as_ref()).select(query))
        .collect();
    let answer = Answer::of(rows, wants_single(headers), 0, None)?;
    Ok(answer.into_response())
}
