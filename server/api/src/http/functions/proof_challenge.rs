//! What binds a proof to the signed-in account (decisions, D4).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use bitcoin::BlockHash;
use bitcoin::hashes::Hash;
use psbt_wasm::statement::{LOCK_TIME, script};
use serde::Serialize;
use utoipa::ToSchema;

use crate::config::{Config, ProofBinding};
use crate::http::error::Error;
use crate::http::session::User;
use crate::proof::Proving;
use crate::proof::statement::Statement;
use board_log::units::iso;

/// What binds a proof to the signed-in account: its statement, as a message or in a still transaction (proofs, sections 1 and 2).
#[derive(Debug, Serialize, ToSchema)]
pub struct ProofChallenge {
    /// The statement: one line of ASCII, at most 75 bytes.
    #[schema(example = "Proof of Reserves reserves.example @satoshi pjt4jw2hxkzej5i6i7sd")]
    statement: String,
    /// About when a file with this statement counts no more, to the day, RFC 3339.
    counts_until: String,
    /// The block with which it counts no more.
    #[schema(example = 979_782)]
    counts_until_block: u32,
    /// The block that dates the statement: a proof with it is signed after this block. Block 0 dates nothing.
    block: ChallengeBlock,
    #[schema(inline)]
    binding: ProofBinding,
    /// The lock time of a still transaction.
    #[schema(example = 452_038_930)]
    lock_time: u32,
    /// The script of the output that carries the statement in a still transaction, hex.
    output_script: String,
}

/// The block to which the code of a statement commits.
#[derive(Debug, Serialize, ToSchema)]
struct ChallengeBlock {
    #[schema(example = 975_744)]
    height: u32,
    /// Its hash as people write it.
    hash: String,
    /// Its header of 80 bytes, hex.
    header: String,
}

impl ProofChallenge {
    fn new(statement: &Statement, binding: ProofBinding) -> Option<Self> {
        let line = statement.lines.first()?;
        let block = &line.block;
        Some(Self {
            output_script: hex::encode(script(&line.text).unwrap_or_default()),
            statement: line.text.clone(),
            counts_until: iso(statement.counts_until.day),
            counts_until_block: statement.counts_until.height,
            block: ChallengeBlock {
                height: block.height,
                hash: BlockHash::from_byte_array(block.hash()).to_string(),
                header: hex::encode(block.header),
            },
            binding,
            lock_time: LOCK_TIME,
        })
    }
}

/// The signed-in account's statement.
///
/// # Errors
/// 401 when nobody is signed in, 503 when a chain source must be asked and does not answer.
#[utoipa::path(get, path = "/api/functions/v1/proof-challenge", tag = "functions", security(("access-token" = [])),
    responses((status = 200, description = "The statement, and what carries it", body = ProofChallenge)))]
pub async fn get_proof_challenge(
    State(config): State<Arc<Config>>,
    State(proving): State<Arc<Proving>>,
    user: User,
) -> Result<Json<ProofChallenge>, Error> {
    let statement = proving.statement(&user.id).await?;
    let challenge = ProofChallenge::new(&statement, config.proof_binding);
    let challenge = challenge.ok_or_else(|| Error::internal("no block to date a statement"))?;
    Ok(Json(challenge))
}
