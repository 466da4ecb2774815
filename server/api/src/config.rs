//! Settings, from the environment or the command line. No other module reads the environment. Every field documents its variable.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, ValueEnum};
use psbt_wasm::statement::{self, LONG_SITE_BYTES, MAX_SITE_BYTES};
use serde::Serialize;
use url::Url;
use utoipa::ToSchema;

mod billing;
mod chain;
mod checks;
mod command;
mod legal;
mod operations;
mod price;
mod proxies;
mod sign_in;
mod variables;

use ::chain::is_loopback;
pub use ::chain::{Checkpoint, Secret};
pub use billing::{BillingConfig, StripeSettings};
pub use chain::ChainConfig;
pub use checks::ConfigError;
use checks::{plain_url, require};
pub use command::{Command, DatabaseCommand};
pub use legal::LegalConfig;
pub use operations::{
    BoardLogConfig, ConnectionLimits, OperationsConfig, ServerLogFormat, Witness,
};
pub use price::PriceConfig;
pub use proxies::ProxyConfig;
pub use sign_in::{ProviderSettings, SignInConfig};
use variables::variables;

/// The mode of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Environment {
    /// Real sign-in, a real chain, no mocks.
    Production,
    /// Mock sign-in and an embedded chain, on one machine without a network (decisions, D11).
    Development,
}

/// Whether a proof must be bound to its account. `required`: a file that is not bound is refused. `optional`: it is shown as unbound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum ProofBinding {
    /// An unbound file is refused, with the steps that bind it.
    Required,
    /// An unbound file counts until another user proves the same coins with a bound one.
    Optional,
}

/// A setting that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

/// Settings of one server process, from the environment or the command line.
#[derive(Clone, Debug, Parser)]
#[command(name = "server", version, about = "The Proof of Reserves server")]
pub struct Config {
    /// `production` (default) or `development`.
    #[arg(long, env = "APP_ENV", value_enum, default_value = "production")]
    pub app_env: Environment,

    /// Address and port to listen on. In development only a loopback address.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The site's address, for example `https://reserves.example`. Every proof contains its host, and its port unless
    /// that is 443: at most 26 characters together. Default in development: http at the address listened on.
    #[arg(long, env = "PUBLIC_URL", value_parser = plain_url)]
    pub public_url: Option<Url>,

