//! Builds every room from the configuration. Only commands and the router use this module; a room has references to the rooms that
//! it was built from.

use std::error::Error;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use bitcoin::Network;
use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

use crate::accounts::Accounts;
use crate::billing::Billing;
use crate::board::Board;
use crate::board_log::folder::Folder;
use crate::board_log::{self, BoardLog};
use crate::chain_follower::Follower;
use crate::config::{ChainConfig, Config, Secret};
use crate::http::auth::cookie::Cookies;
use crate::http::client_address;
use crate::http::download::Downloads;
use crate::http::functions::app::PublicSettings;
use crate::http::health::{self, Health};
use crate::http::limits::database_queue;
use crate::http::pages::Pages;
use crate::jobs::{self, Job, JobStates};
use crate::limits::RateLimits;
use crate::limits::queue::{Queue, Size};
use crate::live::Live;
use crate::pictures::Pictures;
use crate::price::Price;
use crate::proof::{ProofSettings, Proving};
use crate::published_proofs::Published;
use crate::sample_holders::{self, SampleHolders};
use crate::sign_in::SignIn;
use chain::clock::Clock;
use chain::sources::development::DevelopmentChain;
use chain::sources::{Sources, Trust};
use chain::{Chain, ChainError};
use store::Store;
use store::sqlite_file::SqliteLock;

/// How often expired sessions, codes and sign-ins are deleted, and SQLite's write-ahead log is emptied, which may contain deleted data.
const TIDY: Duration = Duration::from_secs(60 * 60);

/// All rooms of the server. It is cheap to clone, and a handler extracts the rooms that it needs.
#[derive(Clone, Debug, FromRef)]
pub struct App {
    pub config: Arc<Config>,
    /// Ends live streams and jobs, and new requests, when it is cancelled.
    pub stopping: CancellationToken,
    pub clock: Clock,
    pub store: Store,
    pub chain: Arc<Chain>,
    /// With the embedded chain only.
    pub sample_holders: Option<Arc<SampleHolders>>,
    pub sign_in: Arc<SignIn>,
    pub proving: Arc<Proving>,
    pub rate_limits: Arc<RateLimits>,
    pub live: Arc<Live>,
    pub health: Arc<Health>,
    pub board: Arc<Board>,
    pub price: Arc<Price>,
    pub billing: Arc<Billing>,
    pub board_log: Arc<BoardLog>,
    pub accounts: Arc<Accounts>,
    pub published_proofs: Arc<Published>,
    pub pictures: Arc<Pictures>,
    /// Reads of the database for visitors.
    pub database_queue: Queue,
    pub downloads: Downloads,
    pub pages: Arc<Pages>,
    pub public_settings: Arc<PublicSettings>,
}

/// The embedded chain, when it is the source.
impl FromRef<App> for Option<Arc<DevelopmentChain>> {
    fn from_ref(app: &App) -> Self {
        let holders = app.sample_holders.as_ref();
        holders.map(|holders| Arc::clone(&holders.coins))
    }
}

impl FromRef<App> for Cookies {
    fn from_ref(app: &App) -> Self {
        Self::new(&app.config)
    }
}

/// Why the server cannot start or a command fails: a sentence for the operator.
pub type Failure = Box<dyn Error + Send + Sync>;

