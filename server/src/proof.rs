//! From a file to a place on the board: read, look up, verify, record, answer.

use bitcoin::hashes::Hash;
use bitcoin::{OutPoint, Transaction};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

use crate::chain::{ChainError, Snapshot};
use crate::clock::{DAY, UnixTime};
use crate::development::MOCK_FILE_NAME;
use crate::state::{AppState, StartError};
use crate::store::Store;
use crate::store::claims::{NewClaim, NewProof, Recorded};
use crate::verify::{self, Candidate, Refusal, UtxoHint, Verified};

pub mod binding;
pub mod file_name;

use binding::Binding;

/// How long a proof counts: 90 days, in seconds.
pub const VALIDITY: i64 = 90 * DAY;

/// What a client sends.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The file in base64.
    pub psbt_base64: String,
    /// What the client says about the coins.
    pub hints: Vec<UtxoHint>,
    /// Name of the file.
    pub file_name: String,
}

/// What came of a submission that was not refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What the store decided.
    pub recorded: Recorded,
    /// The sum of the file's coins in sats.
    pub amount_sats: i64,
    /// Until when the proof counts, unix seconds.
    pub expires_at: UnixTime,
}

/// Why nothing was recorded.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The file breaks a rule.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The chain could not be asked.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// Checks a file and records it as a proof of `user_id`.
///
/// # Errors
/// When the file breaks a rule, or when the chain or the database cannot be asked. Nothing is
/// recorded then.
pub async fn submit(
    state: &AppState,
    user_id: &str,
    submission: Submission,
) -> Result<Outcome, SubmitError> {
    let file_name = file_name::base_name(&submission.file_name)?;
    let candidate = read(state, submission).await?;
    let outpoints = candidate.outpoints();
    let snapshot = state.chain.look_up(&outpoints).await?;
    let verified = check(state, candidate, snapshot).await?;
    let binding = binding::of(&verified);
    let proof = new_proof(state, user_id, file_name, &outpoints, &verified, binding);
    let amount_sats = proof.coins.iter().map(|coin| coin.value_sats).sum();
    let recorded = state.store.record(&proof).await?;
    let expires_at = match recorded {
        Recorded::AlreadyVerified { expires_at, .. } => expires_at,
        _ => proof.expires_at,
    };
    if matches!(
        recorded,
        Recorded::Verified { .. } | Recorded::Reverified { .. }
    ) {
        state.live.changed();
    }
    Ok(Outcome {
        recorded,
        amount_sats,
        expires_at,
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
    state: &AppState,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let _permit = state
        .verifications
        .acquire()
        .await
        .map_err(|_| Refusal::Uncheckable)?;
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "a check did not end normally");
            Err(Refusal::Uncheckable)
        })
}

async fn read(state: &AppState, submission: Submission) -> Result<Candidate, Refusal> {
    off_thread(state, move || {
        verify::read(&submission.psbt_base64, submission.hints)
    })
    .await
}

async fn check(
    state: &AppState,
    candidate: Candidate,
    snapshot: Snapshot,
) -> Result<Verified, Refusal> {
    let min_confirmations = state.config.min_confirmations;
    off_thread(state, move || {
        verify::verify(candidate, &snapshot, min_confirmations)
    })
    .await
}

fn new_proof(
    state: &AppState,
    user_id: &str,
    file_name: String,
    outpoints: &[OutPoint],
    verified: &Verified,
    binding: Binding,
) -> NewProof {
    let now = state.clock.now();
    let coins = outpoints
        .iter()
        .zip(&verified.coins)
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
        binding: binding.as_str(),
        created_at: now,
        expires_at: now + VALIDITY,
        network: state.chain.network().to_core_arg(),
        coins,
    }
}

/// Makes the names under which transactions are remembered: nobody without the key can tell which
/// transaction a name stands for.
pub struct TransactionHasher(Hmac<Sha256>);

impl std::fmt::Debug for TransactionHasher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TransactionHasher")
    }
}

impl TransactionHasher {
    /// Reads the key, or makes it on first start.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn load(store: &Store, now: UnixTime) -> Result<Self, StartError> {
        let key = store.secret("transaction-hash", now).await?;
        Ok(Self(
            Hmac::new_from_slice(&key).expect("HMAC takes a key of any length (RFC 2104)"),
        ))
    }

    /// The name of a transaction, hex. ScriptSigs and witnesses do not count: those of one
    /// transaction can be changed by others without making it another one.
    #[must_use]
    pub fn hash(&self, transaction: &Transaction) -> String {
        let mut bare = transaction.clone();
        for input in &mut bare.input {
            input.script_sig = bitcoin::ScriptBuf::new();
            input.witness = bitcoin::Witness::new();
        }
        let mut mac = self.0.clone();
        mac.update(&bare.compute_txid().to_byte_array());
        hex::encode(mac.finalize().into_bytes())
    }
}