    /// `sqlite:path/to/file` or `postgres://user:password@host/database`.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite:proof-of-reserves.sqlite",
        hide_env_values = true
    )]
    pub database_url: Secret,

    #[command(flatten)]
    pub chain: ChainConfig,

    /// How many blocks must confirm a coin before it counts (rule B2).
    #[arg(long, env = "MIN_CONFIRMATIONS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub min_confirmations: u32,

    /// Whether a proof must be bound to its account (decisions, D4): `required` (default) refuses
    /// unbound files; `optional`, for private boards, accepts them and shows them as unbound.
    #[arg(long, env = "PROOF_BINDING", value_enum, default_value = "required")]
    pub proof_binding: ProofBinding,

    /// Whether a new development database gets sample holders: `on` or `off` (default). Production never has them.
    #[arg(long, env = "SAMPLES", value_enum, default_value = "off")]
    pub samples: Switch,

    #[command(flatten)]
    pub price: PriceConfig,

    #[command(flatten)]
    pub proxies: ProxyConfig,

    #[command(flatten)]
    pub sign_in: SignInConfig,

    #[command(flatten)]
    pub billing: BillingConfig,

    #[command(flatten)]
    pub board_log: BoardLogConfig,

    /// Origins on this machine from which profile pictures may be fetched, in addition to the providers' hosts. Development
    /// only.
    #[arg(long, env = "AVATAR_HOSTS", value_delimiter = ',', value_parser = plain_url)]
    pub avatar_hosts: Vec<Url>,

    #[command(flatten)]
    pub legal: LegalConfig,

    #[arg(skip)]
    pub connections: ConnectionLimits,

    #[command(flatten)]
    pub operations: OperationsConfig,

    /// The default is `serve`.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Config {
    pub fn development(&self) -> bool {
        self.app_env == Environment::Development
    }

    /// Reads the environment and the command line. Ends the process with a message when they are invalid; no message contains
    /// a secret.
    pub fn read() -> Self {
        let mut arguments: Vec<OsString> = std::env::args_os().collect();
        let started_as = arguments.first().map(Path::new).and_then(Path::file_name);
        let started_as = started_as.unwrap_or_default().to_string_lossy();
        let mut command = Self::command().display_name(&*started_as);
        variables::from_files(&command, |name| std::env::var_os(name))
            .map_err(|sentence| command.error(ErrorKind::Io, sentence))
            .and_then(|settings| {
                arguments.splice(1..1, settings);
                let mut matches = command.clone().try_get_matches_from(arguments)?;
                refuse_placeholders(&mut command, &matches)?;
                Self::from_arg_matches_mut(&mut matches)
            })
            .map_err(without_password)
            .unwrap_or_else(|error| refuse(&error))
    }

    /// Variables that look like misspelled settings of this server, each with the setting.
    pub fn misspelled_variables() -> Vec<(String, String)> {
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        variables::find_misspelled(&Self::command(), names)
    }

    /// Refuses dangerous and incomplete settings.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let development = self.development();
        require(
            !development || self.listen.ip().is_loopback(),
            "APP_ENV=development signs in anyone, so it listens only on this machine; set LISTEN to 127.0.0.1 and a port",
        )?;
        self.validate_public_url()?;
        self.proxies.validate()?;
        self.chain.validate()?;
        self.sign_in.providers()?;
        self.billing.settings(development)?;
        // The server fetches from these hosts.
        let is_here = |url: &Url| is_loopback(url) && url.domain().is_none();
        require(
            self.avatar_hosts.is_empty() || (development && self.avatar_hosts.iter().all(is_here)),
            "AVATAR_HOSTS is only for APP_ENV=development, and only for numbered addresses of this machine",
        )?;
        self.legal.validate(development)
    }

    fn validate_public_url(&self) -> Result<(), ConfigError> {
        let Some(url) = &self.public_url else {
            let message = "PUBLIC_URL is not set; set it to the site's https address";
            return require(self.development(), message);
        };
        require(
            url.as_str() == format!("{}/", self.origin()),
            "PUBLIC_URL must be only an origin, without a path",
        )?;
        require(
            !self.development() || is_loopback(url),
            "APP_ENV=development signs in anyone, so PUBLIC_URL must be an address of this machine; remove it, or set \
             APP_ENV=production",
        )?;
        require(
            self.site().len() <= MAX_SITE_BYTES,
            format!(
                "PUBLIC_URL is too long: host and port together may have at most {MAX_SITE_BYTES} characters (a host in its xn-- form), because \
                 every proof shows them and the holder's name in one line of 75; set it to a shorter address"
            ),
        )
    }

    /// Whether the site's address is https.
    pub fn secure(&self) -> bool {
        let url = self.public_url.as_ref();
        url.is_some_and(|url| url.scheme() == "https")
    }

    /// Whether the site's name leaves little room for a user's name in a statement (proofs, section 1).
    pub fn site_is_long(&self) -> bool {
        self.site().len() > LONG_SITE_BYTES
    }

    /// The site's name in statements.
    fn site(&self) -> String {
        statement::site(&self.origin()).unwrap_or_default()
    }

    /// The site's origin, as the `Origin` header spells it (RFC 6454, section 6.2).
    pub fn origin(&self) -> String {
        self.public_url.as_ref().map_or_else(
            || format!("http://{}", self.listen),
            |url| url.origin().ascii_serialization(),
        )
    }
}

/// Refuses settings whose value contains `…`, the placeholder of the examples.
fn refuse_placeholders(command: &mut clap::Command, matches: &ArgMatches) -> Result<(), Error> {
    let unfinished = |(_, argument): &(&str, &Arg)| {
        let values = matches.get_raw(argument.get_id().as_str());
        let mut values = values.into_iter().flatten();
        values.any(|value| value.to_string_lossy().contains('…'))
    };
    let settings = variables(command).filter(unfinished);
    let names: Vec<_> = settings.map(|(name, _)| name).collect();
    if names.is_empty() {
        return Ok(());
    }
    let names = names.join(", ");
    let message = format!(
        "{names} still has the example's …; replace it with the real value, or remove the setting"
    );
    Err(command.error(ErrorKind::ValueValidation, message))
}

/// Ends the process with the reason in the last line, which is what a service manager shows; or with the help that was asked for.
fn refuse(error: &Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let text = error.render().to_string();
    let reason = text.split("\n\nUsage:").next().unwrap_or_default();
    let reason = reason.split("\n\nFor more information").next();
    let words: Vec<_> = reason.unwrap_or_default().split_whitespace().collect();
    let words = words.join(" ");
    let reason = words.strip_prefix("error: ").unwrap_or(&words);
    clap::Error::raw(error.kind(), format!("{reason}\n")).exit()
}

/// Removes a setting's value from an error when it is an address with a password, which any address may have by mistake.
fn without_password(mut error: Error) -> Error {
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && value.contains('@')
    {
        let hidden = ContextValue::String("…@…".to_owned());
        error.insert(ContextKind::InvalidValue, hidden);
    }
    error
}

#[cfg(test)]
mod tests;
