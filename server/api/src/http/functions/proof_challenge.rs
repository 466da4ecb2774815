//! What binds a proof to the signed-in account (decisions, D4).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use psbt_wasm::statement::{LOCK_TIME, script};
use serde::Serialize;
use utoipa::ToSchema;

use crate::config::ProofBinding;
use crate::http::error::{Error, Problem};
use crate::http::session::User;
use crate::proof::Proving;
use crate::proof::statement::Statement;
use board_log::units::iso;
use store::Store;

/// What binds a proof to the signed-in account: its statement, as a message or in a still transaction (proofs, sections 1 and 2).
#[derive(Debug, Serialize, ToSchema)]
pub struct ProofChallenge {
    /// The statement: one line of ASCII, at most 75 bytes.
    #[schema(example = "Proof of Reserves reserves.example @satoshi pjt4jw2hxkzej5i6i7sd")]
    statement: String,
    /// Until when a file with this statement counts, RFC 3339.
    counts_until: String,
    #[schema(inline)]
    binding: Wanted,
    /// The lock time of a still transaction.
    #[schema(example = 452_038_930)]
    lock_time: u32,
    /// The script of the output that carries the statement in a still transaction, hex.
    output_script: String,
}

/// `required`: a file that is not bound is refused. `optional`: it is shown as unbound.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Wanted {
    Required,
    Optional,
}

impl ProofChallenge {
    fn of(statement: Statement, binding: ProofBinding) -> Self {
        Self {
            output_script: hex::encode(script(&statement.line).unwrap_or_default()),
            statement: statement.line,
            counts_until: iso(statement.counts_until),
            binding: match binding {
                ProofBinding::Required => Wanted::Required,
                ProofBinding::Optional => Wanted::Optional,
            },
            lock_time: LOCK_TIME,
        }
    }
}

/// The signed-in account's statement.
///
/// # Errors
/// 401 when nobody is signed in.
#[utoipa::path(get, path = "/proof-challenge", tag = "functions",
    responses(
        (status = 200, description = "The statement, and what carries it", body = ProofChallenge),
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn get_proof_challenge(
    State(proving): State<Arc<Proving>>,
    State(store): State<Store>,
    user: User,
) -> Result<Json<ProofChallenge>, Error> {
    let account = store.profile(&user.id).await?;
    let account = account.ok_or_else(Error::signed_out)?;
    let statement = proving.statement(&account);
    Ok(Json(ProofChallenge::of(statement, proving.binding())))
}
