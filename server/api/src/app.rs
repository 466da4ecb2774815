//! Builds every room from the configuration, once. Only commands and the router know this; a room knows the rooms that
//! it was built from.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use bitcoin::Network;
use futures_util::FutureExt;
use tokio::sync::watch;

use crate::billing::{Billing, StripeError};
use crate::board::Board;
use crate::config::{ChainConfig, Config, ConfigError, ProxyConfig, Secret};
use crate::development;
use crate::follow::{self, Follower};
use crate::history::published::Published;
use crate::history::{self, History, HistoryError};
use crate::http::auth::cookie::Cookies;
use crate::http::cache::ResponseCache;
use crate::http::card::Cards;
use crate::http::client_address;
use crate::http::functions::board_export::Exports;
use crate::http::health::{self, Health};
use crate::http::pages::Pages;
use crate::http::site::{Legal, Site};
use crate::jobs::{self, Job, JobStates};
use crate::limits::RateLimits;
use crate::limits::places::Limits;
use crate::live::Live;
use crate::pictures::Pictures;
use crate::price::Price;
use crate::proof::{ProofSettings, Proving};
use crate::sign_in::keys::KeyError;
use crate::sign_in::{self, SignIn};
use crate::telemetry::chain::Measured;
use chain::clock::Clock;
use chain::outbound;
use chain::sources::development::DevelopmentChain;
use chain::sources::{Sources, SourcesError};
use chain::{Chain, ChainError, ChainSource, Expected};
use store::sole::Sole;
use store::{Store, StoreError};

/// The longest time that something deleted may stay in the database's log, or a session, a code or a sign-in whose time is over in the database.
const TIDY: Duration = Duration::from_secs(60 * 60);

