//! Which chain sources to use. What their names mean is for `chain::sources` to say.

use bitcoin::Network;
use clap::Args;

use super::secret::Secret;

#[derive(Clone, Debug, Args)]
pub struct ChainConfig {
    /// Where coins are looked up, one source or several divided by commas, in the order in which they are
    /// asked: `bitcoind:http://user:password@127.0.0.1:8332`, `esplora:https://host/api`,
    /// `electrum:ssl://host:50002`, or `development` (the embedded chain, development only).
    #[arg(
        long = "chain",
        env = "CHAIN",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub sources: Vec<Secret>,

    /// How many of the sources must agree before an answer counts (rule B6). Default: 1 when all are
    /// Bitcoin Core nodes, which are taken to be one's own, else 2.
    #[arg(long = "chain-quorum", env = "CHAIN_QUORUM", value_parser = clap::value_parser!(u8).range(1..))]
    pub quorum: Option<u8>,

    /// The network whose coins are proven: `bitcoin` (default), `testnet`, `testnet4`, `signet` or
    /// `regtest`. The embedded development chain is always `regtest`.
    #[arg(long, env = "NETWORK", default_value = "bitcoin")]
    pub network: Network,
}
