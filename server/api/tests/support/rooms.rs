//! The rooms around proving, and their users, without HTTP.

use api::board::Board;
use api::chain_follower::Follower;
use api::config::ProofBinding;
use api::jobs::JobStates;
use api::limits::RateLimits;
use api::limits::queue::Size;
use api::live::Live;
use api::proof::{Outcome, ProofSettings, Proving, Submission};
use chain::sources::development::DevelopmentChain;
use chain::sources::{Sources, Trust};
use store::proofs::Proof;
use tokio_util::sync::CancellationToken;

use super::oracle::{self, BoardRow};
use crate::support::prelude::*;

/// A store, a clock and a chain, with the follower and proving. Files need not be bound.
pub(crate) struct Rooms {
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) chain: Arc<Chain>,
    /// The embedded chain, when it is the source.
    pub(crate) embedded: Option<Arc<DevelopmentChain>>,
    pub(crate) live: Arc<Live>,
    _board: Board,
    pub(crate) follower: Arc<Follower>,
    pub(crate) proving: Arc<Proving>,
    named: (Vec<String>, Option<u8>),
    database: TestDatabase,
}

/// A user who has an account.
pub(crate) struct Member<'r> {
    pub(crate) rooms: &'r Rooms,
    pub(crate) id: String,
}

/// The result of a submission.
pub(crate) type Submitted = Result<Outcome, SubmitError>;

async fn proving(
    (store, clock, chain, follower): (&Store, &Clock, &Arc<Chain>, &Arc<Follower>),
    binding: ProofBinding,
) -> Proving {
    let settings = ProofSettings {
        origin: "http://localhost".to_owned(),
        binding,
        min_confirmations: 1,
        mocks: false,
    };
    let limits = RateLimits::load(store.clone(), clock.clone()).await;
    let limits = Arc::new(limits.unwrap());
    let proving = Proving::load(store, clock, chain, follower, &limits, settings);
    proving.await.unwrap()
}

/// Submits a file for a user, without statements about its coins.
pub(crate) async fn submit_as(proving: &Proving, user: &str, file: &[u8]) -> Submitted {
    let submission = Submission {
        psbt_base64: STANDARD.encode(file),
        hints: Vec::new(),
        file_name: "wallet.psbt".to_owned(),
        publish: false,
    };
    proving.submit((user, None), submission).await
}

impl Rooms {
    /// Rooms over regtest sources in the syntax of `CHAIN`.
    pub(crate) async fn open(database: TestDatabase, chain: &str, quorum: Option<u8>) -> Self {
        let chain = chain.split(',').map(str::to_owned).collect();
        Self::at(NOW, database, (chain, quorum)).await
    }

    /// Another replica, or the same one after a restart.
    pub(crate) async fn another(&self, now: i64) -> Self {
        Self::at(now, self.database.again(), self.named.clone()).await
    }

    async fn at(now: i64, database: TestDatabase, named: (Vec<String>, Option<u8>)) -> Self {
        let client = super::http_client();
        let chain: Vec<&str> = named.0.iter().map(String::as_str).collect();
        let sources = Sources::open(&chain, named.1, Trust::Development, &client).await;
        let sources = sources.expect("sources");
        let (store, clock) = (database.store().await, Clock::manual(now));
        let (list, needed) = (sources.list, sources.quorum);
        let chain = Chain::connect(list, needed, Network::Regtest, None, clock.clone()).await;
        let chain = Arc::new(chain.unwrap());
        let states = Arc::new(JobStates::new(clock.clone()));
        let board = Board::start(store.clone(), clock.clone(), &states);
        let live = Arc::new(Live::new(
            board.numbers(),
            Size::without_waiting(10, 10),
            CancellationToken::new(),
        ));
        super::until("reading the board", async || live.sequence()).await;
        let follower = Arc::new(Follower::new(&store, &clock, &chain, true));
        let parts = (&store, &clock, &chain, &follower);
        Self {
            proving: Arc::new(proving(parts, ProofBinding::Optional).await),
            store,
            _board: board,
            clock,
            chain,
            embedded: sources.embedded,
            live,
            follower,
            named,
            database,
        }
    }

    /// Proving with this setting for unbound files.
    pub(crate) async fn proving_with(&self, binding: ProofBinding) -> Proving {
        let parts = (&self.store, &self.clock, &self.chain, &self.follower);
        proving(parts, binding).await
    }

    /// A new account.
    pub(crate) async fn sign_in(&self) -> Member<'_> {
        let identity = nameless("twitter", &Uuid::new_v4().to_string());
        let profile = self.store.sign_in(&identity, self.clock.now()).await;
        self.member(&profile.unwrap().id)
    }

    /// A user who has signed in, here or on another replica.
    pub(crate) fn member(&self, id: &str) -> Member<'_> {
        let id = id.to_owned();
        Member { rooms: self, id }
    }
}

impl Member<'_> {
    /// Submits a file, without statements about its coins.
    pub(crate) async fn submit(&self, file: &[u8]) -> Submitted {
        submit_as(&self.rooms.proving, &self.id, file).await
    }

    pub(crate) async fn row(&self) -> BoardRow {
        let mut rows = oracle::board(&self.rooms.store).await.into_iter();
        rows.find(|row| row.id == self.id).unwrap()
    }

    /// Their total in sats.
    pub(crate) async fn holdings(&self) -> Option<i64> {
        self.row().await.holdings_sats
    }

    /// Their history, the newest first.
    pub(crate) async fn proofs(&self) -> Vec<Proof> {
        self.rooms.store.proofs(&self.id, 100, 0).await.unwrap()
    }

    pub(crate) async fn newest_proof(&self) -> Proof {
        self.proofs().await.remove(0)
    }
}
