//! Networks and forks: checks which chain a source follows (rule B5).

use std::str::FromStr;

use bitcoin::constants::genesis_block;
use bitcoin::{BlockHash, Network};
use psbt_wasm::statement::CoinNetwork;

use super::{ChainError, ChainSource};

/// The first block after the split of Bitcoin Cash, on the Bitcoin side. Up to height 478,558 both
/// chains are the same, so the genesis block does not distinguish them. The hash is that of the block's own
/// header, which a test recomputes; mmgen-wallet lists it for Bitcoin's side of this fork too
/// (`mmgen/proto/btc/params.py`). Bitcoin Cash's block at this height is
/// `000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec` (Electron Cash, `networks.py`).
const AFTER_BITCOIN_CASH: &str =
    "478559:00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148";

/// A block of the expected chain that its forks do not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub height: u32,
    pub hash: BlockHash,
}

impl FromStr for Checkpoint {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let (height, hash) = text.split_once(':')?;
            Some(Self {
                height: height.parse().ok()?,
                hash: hash.parse().ok()?,
            })
        };
        read().ok_or("not a block as HEIGHT:HASH, as `bitcoin-cli getblockhash HEIGHT` gives it")
    }
}

/// The network as statements commit to it.
pub fn coin_network(network: Network) -> CoinNetwork {
    match network {
        Network::Bitcoin => CoinNetwork::Mainnet,
        Network::Testnet => CoinNetwork::Testnet3,
        Network::Testnet4 => CoinNetwork::Testnet4,
        Network::Signet => CoinNetwork::Signet,
        Network::Regtest => CoinNetwork::Regtest,
    }
}

/// The name of the network in JSON, which is the one in statements.
pub fn network_in_json(network: Network) -> &'static str {
    coin_network(network).name()
}

/// Checks that `source` follows the expected chain.
///
/// # Errors
/// `Invalid` when it follows another chain; `Unreachable` when it cannot be asked or its chain is
/// still too short.
pub(super) async fn check(
    source: &dyn ChainSource,
    network: Network,
    checkpoint: Option<Checkpoint>,
) -> Result<(), ChainError> {
    let genesis = Checkpoint {
        height: 0,
        hash: genesis_block(network).block_hash(),
    };
    let mut expected = vec![genesis];
    if network == Network::Bitcoin {
        expected.push(AFTER_BITCOIN_CASH.parse().expect("a block"));
    }
    expected.extend(checkpoint);
    for Checkpoint { height, hash } in expected {
        let found = source.block_hash_at(height).await?.ok_or_else(|| {
            let reason = format!("its chain does not reach height {height} yet");
            ChainError::unreachable(source.name(), reason)
        })?;
        if found != hash {
            let reason = format!("its block at height {height} is {found}, not that of {network}");
            return Err(ChainError::invalid(source.name(), reason));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_a_height_and_a_hash() {
        let hash = "00".repeat(32);
        let read = format!("965000:{hash}").parse::<Checkpoint>();
        assert!(read.is_ok_and(|checkpoint| checkpoint.height == 965_000));
        for text in ["", "965000", &hash, &format!("high:{hash}"), "965000:00"] {
            assert!(text.parse::<Checkpoint>().is_err(), "{text}");
        }
    }
}
