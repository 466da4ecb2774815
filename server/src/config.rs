//! The one place that reads the environment. Every field documents its variable.

use std::ffi::OsString;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, ValueEnum};
use psbt_wasm::statement::{self, MAX_SITE_BYTES};
use url::Url;

mod billing;
mod chain;
mod command;
mod connections;
mod error;
mod files;
mod images;
mod legal;
mod operations;
mod person;
mod price;
mod proxies;
mod secret;
mod sign_in;
mod transport;
mod unknown;

pub use billing::{BillingConfig, StripeSettings};
pub use chain::{ChainConfig, Checkpoint};
pub use command::Command;
pub use connections::ConnectionsConfig;
pub use error::ConfigError;
pub use images::ImagesConfig;
pub use legal::{Day, LegalConfig};
pub use operations::{LogFormat, OperationsConfig};
pub use person::Person;
pub use price::{PriceConfig, PriceSource};
pub use proxies::{ProxyConfig, TrustedProxy};
pub use secret::Secret;
pub use sign_in::{ProviderSettings, SignInConfig, SignInConfigError};
use transport::{is_loopback, is_private};
pub use unknown::Unknown;

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
#[derive(Clone, Parser)]
#[command(name = "server", version, about = "The Proof of Reserves server")]
pub struct Config {
    /// `production` (default) or `development`.
    #[arg(long, env = "APP_ENV", value_enum, default_value = "production")]
    pub app_env: Environment,

    /// Address and port to listen on. Development listens on loopback alone.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The address that people use, for example `https://reserves.example`. Every proof names its host, and its port unless
    /// that is 443, which may have 28 characters together. Default in development: http at the address listened on.
    #[arg(long, env = "PUBLIC_URL")]
    pub public_url: Option<Url>,

    /// `sqlite:path/to/file` or `postgres://user:password@host/database`.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite:proof-of-reserves.sqlite",
        hide_env_values = true
    )]
    pub database_url: Secret,

    /// Where coins are looked up.
    #[command(flatten)]
    pub chain: ChainConfig,

    /// How many blocks must confirm a coin before it counts (rule B2).
    #[arg(long, env = "MIN_CONFIRMATIONS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub min_confirmations: u32,

    /// Whether a proof must be bound to its account (decisions, D4): `required` (default) refuses
    /// files that are not; `optional` is for private boards, accepts them and shows them as unbound.
    #[arg(long, env = "PROOF_BINDING", value_enum, default_value = "required")]
    pub proof_binding: ProofBinding,

    /// What a bitcoin costs.
    #[command(flatten)]
    pub price: PriceConfig,

    /// What stands in front of the server.
    #[command(flatten)]
    pub proxies: ProxyConfig,

    /// Who may say who somebody is.
    #[command(flatten)]
    pub sign_in: SignInConfig,

    /// Payment for the premium plan.
    #[command(flatten)]
    pub billing: BillingConfig,

    /// Pictures of people.
    #[command(flatten)]
    pub images: ImagesConfig,

    /// Who runs the site.
    #[command(flatten)]
    pub legal: LegalConfig,

    /// How many connections there may be, and how long they may wait.
    #[command(flatten)]
    pub connections: ConnectionsConfig,

    /// The log, and what watches the process.
    #[command(flatten)]
    pub operations: OperationsConfig,

    /// A file that receives the OpenAPI document instead of starting the server.
    #[arg(long, value_name = "FILE")]
    pub write_openapi: Option<PathBuf>,

    /// What to do; without it, serve.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Config {
    /// Whether this is development mode.
    #[must_use]
    pub fn development(&self) -> bool {
        self.app_env == Environment::Development
    }

    /// Reads the environment and the command line, and ends the process with an explanation when they make
    /// no sense. Secrets are settings of any text, so no explanation repeats one.
    #[must_use]
    pub fn read() -> Self {
        let mut command = Self::command();
        let mut arguments: Vec<OsString> = std::env::args_os().collect();
        files::from_files(&command, |name| std::env::var_os(name))
            .map_err(|sentence| command.error(ErrorKind::Io, sentence))
            .and_then(|settings| {
                arguments.splice(1..1, settings);
                Self::try_parse_from(arguments)
            })
            .map_err(without_password)
            .unwrap_or_else(|error| error.exit())
    }

    /// Variables that are set and mean nothing to this server, though they look as if they should.
    #[must_use]
    pub fn unknown_variables() -> Vec<Unknown> {
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        unknown::unknown(&Self::command(), names)
    }

    /// Refuses what would be dangerous.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let development = self.development();
        if development && !self.listen.ip().is_loopback() {
            return Err(ConfigError::DevelopmentNotLoopback);
        }
        self.validate_public_url()?;
        if development
            && self
                .public_url
                .as_ref()
                .is_some_and(|url| !is_loopback(url))
        {
            return Err(ConfigError::DevelopmentPublic);
        }
        self.proxies.validate()?;
        if !fits_statements(&self.origin()) {
            return Err(ConfigError::PublicUrlTooLong);
        }
        self.chain.validate()?;
        self.sign_in.providers()?;
        self.sign_in.redirects()?;
        self.billing.validate(development)?;
        self.images.validate(development)?;
        self.legal.validate(development)
    }

    fn validate_public_url(&self) -> Result<(), ConfigError> {
        match &self.public_url {
            None if self.development() => Ok(()),
            None => Err(ConfigError::NoPublicUrl),
            Some(url) if is_private(url) && url.as_str() == format!("{}/", self.origin()) => Ok(()),
            Some(_) => Err(ConfigError::PublicUrlNotHttps),
        }
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

/// The same complaint about a setting, without its value when that is an address with a password, as any may be by mistake.
fn without_password(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && value.contains('@')
    {
        let hidden = ContextValue::String("…@…".to_owned());
        error.insert(ContextKind::InvalidValue, hidden);
    }
    error
}

/// Says of settings only what every reader of a log may know.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("app_env", &self.app_env)
            .field("listen", &self.listen)
            .finish_non_exhaustive()
    }
}