/// Every room of the server, and what they are built from. Cheap to clone; a handler takes the rooms that it needs out of it.
#[derive(Clone, Debug, FromRef)]
pub struct App {
    /// Settings, validated.
    pub config: Arc<Config>,
    /// The time.
    pub clock: Clock,
    /// The database.
    pub store: Store,
    /// Where coins are looked up.
    pub chain: Arc<Chain>,
    /// The embedded chain, in development mode when it is the source.
    pub development_chain: Option<Arc<DevelopmentChain>>,
    /// Lets people in and out.
    pub sign_in: Arc<SignIn>,
    /// How cookies are set.
    pub cookies: Cookies,
    /// What stands in front of the server.
    pub proxies: Arc<ProxyConfig>,
    /// Takes files to a place on the board.
    pub proving: Arc<Proving>,
    /// How the work that nobody asks for is doing.
    pub job_states: Arc<JobStates>,
    /// Limits how many requests of a kind somebody may send.
    pub rate_limits: Arc<RateLimits>,
    /// Follows the chain, so that claims end when their coins are spent.
    pub follower: Arc<Follower>,
    /// Tells open pages that something changed.
    pub live: Arc<Live>,
    /// Whether this process can serve.
    pub health: Arc<Health>,
    /// The current bitcoin price.
    pub price: Arc<Price>,
    /// Who is on the board.
    pub board: Arc<Board>,
    /// Plans and payment.
    pub billing: Arc<Billing>,
    /// Keeps the append-only log of the board.
    pub history: Arc<History>,
    /// Pictures of people.
    pub pictures: Arc<Pictures>,
    /// Pictures beside shared links.
    pub cards: Arc<Cards>,
    /// Responses to visitors.
    pub responses: ResponseCache,
    pub exports: Exports,
    /// Pages of the web app.
    pub pages: Arc<Pages>,
}

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A dangerous or missing setting.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A query failed while starting.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    /// The chain source.
    #[error("the chain source cannot be used: {0}")]
    Chain(#[from] ChainError),
    /// How the chain sources are named.
    #[error(transparent)]
    Sources(#[from] SourcesError),
    /// Sign-in.
    #[error("sign-in cannot be prepared: {0}")]
    SignIn(#[from] sign_in::LoadError),
    /// The keys of access tokens.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The append-only log.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The payment provider.
    #[error(transparent)]
    Billing(#[from] StripeError),
    /// The outbound HTTP client.
    #[error("the HTTP client cannot be made: {0}")]
    Http(#[from] reqwest::Error),
}

impl App {
    /// Opens the database, makes or reads the keys, connects to the chain.
    ///
    /// # Errors
    /// When a setting is dangerous, or the database or the chain cannot be used.
    pub async fn start(config: Config, clock: Clock) -> Result<Self, StartError> {
        let http = outbound::client()?;
        let sources = checked(&config, &http).await?;
        Self::build(config, clock, sources, http).await
    }

    /// The same as the only server on its SQLite database, as long as the claim is kept. It is claimed before anything touches it: a
    /// newer release would bring it up to date under the server that has it.
    ///
    /// # Errors
    /// Also when another server has it.
    pub async fn start_alone(config: Config, clock: Clock) -> Result<(Sole, Self), StartError> {
        let http = outbound::client()?;
        let sources = checked(&config, &http).await?;
        let sole = Sole::claim(config.database_url.expose()).map_err(StoreError::from)?;
        Ok((sole, Self::build(config, clock, sources, http).await?))
    }

    async fn build(
        config: Config,
        clock: Clock,
        sources: Sources,
        http: reqwest::Client,
    ) -> Result<Self, StartError> {
        client_address::warn_of_unknown(&config);
        let store = Store::connect_with(
            config.database_url.expose(),
            config.operations.database_connections,
        )
        .await?;
        store.stamp(config.app_env.as_str()).await?;
        let development_chain = sources.embedded.clone();
        let chain = Arc::new(connect(sources, &config.chain, clock.clone()).await?);
        if let Some(chain) = &development_chain {
            // The coins of everybody who signed in before this start.
            for account in store.profile_ids().await? {
                development::fund_account(chain, &account);
            }
        }
        let rate_limits = RateLimits::load(store.clone(), clock.clone()).await?;
        let rate_limits = Arc::new(rate_limits);
        let (development, origin) = (config.development(), config.origin());
        let hosts = &config.images.avatar_hosts;
        let pictures = Pictures::new(store.clone(), clock.clone(), hosts)?;
        let sources = config.price.sources(development);
        let price = Price::new(sources, http.clone(), clock.clone());
        let price = Arc::new(price.with_stand_in(config.price.stand_in(development)));
        let job_states = Arc::new(JobStates::new(clock.clone()));
        let known = (store.clone(), clock.clone(), Arc::clone(&price));
        let board = Board::start(known, &job_states);
        let board = Arc::new(board);
        let stripe = config.billing.settings(development)?;
        let billing = Billing::new(
            store.clone(),
            clock.clone(),
            origin.clone(),
            stripe,
            http.clone(),
        )?;
        let streams = Limits {
            total: config.connections.max_streams,
            per_sender: config.connections.max_streams_per_address,
        };
        let live = Arc::new(Live::start(board.newest(), streams, &job_states));
        let health = Health::new(
            store.clone(),
            board.newest(),
            clock.clone(),
            Arc::clone(&chain),
            Arc::clone(&job_states),
        );
        let cards = Cards::new(&origin);
        let log = history::Settings {
            site: origin.clone(),
            published: Published::new(config.history.published_checkpoint.clone()),
            network: chain.network_name(),
            stands_still: development_chain.is_some(),
            salt: rand::random,
        };
        let history = History::load(store.clone(), clock.clone(), log).await?;
        let site = Site {
            network: chain.network().into(),
            legal: Legal::of(&config.legal),
        };
        let followed = chain.network_name();
        let proxies = Arc::new(config.proxies.clone());
        let responses = ResponseCache::new(Arc::clone(&board), followed, Arc::clone(&proxies));
        let pages = Pages::new(origin.clone(), site, Arc::clone(&board), followed);
        let sign_in = SignIn::load(
            &config,
            store.clone(),
            clock.clone(),
            rate_limits.clone(),
            &http,
        );
        let sign_in = sign_in.await?;
        let follower = Arc::new(Follower::new(
            store.clone(),
            clock.clone(),
            Arc::clone(&chain),
            config.development(),
        ));
        let settings = ProofSettings {
            origin,
            binding: config.proof_binding,
            min_confirmations: config.min_confirmations,
            mocks: development_chain.is_some(),
        };
        let proving = Proving::load(
            store.clone(),
            clock.clone(),
            Arc::clone(&chain),
            Arc::clone(&follower),
            settings,
        );
        let proving = proving.await?;
        Ok(Self {
            cookies: Cookies::new(&config),
            proxies,
            config: Arc::new(config),
            job_states,
            clock,
            store,
            chain,
            development_chain,
            sign_in: Arc::new(sign_in),
            proving: Arc::new(proving),
            rate_limits,
            follower,
            live,
            health: Arc::new(health),
            price,
            board,
            billing: Arc::new(billing),
            history: Arc::new(history),
            pictures: Arc::new(pictures),
            cards: Arc::new(cards),
            responses,
            exports: Exports::default(),
            pages: Arc::new(pages),
        })
    }
}

impl App {
    /// The work that the server does by itself. A new job is a line here, and a step of the room that it belongs to.
    fn jobs(&self) -> Vec<Job> {
        vec![
            Job::new("follow", &self.follower, |follower| follower.step().boxed()),
            Job::every(follow::HEARTBEAT, "lease", &self.follower, |follower| {
                follower.hold().boxed()
            }),
            Job::new("expire", &self.proving, |proving| proving.expire().boxed()),
            Job::new("reverify", &self.proving, |proving| {
                proving.reverify_due().boxed()
            }),
            Job::new("log", &self.history, |history| history.step().boxed()),
            Job::new("billing", &self.billing, |billing| billing.step().boxed()),
            health::write_check(&self.health),
            Job::every(TIDY, "tidy", &self.sign_in, |sign_in| {
                sign_in.tidy().boxed()
            }),
        ]
    }

    /// Does all of that until `stop` is true, or its sender is gone.
    pub async fn work(&self, stop: watch::Receiver<bool>) {
        jobs::run(self.jobs(), Arc::clone(&self.job_states), stop).await;
        if let Err(error) = self.follower.stop().await {
            tracing::warn!(%error, "leases run out by themselves");
        }
        if let Err(error) = self.history.stop().await {
            tracing::warn!(%error, "leases run out by themselves");
        }
    }
}

/// Connects to the chain sources. The embedded one is always of regtest.
pub(crate) async fn connect(
    sources: Sources,
    config: &ChainConfig,
    clock: Clock,
) -> Result<Chain, ChainError> {
    let network = (sources.embedded).map_or(config.network, |_| Network::Regtest);
    let checkpoint = config.checkpoint;
    if network == Network::Bitcoin && checkpoint.is_none() {
        tracing::warn!(
            "CHAIN_CHECKPOINT is not set, so a chain source that follows a fork of August 2026 is not noticed; .env.example \
             says how to find one"
        );
    }
    let expected = Expected {
        network,
        checkpoint,
    };
    let measured = sources.list.into_iter().map(|source| {
        let measured: Arc<dyn ChainSource> = Arc::new(Measured(source));
        measured
    });
    Chain::connect_all(measured.collect(), sources.quorum, expected, clock).await
}

/// The chain sources, when no setting is dangerous.
async fn checked(config: &Config, http: &reqwest::Client) -> Result<Sources, StartError> {
    let names: Vec<&str> = config.chain.sources.iter().map(Secret::expose).collect();
    let sources = Sources::open(&names, config.chain.quorum, config.development(), http).await?;
    config.validate()?;
    Ok(sources)
}
