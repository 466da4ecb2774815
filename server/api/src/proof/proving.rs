//! The room that checks and records proofs.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use bitcoin::Transaction;
use bitcoin::hashes::Hash;
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use super::attempts::Attempts;
use super::statement::{Blocks, Statements};
use crate::chain_follower::Follower;
use crate::config::ProofBinding;
use chain::Chain;
use chain::clock::Clock;
use store::Store;
use store::keyed_hash::KeyedHash;

/// Checks files and records them as proofs, and ends proofs that have expired.
#[derive(Debug)]
pub struct Proving {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) chain: Arc<Chain>,
    pub(super) follower: Arc<Follower>,
    pub(super) settings: ProofSettings,
    pub(super) transactions: KeyedHash,
    pub(super) statements: Statements,
    /// The blocks that count, cached for one newest block.
    pub(super) blocks: Mutex<Option<(String, Arc<Blocks>)>>,
    pub(super) attempts: Attempts,
    /// The permit of files with many coins.
    pub(super) many_coins: Semaphore,
    /// One permit for each processor, for reading and checking files.
    pub(super) processors: Arc<Semaphore>,
}

/// The settings of proofs on this board.
#[derive(Clone, Debug)]
pub struct ProofSettings {
    /// The board's origin. A statement for another origin does not count here.
    pub origin: String,
    /// Whether a proof must be bound to its account.
    pub binding: ProofBinding,
    /// The number of confirmations that a coin needs (rule B2).
    pub min_confirmations: u32,
    /// Whether a file with the mock proof's name is the mock proof: only with the embedded chain.
    pub mocks: bool,
}

impl Proving {
    /// Reads the secrets, which are created on first start.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn load(
        store: &Store,
        clock: &Clock,
        chain: &Arc<Chain>,
        follower: &Arc<Follower>,
        settings: ProofSettings,
    ) -> sqlx::Result<Self> {
        let now = clock.now();
        let transactions = store.keyed_hash("transaction-hash", now).await?;
        let statements = store.keyed_hash("statement", now).await?;
        let attempts = store.keyed_hash("attempts", now).await?;
        Ok(Self {
            transactions,
            statements: Statements::new(statements, chain.network(), &settings.origin),
            blocks: Mutex::default(),
            attempts: Attempts::new(attempts, store.clone()),
            many_coins: Semaphore::new(1),
            processors: Arc::new(Semaphore::new(
                available_parallelism().map_or(1, NonZeroUsize::get),
            )),
            store: store.clone(),
            clock: clock.clone(),
            chain: Arc::clone(chain),
            follower: Arc::clone(follower),
            settings,
        })
    }

    /// The keyed hash of a transaction, hex: without the key nobody can tell which transaction it is of. ScriptSigs and witnesses do not
    /// count, because others can change those without changing what the transaction does.
    pub(super) fn hash_of(&self, transaction: &Transaction) -> String {
        let without_those = transaction.compute_ntxid().to_byte_array();
        hex::encode(self.transactions.hash(&[&without_those]))
    }
}