/// Whether a statement can name the site at this origin whole (proofs, section 1).
fn fits_statements(origin: &str) -> bool {
    statement::site(origin).is_some_and(|site| {
        site.len() <= MAX_SITE_BYTES && site.bytes().all(|byte| byte.is_ascii_graphic())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(arguments: &[&str]) -> Config {
        Config::parse_from(std::iter::once("server").chain(arguments.iter().copied()))
    }

    #[test]
    fn production_is_the_default_and_wants_an_https_address() {
        assert_eq!(config(&[]).validate(), Err(ConfigError::NoPublicUrl));
        assert_eq!(
            config(&["--public-url=http://reserves.example"]).validate(),
            Err(ConfigError::PublicUrlNotHttps)
        );
        assert!(matches!(
            config(&["--public-url=https://reserves.example"]).validate(),
            Err(ConfigError::LegalUnset(_))
        ));
    }

    #[test]
    fn a_site_that_does_not_fit_into_a_statement_is_refused() {
        for (url, fits) in [
            ("https://twenty-eight-letters.example", true),
            ("https://twenty-nine--letters.examples", false),
            // The port counts, unless it is 443.
            ("https://twenty-eight-letters.example:443", true),
            ("https://twenty-eight-letters.example:8443", false),
            // Counted as browsers and signers write it: xn--bcher-kva.example.
            ("https://b\u{fc}cher.example", true),
            ("https://b\u{fc}chereien-und-buchhandel.example", false),
        ] {
            let argument = format!("--public-url={url}");
            let refused = config(&[&argument]).validate() == Err(ConfigError::PublicUrlTooLong);
            assert_eq!(refused, !fits, "{url}");
        }
    }

    #[test]
    fn development_listens_on_loopback_alone() {
        let open = config(&["--app-env=development", "--listen=0.0.0.0:8080"]);
        assert_eq!(open.validate(), Err(ConfigError::DevelopmentNotLoopback));
        assert_eq!(config(&["--app-env=development"]).validate(), Ok(()));
    }

    #[test]
    fn development_has_no_public_address() {
        for (url, refused) in [
            ("https://reserves.example", true),
            ("https://192.0.2.1", true),
            ("https://localhost:8443", false),
            ("http://127.0.0.1:8080", false),
            ("http://[::1]:8080", false),
        ] {
            let argument = format!("--public-url={url}");
            let said = config(&["--app-env=development", &argument]).validate();
            let expected = if refused {
                Err(ConfigError::DevelopmentPublic)
            } else {
                Ok(())
            };
            assert_eq!(said, expected, "{url}");
        }
    }

    #[test]
    fn an_address_with_a_password_is_no_origin() {
        let with_password = config(&["--public-url=https://user:hunter2@reserves.example"]);
        assert_eq!(
            with_password.validate(),
            Err(ConfigError::PublicUrlNotHttps)
        );
    }

    #[test]
    fn a_complaint_repeats_no_secret() {
        let mut command = Config::command();
        command.build();
        let hidden = command
            .get_arguments()
            .filter(|argument| argument.is_hide_env_values_set());
        let names: Vec<&str> = hidden.filter_map(|argument| argument.get_long()).collect();
        assert!(names.contains(&"chain") && names.contains(&"database-url"));
        for name in names {
            for nonsense in ["hunter2", "://hunter2@[", "a,hunter2", "hunter2\n"] {
                let argument = format!("--{name}={nonsense}");
                if let Err(error) = Config::try_parse_from(["server", argument.as_str()]) {
                    let complaint = error.to_string();
                    assert!(!complaint.contains("hunter2"), "{complaint}");
                }
            }
        }
        // Settings that nobody should put a password into.
        for name in [
            "public-url",
            "price-url",
            "stripe-api-url",
            "github-url",
            "listen",
        ] {
            let argument = format!("--{name}=https://user:hunter2@[");
            let error = Config::try_parse_from(["server", argument.as_str()]);
            let complaint = without_password(error.expect_err("no address")).to_string();
            assert!(!complaint.contains("hunter2"), "{complaint}");
            assert!(complaint.contains(name), "{complaint}");
        }
    }

    #[test]
    fn a_secret_may_be_in_a_file() {
        let from_files = |environment: &dyn Fn(&str) -> Option<OsString>| {
            files::from_files(&Config::command(), environment)
        };
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("database");
        std::fs::write(&file, "postgres://user:hunter2@host/reserves\n").expect("a file");
        let path = |name: &str| (name == "DATABASE_URL_FILE").then(|| file.clone().into());
        let settings = from_files(&path).expect("settings");
        let arguments = std::iter::once(OsString::from("server")).chain(settings);
        let config = Config::parse_from(arguments);
        let expected = "postgres://user:hunter2@host/reserves";
        assert_eq!(config.database_url.expose(), expected);

        let both = from_files(&|name| name.starts_with("DATABASE_URL").then(|| "x".into()));
        let said = both.expect_err("two answers");
        assert!(
            said.contains("both DATABASE_URL and DATABASE_URL_FILE"),
            "{said}"
        );
        let nowhere = from_files(&|name| (name == "CHAIN_FILE").then(|| "/nowhere".into()));
        let said = nowhere.expect_err("no file");
        assert!(
            said.contains("CHAIN_FILE: /nowhere cannot be read"),
            "{said}"
        );
    }

    #[test]
    fn without_a_word_it_serves() {
        assert_eq!(Config::parse_from(["server"]).command, None);
        let backup = Config::parse_from(["server", "backup", "--to=copy.sqlite"]);
        let to = PathBuf::from("copy.sqlite");
        assert_eq!(backup.command, Some(Command::Backup { to }));
    }

    #[test]
    fn no_secret_is_ever_printed() {
        let config = config(&[
            "--database-url=postgres://user:hunter2@host/reserves",
            "--chain=bitcoind:http://user:hunter2@127.0.0.1:8332",
            "--twitter-client-id=id",
            "--twitter-client-secret=hunter2",
            "--stripe-secret-key=sk_live_hunter2",
            "--stripe-webhook-secret=whsec_hunter2",
            "--stripe-price-id=price_1",
            "--public-url=https://user:hunter2@reserves.example",
            "--github-url=https://user:hunter2@github.example",
            "--stripe-api-url=https://user:hunter2@stripe.example",
            "--avatar-hosts=http://user:hunter2@127.0.0.1:1",
            "--redirect-urls=https://user:hunter2@app.example",
            "move",
            "--to=postgres://user:hunter2@other/reserves",
        ]);
        let shown = format!("{config:?} {config:#?}");
        assert!(shown.contains("Production"), "{shown}");
        assert!(!shown.contains("hunter2"), "{shown}");
        let refused = config.validate().expect_err("a password").to_string();
        assert!(!refused.contains("hunter2"), "{refused}");
    }
}
