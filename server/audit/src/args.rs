//! The command line.

use std::path::PathBuf;

use bitcoin::Network;
use board_log::cosignature::WitnessKey;
use board_log::note::VerifierKey;
use chain::{Checkpoint, Secret};
use clap::Parser;
use url::Url;

/// Checks a board from outside: every published proof, every coin, every sum, and its log. Ends with status 0 only when nothing is false.
#[derive(Clone, Debug, PartialEq, Eq, Parser)]
#[command(name = "reserves-audit", version)]
pub struct Args {
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

    /// The network of the board.
    #[arg(long, env, default_value = "bitcoin")]
    pub network: Network,

    /// A block that every source must have, as `HEIGHT:HASH`: on mainnet one after the forks of August 2026.
    #[arg(long = "chain-checkpoint", env = "CHAIN_CHECKPOINT")]
    pub checkpoint: Option<Checkpoint>,

    /// Prints the report as JSON.
    #[arg(long)]
    pub json: bool,

    /// For how many seconds a finding is checked again: blocks reach a board a little later than its chain.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub patience: u64,
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
