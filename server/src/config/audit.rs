//! What an audit of a board is asked for.

use std::path::PathBuf;

use bitcoin::Network;
use clap::Args;
use url::Url;

use super::secret::Secret;

/// Which board, and what to compare it with.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct AuditArgs {
    /// The address of the board, as people use it: `https://board.example`.
    #[arg(required_unless_present = "receipt")]
    pub url: Option<Url>,

    /// A receipt to check in the place of a board, offline. With the address of a board it must be one of that board.
    #[arg(long, value_name = "FILE")]
    pub receipt: Option<PathBuf>,

    /// The key of the board's log, when it is known from elsewhere. Without it the one that was seen first counts.
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,

    /// A folder in which the newest checkpoint of each board's log is kept, so that the next audit demands that the log has only grown.
    /// Default: `.proof-of-reserves` in the home directory.
    #[arg(long, value_name = "FOLDER")]
    pub seen: Option<PathBuf>,

    /// Where its coins are looked up, as in `CHAIN`: `bitcoind:http://user:password@127.0.0.1:8332`, or several sources divided by
    /// commas. Leave it out to use `CHAIN`.
    #[arg(long = "chain", value_name = "SOURCES", value_delimiter = ',')]
    pub chain: Vec<Secret>,

    /// How many of them must agree, as in `CHAIN_QUORUM`.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub quorum: Option<u8>,

    /// The network of the board, as in `NETWORK`. Leave it out to use that.
    #[arg(long = "network", value_name = "NETWORK", id = "audit_network")]
    pub network: Option<Network>,

    /// Prints the report as JSON.
    #[arg(long)]
    pub json: bool,

    /// For how many seconds what looks false is looked at again: blocks reach a board a little later than its chain.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub patience: u64,
}

impl AuditArgs {
    /// The folder in which is kept what was seen of logs.
    #[must_use]
    pub fn seen_folder(&self) -> PathBuf {
        let home = || {
            std::env::home_dir()
                .unwrap_or_default()
                .join(".proof-of-reserves")
        };
        self.seen.clone().unwrap_or_else(home)
    }
}
