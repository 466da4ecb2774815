//! What every request can reach.

use std::sync::Arc;

use bitcoin::Network;

use crate::auth::Auth;
use crate::chain::SourceUrlError;
use crate::chain::core_rpc::CoreRpc;
use crate::chain::development::DevelopmentChain;
use crate::chain::electrum::{self, Electrum, TlsError};
use crate::chain::esplora::Esplora;
use crate::chain::{Chain, ChainError, ChainSource};
use crate::clock::Clock;
use crate::config::{ChainAddress, Config, ConfigError};
use crate::keyed_hash::KeyedHash;
use crate::live::Live;
use crate::price::Price;
use crate::proof::TransactionHasher;
use crate::proof::attempts::Attempts;
use crate::proof::challenge::Challenges;
use crate::store::{Store, StoreError};

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
    /// Tells open pages that something changed.
    pub live: Live,
    /// The current bitcoin price.
    pub price: Price,
    /// Bounds how many files are verified at once, so that heavy files leave room for other requests.
    pub verifications: tokio::sync::Semaphore,
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
        let store = Store::connect(&config.database_url).await?;
        store.stamp(config.app_env).await?;
        let http = http_client()?;
        let (chain, development_chain) = connect_chain(&config, &store, &http).await?;
        let auth = Auth::load(&store, &config, &clock).await?;
        let now = clock.now();
        let hasher = TransactionHasher::load(&store, now).await?;
        let challenges = Challenges::new(KeyedHash::load(&store, "challenge", now).await?);
        let attempts = Attempts::new(KeyedHash::load(&store, "attempts", now).await?);
        let price = Price::new(config.price_url.clone(), http, clock.clone());
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
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
            live: Live::default(),
            price,
            verifications: tokio::sync::Semaphore::new(workers),
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
        sources.push(match address {
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
        });
    }
    let chain = Chain::connect_all(sources, config.chain_quorum(), config.network).await?;
    Ok((chain, None))
}
