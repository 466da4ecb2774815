//! What has changed on the board, for pages that show some of it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::board::keeper::Seen;
use crate::board::memory::{BoardFilter, Move, Stand};
use crate::http::client_address::ClientAddress;
use crate::http::error::{Error, Problem};
use crate::http::extract::Query;
use crate::http::rest::answers::{Answers, Subject};
use crate::http::rest::profile_row::{ProfileRow, public_row};
use crate::http::rest::row::{Answer, Row};
use board_log::units::btc;

/// What somebody has seen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    since: i64,
}

/// What has happened since.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoardChanges {
    /// The number of the board after all of it.
    number: i64,
    /// How many profiles there are then.
    total: usize,
    /// One after another; null when it is not known or too much, so that rows have to be asked for again.
    #[schema(required)]
    moves: Option<Vec<Moved>>,
    /// Those that were moved, as they are after all of it.
    #[schema(value_type = Vec<ProfileRow>)]
    rows: Vec<Row>,
}

/// A row that left its place and was put into another one, which may be the same.
#[derive(Debug, Serialize, ToSchema)]
pub struct Moved {
    /// The number of the board after this.
    number: i64,
    /// Whose row; null for somebody who is gone meanwhile.
    #[schema(required)]
    id: Option<String>,
    /// Where it was taken out; null for somebody new.
    #[schema(required)]
    from: Option<Stands>,
    /// Where it was put in again; null for somebody who is gone.
    #[schema(required)]
    to: Option<Stands>,
    /// Whether its name is another one than before.
    renamed: bool,
}

/// A place in the order of the board.
#[derive(Debug, Serialize, ToSchema)]
pub struct Stands {
    /// How many rows are before it.
    index: usize,
    /// BTC with 8 decimals; null when nothing is proven.
    #[schema(value_type = Option<f64>, required)]
    bitcoin_holdings: Option<Box<serde_json::value::RawValue>>,
}

/// What has changed on the board since the one of this number, in a few words: enough to bring rows that somebody has up to date.
#[utoipa::path(get, path = "/board-changes", tag = "functions",
    params(("since" = i64, Query, description = "The number of the board that is known: the header `board-number` of rows")),
    responses(
        (status = 200, description = "The changes", body = BoardChanges),
        (status = 304, description = "The client has it"),
        (status = 400, description = "No number", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn read(
    State(answers): State<Arc<Answers>>,
    address: ClientAddress,
    Query(Asked { since }): Query<Asked>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let make = move |seen: &Seen| {
        let json = serde_json::to_vec(&BoardChanges::since(since, seen));
        Ok(Answer {
            status: StatusCode::OK,
            content_type: "application/json",
            content_range: None,
            json: json.map_err(|error| Error::internal(error))?,
        })
    };
    let asked = (Subject::Changes, &uri);
    let asker = (&headers, address);
    answers
        .answer(asked, asker, &BoardFilter::EVERYBODY, make)
        .await
}

impl BoardChanges {
    fn since(number: i64, seen: &Seen) -> Self {
        let moves = if number == seen.number {
            Some(Vec::new())
        } else {
            seen.recent.since(number)
        };
        let mut ids: Vec<Uuid> = moves.iter().flatten().map(|(_, moved)| moved.id).collect();
        ids.sort_unstable();
        ids.dedup();
        let rows = ids.iter().map(|id| seen.board.profile(&id.to_string()));
        let rows: Vec<_> = rows.flatten().collect();
        let is_there = |id: Uuid| rows.iter().any(|row| row.id == id);
        let moves = moves.map(|moves| {
            let moved = moves.into_iter();
            moved
                .map(|(number, moved)| Moved::of(number, &moved, is_there(moved.id)))
                .collect()
        });
        Self {
            number: seen.number,
            total: seen.board.len(),
            moves,
            rows: rows.iter().map(public_row).collect(),
        }
    }
}

impl Moved {
    fn of(number: i64, moved: &Move, is_there: bool) -> Self {
        Self {
            number,
            id: is_there.then(|| moved.id.to_string()),
            from: moved.from.map(Stands::of),
            to: moved.to.map(Stands::of),
            renamed: moved.renamed,
        }
    }
}

impl Stands {
    fn of(stand: Stand) -> Self {
        Self {
            index: stand.index,
            bitcoin_holdings: stand.holdings_sats.map(btc),
        }
    }
}
