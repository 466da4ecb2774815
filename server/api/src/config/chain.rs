//! Settings of the chain sources. `chain::sources` parses their names.

use ::chain::{Checkpoint, Secret};
use bitcoin::Network;
use clap::Args;

use super::checks::{ConfigError, require};

/// The lowest height of a checkpoint that differs between Bitcoin and the forks of August 2026, which share its earlier blocks.
const AFTER_THE_FORKS_OF_2026: u32 = 965_000;

#[derive(Clone, Debug, Args)]
pub struct ChainConfig {
    /// Where coins are looked up, one source or several separated by commas, in the order in which they are
    /// asked: `bitcoind:http://user:password@127.0.0.1:8332`, `esplora:https://host/api`,
    /// or `development` (the embedded chain, development only).
    #[arg(
        long = "chain",
        env = "CHAIN",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub sources: Vec<Secret>,

    /// How many of the sources must agree before an answer counts (rule B6). Default: 1 when all are
    /// Bitcoin Core nodes, which are assumed to be your own, else 2.
    #[arg(long = "chain-quorum", env = "CHAIN_QUORUM", value_parser = clap::value_parser!(u8).range(1..))]
    pub quorum: Option<u8>,

    /// The network of the coins: `bitcoin` (default), `testnet`, `testnet4`, `signet` or
    /// `regtest`. The embedded development chain is always `regtest`.
    #[arg(long, env = "NETWORK", default_value = "bitcoin")]
    pub network: Network,

    /// A block that every source must have, as `HEIGHT:HASH`: on mainnet one after the forks of August 2026 (decisions, D12).
    #[arg(long = "chain-checkpoint", env = "CHAIN_CHECKPOINT")]
    pub checkpoint: Option<Checkpoint>,
}

impl ChainConfig {
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        let early = |checkpoint: &Checkpoint| checkpoint.height < AFTER_THE_FORKS_OF_2026;
        require(
            self.network != Network::Bitcoin || !self.checkpoint.as_ref().is_some_and(early),
            format!(
                "CHAIN_CHECKPOINT must be a block at height {AFTER_THE_FORKS_OF_2026} or above: the forks of August 2026 share those before"
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_of_mainnet_is_after_the_forks() {
        let at = |network, height| {
            let hash = "00".repeat(32);
            let config = ChainConfig {
                sources: Vec::new(),
                quorum: None,
                network,
                checkpoint: format!("{height}:{hash}").parse().ok(),
            };
            config.validate().is_ok()
        };
        assert!(at(Network::Bitcoin, 965_000) && at(Network::Regtest, 1));
        assert!(!at(Network::Bitcoin, 964_999));
    }
}
