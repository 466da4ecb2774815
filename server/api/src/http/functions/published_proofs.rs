//! Published proofs (proofs, section 4): all of them, one with all that it takes to check it, and the withdrawal of one.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use bitcoin::consensus::encode::deserialize_hex;
use bitcoin::hashes::Hash;
use bitcoin::{BlockHash, Network as Chain, OutPoint, Transaction, TxOut};
use psbt_wasm::statement::block_hash;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::board::Board;
use crate::history::History;
use crate::http::error::Error;
use crate::http::extract::{Path, Query};
use crate::http::session::User;
use crate::http::site::Network;
use board_log::names::shown_name;
use board_log::proof_note::{NoteBlock, ProofNote};
use board_log::units::iso;
use chain::clock::Clock;
use store::Store;
use store::profiles::is_named;
use store::published::{ListedProof, Publication, PublishedProof as Row};

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

const MISSING: &str = "There is no published proof with this id. Proofs that have ended, or that their owners have withdrawn, are deleted.";

/// A proof that its owner has published.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublishedProof {
    id: String,
    network: Network,
    /// How it carries the statement: `message` or `transaction`.
    binding: String,
    /// RFC 3339.
    created_at: String,
    /// RFC 3339.
    expires_at: String,
    /// RFC 3339.
    published_at: String,
    profile: Owner,
    statement: Statement,
    /// A note of the board that this line is this account's, signed with the log's key.
    note: String,
    /// The final transaction with every signature, hex.
    transaction: String,
    /// What its inputs spend, in their order.
    inputs: Vec<PublishedInput>,
}

/// The profile that it counts for.
#[derive(Debug, Serialize, ToSchema)]
struct Owner {
    id: String,
    /// The name in the profile's row.
    username: String,
    /// The name of the provider that says who this is.
    provider: String,
    /// Whether the name comes from the provider; else the board has made it up.
    named: bool,
}

/// The line that was signed, and all that its code commits to.
#[derive(Debug, Serialize, ToSchema)]
struct Statement {
    text: String,
    origin: String,
    provider: String,
    /// The person's permanent id at the provider.
    subject: String,
    account_id: String,
    /// The full name, before it is cut; null when the proof is not dated.
    #[schema(required)]
    name: Option<String>,
    /// 16 bytes, hex.
    nonce: String,
    /// The proof is signed after this block; null when the proof is not dated. Block 0 dates nothing.
    #[schema(required)]
    block: Option<StatementBlock>,
}

/// The block to which the code commits.
#[derive(Debug, Serialize, ToSchema)]
struct StatementBlock {
    height: u32,
    /// The header of 80 bytes, hex: its hash is the block's.
    header: String,
}

/// What an input spends.
#[derive(Debug, Serialize, ToSchema)]
struct PublishedInput {
    txid: String,
    vout: u32,
    value_sats: u64,
    /// Hex.
    script_pubkey: String,
    /// Whether the coin counts on the board now; null for the first input of a message, which is no coin.
    #[schema(required)]
    counts: Option<bool>,
}

impl PublishedProof {
    fn new(row: Row, counting: &HashSet<OutPoint>, note: String) -> Option<Self> {
        let inputs = inputs(&row, counting)?;
        let signed = row.publication;
        let block = block(&signed).map(|(height, header)| StatementBlock {
            height,
            header: hex::encode(header),
        });
        Some(Self {
            note,
            inputs,
            network: Chain::from_core_arg(&signed.network).ok()?.into(),
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
                block,
            },
            id: row.id,
            binding: row.binding,
            transaction: signed.transaction,
        })
    }
}

/// Height and header of the block that dates it.
fn block(signed: &Publication) -> Option<(u32, [u8; 80])> {
    let height = u32::try_from(signed.block_height?).ok()?;
    let header = hex::decode(signed.block_header.as_ref()?).ok()?;
    Some((height, header.try_into().ok()?))
}

/// The note that the board signs about it.
fn note_of(row: &Row) -> ProofNote {
    let named = is_named(&row.user_id, &row.username);
    let signed = &row.publication;
    ProofNote {
        origin: signed.origin.clone(),
        line: signed.statement.clone(),
        provider: signed.provider.clone(),
        subject: signed.subject.clone(),
        account: row.user_id.clone(),
        name: shown_name(&row.profile_provider, &row.username, named),
        block: block(signed).map(|(height, header)| NoteBlock {
            height,
            hash: BlockHash::from_byte_array(block_hash(&header)).to_string(),
        }),
    }
}

fn inputs(row: &Row, counting: &HashSet<OutPoint>) -> Option<Vec<PublishedInput>> {
    let transaction: Transaction = deserialize_hex(&row.publication.transaction).ok()?;
    let spent: Vec<TxOut> = deserialize_hex(&row.publication.previous_outputs).ok()?;
    let inputs = transaction.input.iter().zip(&spent).enumerate();
    let inputs = inputs.map(|(index, (input, spent))| {
        let is_coin = index > 0 || row.binding != "message";
        PublishedInput {
            txid: input.previous_output.txid.to_string(),
            vout: input.previous_output.vout,
            value_sats: spent.value.to_sat(),
            script_pubkey: spent.script_pubkey.to_hex_string(),
            counts: is_coin.then(|| counting.contains(&input.previous_output)),
        }
    });
    Some(inputs.collect())
}

/// A published proof with everything that it takes to check it. It stays as long as it counts and its owner wants it published.
#[utoipa::path(get, path = "/proofs/{id}", tag = "functions",
    params(("id" = String, Path, description = "The proof's id")),
    responses(
        (status = 200, description = "The proof", body = PublishedProof),
        (status = 304, description = "The client has it"),
        (status = 404, description = "No proof that is published"),
    ))]
pub async fn get_published_proof(
    State(board): State<Arc<Board>>,
    State(history): State<Arc<History>>,
    State(store): State<Store>,
    Path(id): Path<String>,
) -> Result<Json<PublishedProof>, Error> {
    let id = parse_id(&id).ok_or_else(missing)?;
    board.settle().await?;
    let row = store.published_proof(&id).await?.ok_or_else(missing)?;
    let coins = store.counting_coins(&id).await?;
    let coins = coins.into_iter().filter_map(|(txid, vout)| {
        Some(OutPoint::new(txid.parse().ok()?, u32::try_from(vout).ok()?))
    });
    let note = history.sign(&note_of(&row)).await?;
    let proof = PublishedProof::new(row, &coins.collect(), note);
    let proof = proof.ok_or_else(|| Error::internal(format!("{id} cannot be read")))?;
    Ok(Json(proof))
}

/// Withdraws a published proof of the user's own: our copy is deleted, others may have theirs. The proof goes on to count.
#[utoipa::path(delete, path = "/proofs/{id}", tag = "functions", security(("access-token" = [])),
    params(("id" = String, Path, description = "The proof's id")),
    responses(
        (status = 204, description = "Withdrawn"),
        (status = 404, description = "No published proof of the user's own"),
    ))]
pub async fn withdraw_published_proof(
    State(store): State<Store>,
    State(clock): State<Clock>,
    user: User,
    Path(id): Path<String>,
) -> Result<StatusCode, Error> {
    let id = parse_id(&id).ok_or_else(missing)?;
    if store.withdraw(&user.id, &id, clock.now()).await? {
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
