//! The room that checks and records proofs.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use bitcoin::Transaction;
use bitcoin::hashes::Hash;
use parking_lot::Mutex;

use super::statement::{Blocks, Statements};
use crate::chain_follower::Follower;
use crate::config::ProofBinding;
use crate::limits::RateLimits;
use crate::limits::queue::{Queue, Size};
use chain::Chain;
use chain::clock::Clock;
use store::Store;
use store::keyed_hash::KeyedHash;

/// How long a file waits for its turn: the largest ones keep a processor for a second.
const MAX_WAIT: Duration = Duration::from_secs(300);

/// The most files at a time, those that wait included: in total, and of one account or one address.
const FILES: usize = 1_024;
const FILES_PER_SENDER: usize = 64;

/// How many files of one account, and from one address, are checked at a time.
const AT_ONCE_PER_ACCOUNT: usize = 2;
const AT_ONCE_PER_ADDRESS: usize = 12;

/// Checks files and records them as proofs, and ends proofs that have expired.
#[derive(Debug)]
pub struct Proving {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) chain: Arc<Chain>,
    pub follower: Arc<Follower>,
    pub(super) settings: ProofSettings,
    pub(super) transactions: KeyedHash,
    pub(super) statements: Statements,
    /// The blocks that count, cached for one newest block.
    pub(super) blocks: Mutex<Option<(String, Arc<Blocks>)>>,
    pub(super) limits: Arc<RateLimits>,
    /// Files of an account, and from an address.
    pub(super) accounts: Queue,
    pub(super) addresses: Queue,
    /// Files with many coins, one at a time.
    pub(super) many_coins: Queue,
    /// Files that are read or checked, one for each processor.
    pub(super) processors: Queue,
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
        limits: &Arc<RateLimits>,
        settings: ProofSettings,
    ) -> sqlx::Result<Self> {
        let now = clock.now();
        let transactions = store.keyed_hash("transaction-hash", now).await?;
        let statements = store.keyed_hash("statement", now).await?;
        let processors = available_parallelism().map_or(1, NonZeroUsize::get);
        let queue = |turns| Size::waiting(turns, FILES, FILES_PER_SENDER, MAX_WAIT);
        let of_each_sender = |turns_per_sender| {
            Queue::new(Size {
                turns_per_sender,
                ..queue(FILES)
            })
        };
        Ok(Self {
            transactions,
            statements: Statements::new(statements, chain.network(), &settings.origin),
            blocks: Mutex::default(),
            limits: Arc::clone(limits),
            accounts: of_each_sender(AT_ONCE_PER_ACCOUNT),
            addresses: of_each_sender(AT_ONCE_PER_ADDRESS),
            many_coins: Queue::new(queue(1)),
            processors: Queue::new(queue(processors)),
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
