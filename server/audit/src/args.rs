//! The command line.

use std::path::PathBuf;

use bitcoin::Network;
use board_log::cosignature::WitnessKey;
use board_log::note::VerifierKey;
use chain::clock::Clock;
use chain::sources::{Sources, Trust};
use chain::{Chain, Checkpoint, Secret};
use clap::{Parser, Subcommand};
use reqwest::Client;
use url::Url;

use crate::failure::Failure;

/// Checks a board from outside: every published proof, every coin, every sum, and its log. Ends with status 0 only when nothing is false.
#[derive(Clone, Debug, PartialEq, Eq, Parser)]
#[command(
    name = "reserves-audit",
    version,
    subcommand_negates_reqs = true,
    args_conflicts_with_subcommands = true
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// The public address of the board: `https://board.example`.
    #[arg(required_unless_present = "receipt")]
    pub url: Option<Url>,

    /// A receipt to check instead of a board, offline. With the address of a board, the receipt must be from that board.
    #[arg(long, value_name = "FILE")]
    pub receipt: Option<PathBuf>,

    /// The key of the board's log, from a trusted source. Without it, the key seen at the first audit counts.
    #[arg(long, value_name = "KEY")]
    pub key: Option<VerifierKey>,

    /// The verifier key of a witness that you trust, once for each witness. The newest checkpoint must have their cosignatures.
    #[arg(long = "witness", value_name = "KEY")]
    pub witnesses: Vec<WitnessKey>,

    /// How many of these witnesses must have cosigned. Default: all of them.
    #[arg(long, value_name = "K", requires = "witnesses", value_parser = clap::value_parser!(u8).range(1..))]
    pub quorum: Option<u8>,

    /// A folder for the newest checkpoint of each board's log; the next audit checks that the log has only grown since.
    /// Default: `.proof-of-reserves` in the home directory.
    #[arg(long, value_name = "FOLDER")]
    pub seen: Option<PathBuf>,

    #[command(flatten)]
    pub sources: SourceArgs,

    /// Prints the report as JSON.
    #[arg(long)]
    pub json: bool,

    /// For how many seconds a finding is checked again: blocks reach a board a little later than its chain.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub patience: u64,
}

/// What else the program does.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Checks proofs for one reader, with Bitcoin Core's engine and your own sources. Ends with status 0 when all of it was checked and is right,
    /// 1 when it is false, and 2 when not everything could be checked.
    Proof(ProofArgs),
}

/// The options of `reserves-audit proof`.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct ProofArgs {
    /// The files, at most 20, for the same request. They have one sum for each name.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The request that you gave the holder. Without it a proof is not checked.
    #[arg(long, value_name = "TEXT")]
    pub request: Option<String>,

    /// Which coins were there at this date, with its time zone: `2027-01-01T00:00:00+01:00`, or Z for UTC. 24:00 is the end of its day.
    /// Without it the coins are looked up as they are now.
    #[arg(long, value_name = "INSTANT")]
    pub at: Option<String>,

    /// The names in several files are one client: also print one sum over all of them.
    #[arg(long)]
    pub one_client: bool,

    #[command(flatten)]
    pub sources: SourceArgs,

    /// Prints one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Where coins are looked up.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct SourceArgs {
    /// Where coins are looked up, one source or several separated by commas: `bitcoind:http://user:password@127.0.0.1:8332`,
    /// `esplora:https://host/api`.
    #[arg(
        long,
        env,
        hide_env_values = true,
        value_name = "SOURCES",
        value_delimiter = ','
    )]
    pub chain: Vec<Secret>,

    /// How many of them must agree. Default: 1 when all are Bitcoin Core nodes or on this machine, else 2.
    #[arg(long, env, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub chain_quorum: Option<u8>,

    /// The network of the coins.
    #[arg(long, env, default_value = "bitcoin")]
    pub network: Network,

    /// A block that every source must have, as `HEIGHT:HASH`: on mainnet one after the forks of August 2026.
    #[arg(long = "chain-checkpoint", env = "CHAIN_CHECKPOINT")]
    pub checkpoint: Option<Checkpoint>,
}

impl SourceArgs {
    /// Connects to the sources.
    pub(super) async fn connect(&self, clock: Clock, client: &Client) -> Result<Chain, Failure> {
        let names: Vec<&str> = self.chain.iter().map(Secret::expose).collect();
        let sources = Sources::open(&names, self.chain_quorum, Trust::Audit, client).await?;
        let (list, quorum) = (sources.list, sources.quorum);
        let chain = Chain::connect(list, quorum, self.network, self.checkpoint, clock);
        chain.await.map_err(Failure::Chain)
    }
}

impl Args {
    /// How many witnesses must have cosigned.
    pub fn cosignatures(&self) -> usize {
        self.quorum.map_or(self.witnesses.len(), usize::from)
    }

    /// The sentence about a log or a receipt, with how many witnesses have cosigned it.
    pub(super) fn with_witnesses(&self, sentence: &str, cosigned: usize) -> String {
        match self.witnesses.len() {
            0 => sentence.to_owned(),
            all => {
                format!("{sentence}; cosigned by {cosigned} of the {all} witnesses that you trust")
            }
        }
    }

    pub(super) fn too_few(&self, cosigned: usize) -> String {
        format!(
            "its checkpoint has valid cosignatures of {cosigned} of the {} witnesses that you trust, and {} are needed",
            self.witnesses.len(),
            self.cosignatures()
        )
    }

    /// The folder for what audits have seen of logs.
    pub fn seen_folder(&self) -> PathBuf {
        let home = std::env::home_dir().unwrap_or_default();
        let default = || home.join(".proof-of-reserves");
        self.seen.clone().unwrap_or_else(default)
    }
}