impl App {
    /// Opens the database, makes or reads the keys, connects to the chain. `alone` claims a SQLite database for this process.
    ///
    /// # Errors
    /// When a setting is dangerous, the database or the chain cannot be used, or another server has claimed the database.
    pub async fn start(config: Config, clock: Clock, alone: bool) -> Result<Self, Failure> {
        let http = outbound::client()?;
        let sources = open_sources(&config, &http).await?;
        // First, because a newer release would migrate the database while another server uses it.
        let url = config.database_url.expose();
        if alone {
            // Its file must stay open until the process ends (see `SqliteLock`).
            mem::forget(SqliteLock::take(url)?);
        }
        client_address::warn_of_unknown(&config);
        let connections = config.operations.database_connections;
        let store = Store::connect_with(url, connections).await?;
        store.stamp(config.app_env.into()).await?;
        let development_chain = sources.embedded.clone();
        let chain = connect(sources, &config.chain, clock.clone())
            .await
            .map_err(|error| format!("cannot use the chain sources in CHAIN: {error}"))?;
        let chain = Arc::new(chain);
        if let Some(chain) = &development_chain {
            // The embedded chain forgets the coins of all accounts at a restart.
            let accounts = store.profile_ids().await?;
            let holders = sample_holders::stored(&store).await?;
            chain.restore(move |chain| {
                for (account, holder) in holders {
                    holder.fund(chain, &account);
                }
                for account in accounts {
                    development::fund_account(chain, &account);
                }
            });
        }
        let rate_limits = Arc::new(RateLimits::load(store.clone(), clock.clone()).await?);
        let (development, origin) = (config.development(), config.origin());
        let database_queue = database_queue(connections);
        let known = (store.clone(), clock.clone());
        let pictures = Pictures::new(known, database_queue.clone(), &config.avatar_hosts)?;
        let pictures = Arc::new(pictures);
        let sources = config.price.sources(development);
        let stand_in = config.price.stand_in(development);
        let price = Arc::new(Price::new(sources, stand_in, http.clone(), clock.clone()));
        let job_states = Arc::new(JobStates::new(clock.clone()));
        let board = Arc::new(Board::start(store.clone(), clock.clone(), &job_states));
        let stripe = config.billing.settings(development)?;
        let billing = Billing::new(&store, &clock, &origin, stripe, &http);
        let limits = config.connections;
        let streams = Size::without_waiting(limits.streams, limits.streams_per_network);
        let stopping = CancellationToken::new();
        let live = Arc::new(Live::new(board.numbers(), streams, stopping.clone()));
        let health = Health {
            store: store.clone(),
            board: board.subscribe(),
            clock: clock.clone(),
            chain: Arc::clone(&chain),
            jobs: job_states,
            stopping: stopping.clone(),
            tip: health::tip_cache(),
            watched: Mutex::default(),
        };
        let pages = Pages::new(
            &config,
            Arc::clone(&board),
            Arc::clone(&price),
            Arc::clone(&pictures),
            &chain,
        );
        let log = board_log::Settings {
            site: origin.clone(),
            folder: Folder::new(config.board_log.published_log.clone()),
            network: chain.network_name(),
            stands_still: development_chain.is_some(),
            witnesses: config.board_log.witnesses.clone(),
            client: http.clone(),
            pages: pages.hashes()?,
            salt: rand::random,
        };
        let board_log = Arc::new(BoardLog::load(store.clone(), clock.clone(), log).await?);
        let accounts = Accounts {
            store: store.clone(),
            clock: clock.clone(),
            board: Arc::clone(&board),
            board_log: Arc::clone(&board_log),
        };
        let published_proofs = Published {
            store: store.clone(),
            board: Arc::clone(&board),
            board_log: Arc::clone(&board_log),
        };
        let downloads = Downloads::new(Arc::clone(&board_log));
        let sign_in = SignIn::load(&config, &store, &clock, &rate_limits, &http).await?;
        let follower = Arc::new(Follower::new(&store, &clock, &chain, development));
        let settings = ProofSettings {
            origin,
            binding: config.proof_binding,
            min_confirmations: config.min_confirmations,
            mocks: development_chain.is_some(),
        };
        let sample_holders = development_chain.clone().map(|coins| {
            Arc::new(SampleHolders {
                store: store.clone(),
                clock: clock.clone(),
                chain: Arc::clone(&chain),
                coins,
                follower: Arc::clone(&follower),
                limits: Arc::clone(&rate_limits),
                settings: settings.clone(),
            })
        });
        let proving = Proving::load(&store, &clock, &chain, &follower, &rate_limits, settings);
        let proving = proving.await?;
        let public_settings =
            PublicSettings::new(&config, &chain, &sign_in, &billing, Arc::clone(&board_log)).await;
        Ok(Self {
            sample_holders,
            config: Arc::new(config),
            stopping,
            clock,
            store,
            chain,
            sign_in: Arc::new(sign_in),
            proving: Arc::new(proving),
            rate_limits,
            live,
            health: Arc::new(health),
            board,
            price,
            billing: Arc::new(billing),
            board_log,
            pictures,
            accounts: Arc::new(accounts),
            published_proofs: Arc::new(published_proofs),
            database_queue,
            downloads,
            pages: Arc::new(pages),
            public_settings: Arc::new(public_settings),
        })
    }
}

impl App {
    /// The background jobs. A new job is a line here and a step method of its room.
    fn jobs(&self) -> Vec<Job> {
        vec![
            Job::new("follow", &self.proving.follower, |follower| {
                follower.step().boxed()
            }),
            jobs::heartbeat(&self.store),
            Job::new("expire", &self.proving, |proving| proving.expire().boxed()),
            Job::new("reverify", &self.proving, |proving| {
                proving.reverify_due().boxed()
            }),
            Job::new("log", &self.board_log, |board_log| board_log.step().boxed()),
            Job::new("billing", &self.billing, |billing| billing.step().boxed()),
            health::write_check(&self.health),
            health::follower_check(&self.health),
            Job::every(TIDY, "tidy", &self.sign_in, |sign_in| {
                sign_in.tidy().boxed()
            }),
        ]
    }

    /// Runs the jobs until the server stops.
    pub async fn work(&self) {
        jobs::run(self.jobs(), Arc::clone(&self.health.jobs), &self.stopping).await;
        if let Err(error) = self.store.release_leases().await {
            tracing::warn!(%error, "cannot release leases, which expire by themselves");
        }
    }
}

/// Connects to the chain sources. The embedded one is always regtest.
pub(crate) async fn connect(
    sources: Sources,
    config: &ChainConfig,
    clock: Clock,
) -> Result<Chain, ChainError> {
    let network = (sources.embedded).map_or(config.network, |_| Network::Regtest);
    let checkpoint = config.checkpoint;
    if network == Network::Bitcoin && checkpoint.is_none() {
        tracing::warn!(
            "CHAIN_CHECKPOINT is not set, so the server does not notice a chain source that follows a fork of August 2026; .env.example \
             explains how to find one"
        );
    }
    Chain::connect(sources.list, sources.quorum, network, checkpoint, clock).await
}

/// Validates the settings, and opens the chain sources.
async fn open_sources(config: &Config, http: &reqwest::Client) -> Result<Sources, Failure> {
    let names: Vec<&str> = config.chain.sources.iter().map(Secret::expose).collect();
    let trust = if config.development() {
        Trust::Development
    } else {
        Trust::Production
    };
    let sources = Sources::open(&names, config.chain.quorum, trust, http).await?;
    config.validate()?;
    Ok(sources)
}
