//! The one place that reads the environment. Every field documents its variable.

use std::net::SocketAddr;
use std::path::PathBuf;

use bitcoin::Network;
use clap::{Parser, ValueEnum};
use url::{Host, Url};

mod billing;
mod chain;
mod command;
mod images;
mod operations;
mod price;
mod proxies;
mod sign_in;

pub use billing::{BillingConfig, BillingConfigError, StripeSettings};
pub use chain::ChainAddress;
pub use command::Command;
pub use operations::{LogFormat, OperationsConfig};
pub use price::PriceSource;
pub use proxies::{ProxyConfig, TrustedProxy};
pub use sign_in::{ProviderSettings, SignInConfig, SignInConfigError};

/// What the server is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Environment {
    /// The default: real sign-in, a real chain, no mocks.
    Production,
    /// One machine, no network, no accounts: mock sign-in and an embedded chain (decisions, D11).
    Development,
}

impl Environment {
    /// The word that a database is stamped with.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Development => "development",
        }
    }
}

/// Whether a proof must be bound to the account that sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProofBinding {
    /// The default: an unbound file is refused with the steps that bind it.
    Required,
    /// An unbound file counts until somebody proves the same coins with a bound one.
    Optional,
}

impl ProofBinding {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Optional => "optional",
        }
    }
}

/// Settings of one server process, from the environment or the command line.
#[derive(Clone, Debug, Parser)]
#[command(name = "server", version, about = "The Proof of Reserves server")]
pub struct Config {
    /// `production` (default) or `development`.
    #[arg(long, env = "APP_ENV", value_enum, default_value = "production")]
    pub app_env: Environment,

    /// Address and port to listen on. Development listens on loopback alone.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The address that people use, for example `https://reserves.example`. Default in
    /// development: http at the address listened on.
    #[arg(long, env = "PUBLIC_URL")]
    pub public_url: Option<Url>,

