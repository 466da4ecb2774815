//! Published proofs (proofs, section 4): all of them, one with all that it takes to check it, and the end of one.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use bitcoin::consensus::encode::deserialize_hex;
use bitcoin::{Network, OutPoint, Transaction, TxOut};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::board::Board;
use crate::board_log::BoardLog;
use crate::http::error::Error;
use crate::http::extract::{Path, Query};
use crate::http::session::User;
use board_log::published::{Owner, PublishedInput, PublishedProof, Statement, StatementBlock};
use board_log::units::iso;
use chain::clock::Clock;
use chain::network_in_json;
use store::Store;
use store::profiles::is_named;
use store::published::{ListedProof, PublishedProof as Row};

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
    State(board): State<Arc<Board>>,
    State(store): State<Store>,
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
    board.settle().await?;
    // One more than is shown says whether any follow.
    let count = i64::try_from(limit + 1).unwrap_or(i64::MAX);
    let proofs = store.published_proofs(owner.as_deref(), &after, count);
    let mut proofs = proofs.await?;
    let more = proofs.len() > limit;
    proofs.truncate(limit);
    let next = proofs.last().filter(|_| more).map(|last| last.id.clone());
    Ok(Json(PublishedProofs { proofs, next }))
}

const MISSING: &str = "There is no published proof with this id. Proofs that have ended, or that their owners have unpublished, are deleted.";

/// With an empty note. `None` when the row is malformed.
fn from_row(row: Row, counting: &HashSet<(String, i64)>) -> Option<PublishedProof> {
    let inputs = inputs(&row, counting)?;
    let signed = row.publication;
    Some(PublishedProof {
        note: String::new(),
        inputs,
        network: network_in_json(Network::from_core_arg(&signed.network).ok()?).to_owned(),
        created_at: iso(row.created_at),
        expires_at: iso(row.expires_at),
        published_at: iso(signed.published_at.0),
        profile: Owner {
            named: is_named(&row.user_id, &row.username),
            id: row.user_id.clone(),
            username: row.username,
            provider: row.profile_provider,
        },
        statement: Statement {
            text: signed.statement,
            origin: signed.origin,
            provider: signed.provider,
            subject: signed.subject,
            account_id: row.user_id,
            name: signed.statement_name,
            nonce: signed.nonce,
            block: StatementBlock {
                height: signed.block_height.try_into().ok()?,
                header: signed.block_header,
            },
        },
        id: row.id,
        binding: row.binding,
        transaction: signed.transaction,
    })
}

fn inputs(row: &Row, counting: &HashSet<(String, i64)>) -> Option<Vec<PublishedInput>> {
    let transaction: Transaction = deserialize_hex(&row.publication.transaction).ok()?;
    let spent: Vec<TxOut> = deserialize_hex(&row.publication.previous_outputs).ok()?;
    let inputs = transaction.input.iter().zip(&spent).enumerate();
    let inputs = inputs.map(|(index, (input, spent))| {
        let is_coin = index > 0 || row.binding != "message";
        let OutPoint { txid, vout } = input.previous_output;
        let coin = (txid.to_string(), vout.into());
        PublishedInput {
            counts: is_coin.then(|| counting.contains(&coin)),
            txid: coin.0,
            vout,
            value_sats: spent.value.to_sat(),
            script_pubkey: spent.script_pubkey.to_hex_string(),
        }
    });
    Some(inputs.collect())
}

/// A published proof with everything that it takes to check it. It stays as long as it counts and its owner wants it published.
#[utoipa::path(get, path = "/api/functions/v1/proofs/{id}", tag = "functions",
    params(("id" = String, Path, description = "The proof's id")),
    responses(
        (status = 200, description = "The proof", body = PublishedProof),
        (status = 304, description = "The client has it"),
        (status = 404, description = "No proof that is published"),
    ))]
pub async fn get_published_proof(
    State(board): State<Arc<Board>>,
    State(board_log): State<Arc<BoardLog>>,
    State(store): State<Store>,
    Path(id): Path<String>,
) -> Result<Json<PublishedProof>, Error> {
    let id = parse_id(&id).ok_or_else(missing)?;
    board.settle().await?;
    let row = store.published_proof(&id).await?.ok_or_else(missing)?;
    let coins = store.counting_coins(&id).await?;
    let malformed = || Error::internal(format!("{id} cannot be read"));
    let proof = from_row(row, &coins.into_iter().collect());
    let mut proof = proof.ok_or_else(malformed)?;
    let content = proof.content_of_note().ok_or_else(malformed)?;
    proof.note = board_log.sign(&content).await?;
    Ok(Json(proof))
}

/// Unpublishes a proof of the user's own: our copy is deleted, others may have theirs. The proof goes on to count.
#[utoipa::path(delete, path = "/api/functions/v1/proofs/{id}", tag = "functions", security(("access-token" = [])),
    params(("id" = String, Path, description = "The proof's id")),
    responses(
        (status = 204, description = "Unpublished"),
        (status = 404, description = "No published proof of the user's own"),
    ))]
pub async fn unpublish_proof(
    State(store): State<Store>,
    State(clock): State<Clock>,
    State(board_log): State<Arc<BoardLog>>,
    user: User,
    Path(id): Path<String>,
) -> Result<StatusCode, Error> {
    let id = parse_id(&id).ok_or_else(missing)?;
    if store.withdraw(&user.id, &id, clock.now()).await? {
        board_log.keep_removals().await;
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(missing())
    }
}

/// The id in the database's spelling.
fn parse_id(id: &str) -> Option<String> {
    Uuid::try_parse(id).ok().map(|id| id.to_string())
}

fn missing() -> Error {
    Error::not_found(MISSING)
}
