//! Published proofs (proofs, section 4): all of them, one with all that it takes to check it, and the end of one.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::Accounts;
use crate::http::error::Error;
use crate::http::extract::{Path, Query};
use crate::http::session::User;
use crate::published_proofs::{Published, PublishedError};
use board_log::published::PublishedProof;
use store::published_proofs::ListedProof;

/// How many proofs a page has by default, and at most.
const PAGE: usize = 100;
const MOST: usize = 1_000;

/// Which proofs are wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListQuery {
    limit: Option<usize>,
    after: Option<String>,
    profile_id: Option<String>,
}

/// Some published proofs.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublishedProofs {
    proofs: Vec<ListedProof>,
    /// What to send as `after` for those that follow; null when there are none.
    #[schema(required)]
    next: Option<String>,
}

/// The proofs that their owners have published, in the order of their ids.
#[utoipa::path(get, path = "/api/functions/v1/proofs", tag = "functions",
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
    State(published): State<Arc<Published>>,
    Query(query): Query<ListQuery>,
) -> Result<Json<PublishedProofs>, Error> {
    let limit = query.limit.unwrap_or(PAGE);
    if !(1..=MOST).contains(&limit) {
        let sentence = format!("A page has 1 to {MOST} proofs.");
        return Err(Error::bad_request("invalid-query", sentence));
    }
    let id = |text: &str| {
        let no_id = || Error::bad_request("invalid-query", format!("'{text}' is no id."));
        parse_id(text).ok_or_else(no_id)
    };
    let owner = query.profile_id.as_deref().map(id).transpose()?;
    let after = query.after.as_deref().map(id).transpose()?;
    let after = after.unwrap_or_default();
    let proofs = published.list(owner.as_deref(), &after, limit);
    let (proofs, more) = proofs.await?;
    let next = proofs.last().filter(|_| more).map(|last| last.id.clone());
    Ok(Json(PublishedProofs { proofs, next }))
}

const MISSING: &str = "There is no published proof with this id. Proofs that have ended, or that their owners have unpublished, are deleted.";

/// A published proof with everything that it takes to check it. It stays as long as it counts and its owner wants it published.
#[utoipa::path(get, path = "/api/functions/v1/proofs/{id}", tag = "functions",
    params(("id" = String, Path, description = "The proof's id")),
    responses(
        (status = 200, description = "The proof", body = PublishedProof),
        (status = 304, description = "The client has it"),
        (status = 404, description = "No proof that is published"),
    ))]
pub async fn get_published_proof(
    State(published): State<Arc<Published>>,
    Path(id): Path<String>,
) -> Result<Json<PublishedProof>, Error> {
    let id = parse_id(&id).ok_or_else(missing)?;
    let proof = published.proof(&id).await?;
    Ok(Json(proof.ok_or_else(missing)?))
}

/// Unpublishes a proof of the user's own: our copy is deleted, others may have theirs. The proof goes on to count.
#[utoipa::path(delete, path = "/api/functions/v1/proofs/{id}", tag = "functions", security(("access-token" = [])),
    params(("id" = String, Path, description = "The proof's id")),
    responses(
        (status = 204, description = "Unpublished"),
        (status = 404, description = "No published proof of the user's own"),
    ))]
pub async fn unpublish_proof(
    State(accounts): State<Arc<Accounts>>,
    user: User,
    Path(id): Path<String>,
) -> Result<StatusCode, Error> {
    let id = parse_id(&id).ok_or_else(missing)?;
    match accounts.unpublish(&user.id, &id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(missing()),
    }
}

impl From<PublishedError> for Error {
    fn from(cause: PublishedError) -> Self {
        match cause {
            PublishedError::Malformed(_) => Self::internal(cause),
            PublishedError::Log(cause) => cause.into(),
            PublishedError::Database(cause) => cause.into(),
        }
    }
}

/// The id in the database's spelling.
fn parse_id(id: &str) -> Option<String> {
    Uuid::try_parse(id).ok().map(|id| id.to_string())
}

fn missing() -> Error {
    Error::not_found(MISSING)
}
