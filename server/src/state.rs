//! What every request can reach.

use std::sync::Arc;

use bitcoin::Network;

use crate::auth::Auth;
use crate::billing::Billing;
use crate::billing::stripe::StripeError;
use crate::card::Cards;
use crate::chain::SourceUrlError;
use crate::chain::core_rpc::CoreRpc;
use crate::chain::development::DevelopmentChain;
use crate::chain::electrum::{self, Electrum, TlsError};
use crate::chain::esplora::Esplora;
use crate::chain::{Chain, ChainError, ChainSource};
use crate::clock::Clock;
use crate::config::{ChainAddress, Config, ConfigError};
use crate::follow::Follower;
use crate::health::Health;
use crate::images::Images;
use crate::keyed_hash::KeyedHash;
use crate::live::Live;
use crate::page::Pages;
use crate::price::Price;
use crate::proof::TransactionHasher;
use crate::proof::attempts::Attempts;
use crate::proof::challenge::Challenges;
use crate::rate_limit::{self, RateLimits};
use crate::store::{Store, StoreError};
use crate::telemetry::chain::Measured;

/// Everything that handlers share. Cheap to clone.
#[derive(Clone, Debug)]
pub struct AppState(Arc<Shared>);

/// The parts of [`AppState`].
#[derive(Debug)]
pub struct Shared {
    /// Settings, validated.
    pub config: Config,
    /// The time.
    pub clock: Clock,
    /// The database.
    pub store: Store,
    /// Where coins are looked up.
    pub chain: Chain,
    /// The embedded chain, in development mode when it is the source.
    pub development_chain: Option<Arc<DevelopmentChain>>,
    /// Sign-in: keys and sessions.
    pub auth: Auth,
    /// Makes the keyed hashes by which transactions are remembered.
    pub hasher: TransactionHasher,
    /// Makes the amounts that bind proofs to accounts.
    pub challenges: Challenges,
    /// Limits how often somebody may fail.
    pub attempts: Attempts,
    /// Limits how many requests of a kind somebody may send.
    pub rate_limits: RateLimits,
    /// Follows the chain, so that claims end when their coins are spent.
    pub follower: Follower,
    /// Tells open pages that something changed.
    pub live: Live,
    /// Whether this process can serve.
    pub health: Health,
    /// The current bitcoin price.
    pub price: Price,
    /// The payment provider, when something is sold.
    pub billing: Option<Billing>,
    /// Pictures of people.
    pub images: Images,
    /// Pictures beside shared links.
    pub cards: Cards,
    /// Pages of the web app, as written lately.
    pub pages: Pages,
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
    /// The address of the chain source.
    #[error("CHAIN: {0}")]
    ChainAddress(#[from] SourceUrlError),
    /// TLS to an Electrum server.
    #[error("CHAIN: {0}")]
    Tls(#[from] TlsError),
    /// Sign-in keys.
    #[error("sign-in cannot be prepared: {0}")]
    Auth(String),
    /// The payment provider.
    #[error(transparent)]
    Billing(#[from] StripeError),
    /// The outbound HTTP client.
    #[error("the HTTP client cannot be made: {0}")]
    Http(#[from] reqwest::Error),
}

impl std::ops::Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl AppState {
    /// Opens the database, makes or reads the keys, connects to the chain.
    ///
    /// # Errors
    /// When a setting is dangerous, or the database or the chain cannot be used.
    pub async fn start(config: Config, clock: Clock) -> Result<Self, StartError> {
        config.validate()?;
        rate_limit::warn_of_unknown_addresses(&config);
        let store =
            Store::connect_with(&config.database_url, config.operations.database_connections)
                .await?;
        store.stamp(config.app_env).await?;
        let http = http_client()?;
        let (chain, development_chain) = connect_chain(&config, &store, &http).await?;
        let auth = Auth::load(&store, &config, &clock, &http).await?;
        let now = clock.now();
        let hasher = TransactionHasher::load(&store, now).await?;
        let challenges = Challenges::new(KeyedHash::load(&store, "challenge", now).await?);
        let attempts = Attempts::new(KeyedHash::load(&store, "attempts", now).await?);
        let rate_limits = RateLimits::new(KeyedHash::load(&store, "rate-limits", now).await?);
        let images = Images::new(&config.avatar_hosts)?;
        let cards = Cards::new(config.host());
        let pages = Pages::new(config.origin());
        let price = Price::new(config.price_sources(), http.clone(), clock.clone());
        let payment = config.billing.settings(config.development());
        let payment = payment.map_err(ConfigError::from)?;
        let billing = payment
            .map(|payment| Billing::new(payment, http))
            .transpose()?;
        let live = Live::start(&store, config.operations.streams()).await?;
        Ok(Self(Arc::new(Shared {
            config,
            clock,
            store,
            chain,
            development_chain,
            auth,
            hasher,
            challenges,
            attempts,
            rate_limits,
            follower: Follower::default(),
            live,
            health: Health::default(),
            price,
            billing,
            images,
            cards,
            pages,
        })))
    }
}

/// The one outbound client: short time-outs, no redirects to follow blindly.
fn http_client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder()
        .user_agent(concat!("proof-of-reserves/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(std::time::Duration::from_secs(5))
        .timeout(std::time::Duration::from_secs(20))
        .redirect(reqwest::redirect::Policy::none())
        .build()
}

/// Connects to the chain sources; the embedded chain comes with itself, to register coins in.
async fn connect_chain(
    config: &Config,
    store: &Store,
    http: &reqwest::Client,
) -> Result<(Chain, Option<Arc<DevelopmentChain>>), StartError> {
    let mut sources: Vec<Arc<dyn ChainSource>> = Vec::new();
    for address in config.chain_addresses() {
        let source: Arc<dyn ChainSource> = match address {
            ChainAddress::Development => {
                let chain = Arc::new(DevelopmentChain::new());
                // The coins of everybody who signed in before this start.
                for account in store.profile_ids().await? {
                    crate::development::fund_account(&chain, &account);
                }
                let connected = Chain::connect(chain.clone(), Network::Regtest).await?;
                return Ok((connected, Some(chain)));
            }
            ChainAddress::Bitcoind(url) => Arc::new(CoreRpc::new(url.as_str(), http.clone())?),
            ChainAddress::Esplora(url) => Arc::new(Esplora::new(url.as_str(), http.clone())?),
            ChainAddress::Electrum(url) => Arc::new(Electrum::new(url.as_str(), electrum::tls()?)?),
        };
        sources.push(Arc::new(Measured(source)));
    }
    let chain = Chain::connect_all(sources, config.chain_quorum(), config.network).await?;
    Ok((chain, None))
}
