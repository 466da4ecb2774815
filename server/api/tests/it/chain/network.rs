//! Rule B5: coins of another chain are not looked up.

use api::config::Checkpoint;
use bitcoin::block::Header;
use bitcoin::consensus::encode::deserialize_hex;

use super::*;

/// The first block of Bitcoin that Bitcoin Cash does not have, and the reverse.
const AFTER_THE_SPLIT: u32 = 478_559;
pub(crate) const BITCOIN: &str = "00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148";
const BITCOIN_CASH: &str = "000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec";

impl Double {
    /// Has the blocks by which mainnet is known.
    pub(crate) fn on_mainnet(self) -> Self {
        self.with_blocks(|height| match height {
            0 => Some(genesis_block(Network::Bitcoin).block_hash()),
            _ => BITCOIN.parse().ok(),
        })
    }
}

/// A height above the forks of August 2026.
const AFTER_THE_FORKS: u32 = 970_000;

/// The header of that block of Bitcoin; the previous block is the last that both chains have.
const HEADER: &str = concat!(
    "02000020",
    "432d350741fbf28f2e1486eabe2c4e143bfe2241af6518010000000000000000",
    "188c31adc46b1a62864e9a12560523004fd038d875720b4537504565182ea65f",
    "b480805935470118babd8db7"
);
const LAST_COMMON: &str = "0000000000000000011865af4122fe3b144e2cbeea86142e8ff2fb4107352d43";

/// The hash is real: it is that of a header mined at Bitcoin's difficulty of that day.
#[test]
fn the_checkpoint_is_a_header_that_was_mined() {
    let header: Header = deserialize_hex(HEADER).unwrap();
    assert_eq!(header.block_hash().to_string(), BITCOIN);
    assert_eq!(header.prev_blockhash.to_string(), LAST_COMMON);
    let target = header.target().to_compact_lossy();
    assert_eq!(target.to_consensus(), 0x1801_4735);
    header.validate_pow(header.target()).unwrap();
}

/// A chain over a source that begins with Bitcoin's genesis block and has this block after the split.
async fn connect(
    after_the_split: Option<&'static str>,
    checkpoint: Option<Checkpoint>,
) -> Result<Chain, ChainError> {
    let blocks = move |height| match height {
        0 => Some(genesis_block(Network::Bitcoin).block_hash()),
        AFTER_THE_SPLIT => after_the_split.map(|hash| hash.parse().unwrap()),
        AFTER_THE_FORKS => Some(BlockHash::from_byte_array([7; 32])),
        _ => None,
    };
    let source = Arc::new(Double::made_up().with_blocks(blocks));
    let network = Network::Bitcoin;
    Chain::connect(vec![source], 1, network, checkpoint, Clock::System).await
}

/// Forks of August 2026 share the earlier blocks, so the operator names a later one.
#[tokio::test]
async fn a_source_of_bitcoin_cash_or_a_later_fork_is_refused() {
    let named = |byte| Checkpoint {
        height: AFTER_THE_FORKS,
        hash: BlockHash::from_byte_array([byte; 32]),
    };
    for (after_the_split, checkpoint, missing) in [
        (BITCOIN, None, None),
        (BITCOIN, Some(named(7)), None),
        (BITCOIN, Some(named(8)), Some("970000")),
        (BITCOIN_CASH, None, Some("478559")),
    ] {
        match (connect(Some(after_the_split), checkpoint).await, missing) {
            (Ok(chain), None) => assert_eq!(chain.network(), Network::Bitcoin),
            (Err(ChainError::Invalid { reason, .. }), Some(height)) => {
                assert!(reason.contains(height), "{reason}");
            }
            (answer, _) => panic!("{missing:?}: {answer:?}"),
        }
    }
}

/// A node in its initial download knows nothing about recent coins.
#[tokio::test]
async fn a_chain_that_ends_before_the_split_cannot_be_used_yet() {
    let refused = connect(None, None).await.expect("it starts").tip().await;
    assert_matches!(refused, Err(ChainError::Unreachable { .. }));
}
