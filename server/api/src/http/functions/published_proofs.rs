//! The proofs that their owners have published, for anyone to check (proofs, section 4).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::board::Board;
use crate::http::error::Error;
use crate::http::extract::Query;
use board_log::units::iso;
use store::Store;
use store::profiles::is_named;
use store::published::ListedProof;

/// How many proofs a page has by default, and at most.
const PAGE: usize = 100;
const MOST: usize = 1_000;

/// Which of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    limit: Option<usize>,
    after: Option<String>,
    profile_id: Option<String>,
}

/// Some published proofs.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublishedProofs {
    proofs: Vec<Listed>,
    /// What to send as `after` for those that follow; null when there are none.
    #[schema(required)]
    next: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Listed {
    id: String,
    /// Whose it is.
    profile_id: String,
    /// The name in the person's row.
    username: String,
    /// The name of the provider that says who this is.
    provider: String,
    /// Whether the provider told that name, and it is not one that stands in for it.
    named: bool,
    /// What counts of it now, in sats.
    amount_sats: i64,
    /// RFC 3339.
    published_at: String,
}

impl From<ListedProof> for Listed {
    fn from(proof: ListedProof) -> Self {
        Self {
            named: is_named(&proof.user_id, &proof.username),
            id: proof.id,
            profile_id: proof.user_id,
            username: proof.username,
            provider: proof.provider,
            amount_sats: proof.amount_sats,
            published_at: iso(proof.published_at),
        }
    }
}

/// The proofs that their owners have published, in the order of their ids.
#[utoipa::path(get, path = "/proofs", tag = "functions",
    params(
        ("limit" = Option<usize>, Query, description = "1 to 1000, default 100", minimum = 1, maximum = 1000),
        ("after" = Option<String>, Query, description = "`next` of the page before", format = "uuid"),
        ("profile_id" = Option<String>, Query, description = "only those of one profile", format = "uuid"),
    ),
    responses(
        (status = 200, description = "Some of them", body = PublishedProofs),
        (status = 304, description = "The client has it"),
    ))]
pub async fn list_published_proofs(
    State(board): State<Arc<Board>>,
    State(store): State<Store>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<PublishedProofs>, Error> {
    let limit = wanted.limit.unwrap_or(PAGE);
    if !(1..=MOST).contains(&limit) {
        let sentence = format!("A page has 1 to {MOST} proofs.");
        return Err(Error::bad_request("invalid-query", sentence));
    }
    let owner = wanted.profile_id.as_deref().map(parse_id).transpose()?;
    let after = wanted.after.as_deref().map(parse_id).transpose()?;
    let after = after.unwrap_or_default();
    board.settle().await?;
    // One more than is shown says whether any follow.
    let count = i64::try_from(limit + 1).unwrap_or(i64::MAX);
    let found = store.published_proofs(owner.as_deref(), &after, count);
    let mut found = found.await?;
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| more).map(|last| last.id.clone());
    let proofs = found.into_iter().map(Listed::from).collect();
    Ok(Json(PublishedProofs { proofs, next }))
}

/// The id in the database's spelling.
fn parse_id(text: &str) -> Result<String, Error> {
    let id = Uuid::try_parse(text).map(|id| id.to_string());
    id.map_err(|_| Error::bad_request("invalid-query", format!("'{text}' is no id.")))
}
