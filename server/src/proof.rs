//! From a file to a place on the board: read, look up, verify, record, answer.

use uuid::Uuid;

use crate::chain::{ChainError, Snapshot};
use crate::clock::DAY;
use crate::config::ProofBinding;
use crate::development::MOCK_FILE_NAME;
use crate::state::AppState;
use crate::store::claims::{NewClaim, NewProof, Recorded};
use crate::verify::{self, Candidate, Refusal, Verified, processors};

pub mod attempts;
pub mod binding;
pub mod challenge;
pub mod file_name;
mod look_up;
pub mod reverify;
mod submission;
mod transaction_hasher;

use binding::Binding;
use challenge::Challenge;
use look_up::look_up;
pub use submission::{Outcome, Sender, Submission, SubmitError};
pub use transaction_hasher::TransactionHasher;

/// How long a proof counts: 90 days, in seconds.
pub const VALIDITY: i64 = 90 * DAY;

/// How often a file is looked at when a block arrives in the middle (rule B8).
const ATTEMPTS: usize = 3;

/// Checks a file and records it as a proof of its sender. Failures that the sender can mend count
/// towards a limit (rule C4).
///
/// # Errors
/// When there were too many failures, the file breaks a rule, or the chain or the database cannot be
/// asked. Nothing is recorded then.
pub async fn submit(
    state: &AppState,
    sender: &Sender,
    submission: Submission,
) -> Result<Outcome, SubmitError> {
    let now = state.clock.now();
    let account = state.store.profile(&sender.user_id).await?;
    let account = account.ok_or(SubmitError::NoAccount)?;
    let identity = (account.provider.as_str(), account.subject.as_str());
    let attempt = state
        .attempts
        .begin(&state.store, identity, sender.address, now)
        .await??;
    let challenge = state.challenges.of(identity.0, identity.1, now);
    let outcome = prove(state, &account.id, &challenge, submission).await;
    if !is_failure(&outcome) {
        attempt.forgive(&state.store).await?;
    }
    outcome
}

/// Whether it counts towards the limit: not when it succeeded, and not when the trouble is ours.
fn is_failure(outcome: &Result<Outcome, SubmitError>) -> bool {
    match outcome {
        Ok(outcome) => matches!(
            outcome.recorded,
            Recorded::Conflict | Recorded::Replayed | Recorded::MessageSpent
        ),
        Err(SubmitError::Chain(_) | SubmitError::Database(_)) => false,
        Err(_) => true,
    }
}

/// The way of a file: read, recognise a signed message, look up, verify, bind, claim.
async fn prove(
    state: &AppState,
    user_id: &str,
    challenge: &Challenge,
    submission: Submission,
) -> Result<Outcome, SubmitError> {
    let file_name = file_name::base_name(&submission.file_name)?;
    let mut candidate = read(submission).await?;
    let nonce = binding::message::recognise(state, user_id, &mut candidate).await?;
    let file = File {
        file_name,
        nonce,
        candidate,
    };
    for _ in 1..ATTEMPTS {
        match attempt(state, user_id, challenge, file.clone()).await {
            Err(SubmitError::Chain(ChainError::Moved)) => {}
            outcome => return outcome,
        }
    }
    attempt(state, user_id, challenge, file).await
}

/// A file that has been read.
#[derive(Clone)]
struct File {
    file_name: String,
    nonce: Option<String>,
    candidate: Candidate,
}

/// The part of its way that begins with the newest block.
async fn attempt(
    state: &AppState,
    user_id: &str,
    challenge: &Challenge,
    file: File,
) -> Result<Outcome, SubmitError> {
    let snapshot = look_up(state, &file.candidate).await?;
    let tip = snapshot.tip.hash.to_string();
    let verified = check(state, file.candidate, snapshot).await?;
    let binding = binding::of(&verified, challenge);
    let mut proof = new_proof(state, user_id, file.file_name, &verified);
    proof.tip = tip;
    proof.nonce = file.nonce;
    let recorded = match binding {
        Err(missing) if state.config.proof_binding == ProofBinding::Required => {
            // The amount may have changed since this very file became an active proof.
            let active = state
                .store
                .active_proof(user_id, &proof.tx_hash, proof.created_at)
                .await?;
            active.ok_or(missing)?.into()
        }
        binding => {
            proof.binding = binding.unwrap_or(Binding::Unbound);
            state.store.record(&proof).await?
        }
    };
    if matches!(
        recorded,
        Recorded::Verified { .. } | Recorded::Reverified { .. }
    ) {
        state.live.changed();
    }
    let (expires_at, binding) = match recorded {
        Recorded::AlreadyVerified {
            expires_at,
            binding,
            ..
        } => (expires_at, binding),
        _ => (proof.expires_at, proof.binding),
    };
    Ok(Outcome {
        recorded,
        amount_sats: proof.coins.iter().map(|coin| coin.value_sats).sum(),
        expires_at,
        binding,
    })
}

/// Ends proofs whose time is over, before anything is read that depends on them.
///
/// # Errors
/// When the database fails.
pub async fn settle_expired(state: &AppState) -> Result<(), sqlx::Error> {
    if state.store.expire_due(state.clock.now()).await? > 0 {
        state.live.changed();
    }
    Ok(())
}

/// Runs heavy work on a thread of its own, at most one per processor, so that other requests are
/// served meanwhile. A panic in a parser is a refusal, never more (rule A1).
async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let processor = processors::one().await;
    // With the work, which goes on when whoever sent the file is gone.
    let work = move || {
        let _processor = processor;
        work()
    };
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "a check did not end normally");
            Err(Refusal::Uncheckable)
        })
}

async fn read(submission: Submission) -> Result<Candidate, Refusal> {
    off_thread(move || verify::read(&submission.psbt_base64, submission.hints)).await
}

async fn check(
    state: &AppState,
    candidate: Candidate,
    snapshot: Snapshot,
) -> Result<Verified, Refusal> {
    let min_confirmations = state.config.min_confirmations;
    off_thread(move || verify::verify(candidate, &snapshot, min_confirmations)).await
}

/// A proof without a binding and without the block of its look-up yet.
fn new_proof(state: &AppState, user_id: &str, file_name: String, verified: &Verified) -> NewProof {
    let now = state.clock.now();
    let coins = verified
        .claimed()
        .map(|(outpoint, coin)| NewClaim {
            txid: outpoint.txid.to_string(),
            vout: i64::from(outpoint.vout),
            // Checked against 21 million BTC before.
            value_sats: i64::try_from(coin.output.value.to_sat()).unwrap_or(i64::MAX),
            funding_block: coin.block.map(|hash| hash.to_string()).unwrap_or_default(),
        })
        .collect();
    NewProof {
        id: Uuid::now_v7().to_string(),
        user_id: user_id.to_owned(),
        tx_hash: state.hasher.hash(&verified.transaction),
        mock: state.development_chain.is_some() && file_name == MOCK_FILE_NAME,
        file_name,
        binding: Binding::Unbound,
        nonce: None,
        created_at: now,
        expires_at: now + VALIDITY,
        network: state.chain.network_name(),
        tip: String::new(),
        coins,
    }
}