    /// `sqlite:path/to/file` or `postgres://user:password@host/database`.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite:proof-of-reserves.sqlite",
        hide_env_values = true
    )]
    pub database_url: String,

    /// Where coins are looked up, one source or several divided by commas, in the order in which they are
    /// asked: `bitcoind:http://user:password@127.0.0.1:8332`, `esplora:https://host/api`,
    /// `electrum:ssl://host:50002`, or `development` (the embedded chain, development only).
    #[arg(long, env = "CHAIN", hide_env_values = true, value_delimiter = ',')]
    pub chain: Vec<ChainAddress>,

    /// How many of the sources must agree before an answer counts (rule B6). Default: 1 when all are
    /// Bitcoin Core nodes, which are taken to be one's own, else 2.
    #[arg(long, env = "CHAIN_QUORUM", value_parser = clap::value_parser!(u8).range(1..))]
    pub chain_quorum: Option<u8>,

    /// The network whose coins are proven: `bitcoin` (default), `testnet`, `testnet4`, `signet` or
    /// `regtest`. The embedded development chain is always `regtest`.
    #[arg(long, env = "NETWORK", default_value = "bitcoin")]
    pub network: Network,

    /// How many blocks must confirm a coin before it counts (rule B2).
    #[arg(long, env = "MIN_CONFIRMATIONS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub min_confirmations: u32,

    /// Whether a proof must be bound to its account (decisions, D4): `required` (default) refuses
    /// files that are not; `optional` is for private boards, accepts them and shows them as unbound.
    #[arg(long, env = "PROOF_BINDING", value_enum, default_value = "required")]
    pub proof_binding: ProofBinding,

    /// Where the current bitcoin price is read: JSON addresses in the form of mempool.space
    /// (`/api/v1/prices`), Coinbase, Kraken or CoinGecko, divided by commas, asked in this order until one answers.
    /// `none` turns it off. Default: public sources; in development none.
    #[arg(long, env = "PRICE_URL", value_delimiter = ',')]
    pub price_url: Vec<PriceSource>,

    /// What stands in front of the server.
    #[command(flatten)]
    pub proxies: ProxyConfig,

    /// Who may say who somebody is.
    #[command(flatten)]
    pub sign_in: SignInConfig,

    /// Payment for the premium plan.
    #[command(flatten)]
    pub billing: BillingConfig,

    /// Origins on this machine that pictures of people may come from, beside the providers' own hosts: for trying
    /// things out, development only.
    #[arg(long, env = "AVATAR_HOSTS", value_delimiter = ',')]
    pub avatar_hosts: Vec<Url>,

    /// The log, limits, and what watches the process.
    #[command(flatten)]
    pub operations: OperationsConfig,

    /// A file that receives the OpenAPI document instead of starting the server.
    #[arg(long, value_name = "FILE")]
    pub write_openapi: Option<PathBuf>,

    /// What to do; without it, serve.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// A setting that would make the service unsafe, with what to do instead.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    /// Development mode would be reachable from other machines.
    #[error(
        "APP_ENV=development signs anybody in, so it listens on loopback alone; set LISTEN to 127.0.0.1 and a port"
    )]
    DevelopmentNotLoopback,
    /// The embedded chain proves nothing.
    #[error(
        "CHAIN=development is only for APP_ENV=development, and without other sources; set CHAIN to bitcoind:URL, or to several sources"
    )]
    DevelopmentChain,
    /// Production needs to be told where the chain is.
    #[error("CHAIN is not set; set it to bitcoind:URL, or to several sources divided by commas")]
    NoChain,
    /// One operator could make up coins.
    #[error(
        "a single public chain source could make up coins, so its word alone does not count: name at least two sources of different operators in CHAIN, divided by commas, with CHAIN_QUORUM=2 or more, or only your own Bitcoin Core node (bitcoind:URL)"
    )]
    SinglePublicSource,
    /// So many can never agree.
    #[error("CHAIN_QUORUM is larger than the number of sources in CHAIN")]
    QuorumTooLarge,
    /// It would agree with itself.
    #[error("CHAIN names the same source twice")]
    SameSourceTwice,
    /// Production needs to know its own address: cookies and redirects depend on it.
    #[error("PUBLIC_URL is not set; set it to the https address that people use")]
    NoPublicUrl,
    /// The server could be made to call its neighbours.
    #[error(
        "AVATAR_HOSTS is only for APP_ENV=development, and only for numbered addresses of this machine"
    )]
    AvatarHosts,
    /// Payment settings that cannot work.
    #[error(transparent)]
    Billing(#[from] BillingConfigError),
    /// Sign-in.
    #[error(transparent)]
    SignIn(#[from] SignInConfigError),
    /// Sessions would cross the network in the clear.
    #[error("PUBLIC_URL must be https, and only an origin: no path, no query")]
    PublicUrlNotHttps,
}

impl Config {
    /// Whether this is development mode.
    #[must_use]
    pub fn development(&self) -> bool {
        self.app_env == Environment::Development
    }

    /// Refuses what would be dangerous.
    ///
    /// # Errors
    /// The first dangerous setting found.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if self.development() {
            if !self.listen.ip().is_loopback() {
                return Err(ConfigError::DevelopmentNotLoopback);
            }
        } else {
            if self.chain.is_empty() {
                return Err(ConfigError::NoChain);
            }
            if self.chain.contains(&ChainAddress::Development) {
                return Err(ConfigError::DevelopmentChain);
            }
            if self.public_url.is_none() {
                return Err(ConfigError::NoPublicUrl);
            }
        }
        self.validate_chain()?;
        self.billing.settings(self.development())?;
        self.validate_avatar_hosts()?;
        self.sign_in.providers()?;
        self.sign_in.redirects()?;
        if let Some(url) = &self.public_url {
            let secure = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url));
            if !secure || url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
                return Err(ConfigError::PublicUrlNotHttps);
            }
        }
        Ok(())
    }

    /// Whether people come by https.
    #[must_use]
    pub fn secure(&self) -> bool {
        let url = self.public_url.as_ref();
        url.is_some_and(|url| url.scheme() == "https")
    }

    /// The origin that people use, as the `Origin` header spells it (RFC 6454, section 6.2).
    #[must_use]
    pub fn origin(&self) -> String {
        self.public_url.as_ref().map_or_else(
            || format!("http://{}", self.listen),
            |url| url.origin().ascii_serialization(),
        )
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(arguments: &[&str]) -> Config {
        Config::parse_from(std::iter::once("server").chain(arguments.iter().copied()))
    }

    #[test]
    fn production_is_the_default_and_wants_a_chain_and_an_https_address() {
        assert_eq!(config(&[]).validate(), Err(ConfigError::NoChain));
        let chain = "--chain=bitcoind:http://u:p@127.0.0.1:8332";
        assert_eq!(config(&[chain]).validate(), Err(ConfigError::NoPublicUrl));
        assert_eq!(
            config(&[chain, "--public-url=http://reserves.example"]).validate(),
            Err(ConfigError::PublicUrlNotHttps)
        );
        assert_eq!(
            config(&[chain, "--public-url=https://reserves.example"]).validate(),
            Ok(())
        );
    }

    #[test]
    fn development_listens_on_loopback_alone() {
        let open = config(&["--app-env=development", "--listen=0.0.0.0:8080"]);
        assert_eq!(open.validate(), Err(ConfigError::DevelopmentNotLoopback));
        assert_eq!(config(&["--app-env=development"]).validate(), Ok(()));
    }
}
