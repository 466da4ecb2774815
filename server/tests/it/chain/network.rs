//! Rule B5: coins of another chain are not looked at.

use std::sync::Arc;

use async_trait::async_trait;
use bitcoin::constants::genesis_block;
use bitcoin::{BlockHash, Network, OutPoint};
use server::chain::{Chain, ChainError, ChainSource, Coin, Tip};

/// The first block of Bitcoin that is not one of Bitcoin Cash, and the other way round.
const AFTER_THE_SPLIT: u32 = 478_559;
const BITCOIN: &str = "00000000000000000019f112ec0a9982926f1258cdcc558dd7c3b7e5dc7fa148";
const BITCOIN_CASH: &str = "000000000000000000651ef99cb9fcbe0dadde1d424bd9f15ff20136191a5eec";

/// A source that begins with Bitcoin's genesis block and has this block after the split.
#[derive(Debug)]
struct Split(Option<&'static str>);

#[async_trait]
impl ChainSource for Split {
    fn name(&self) -> &str {
        "split"
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        Ok(match height {
            0 => Some(genesis_block(Network::Bitcoin).block_hash()),
            AFTER_THE_SPLIT => self.0.map(|hash| hash.parse().expect("a hash")),
            _ => None,
        })
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        unreachable!("it is not asked")
    }

    async fn coins(&self, _outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        unreachable!("it is not asked")
    }

    async fn spent_in_block(&self, _block: BlockHash) -> Result<Option<Vec<OutPoint>>, ChainError> {
        unreachable!("it is not asked")
    }
}

async fn connect(after_the_split: Option<&'static str>) -> Result<Chain, ChainError> {
    Chain::connect(Arc::new(Split(after_the_split)), Network::Bitcoin).await
}

#[tokio::test]
async fn bitcoin_is_told_from_bitcoin_cash() {
    let chain = connect(Some(BITCOIN)).await.expect("Bitcoin");
    assert_eq!(chain.network(), Network::Bitcoin);
    let refused = connect(Some(BITCOIN_CASH)).await;
    assert!(
        matches!(&refused, Err(ChainError::Invalid { reason, .. }) if reason.contains("478559")),
        "{refused:?}"
    );
}

/// A node that is still at its first download knows nothing about the coins of today.
#[tokio::test]
async fn a_chain_that_ends_before_the_split_cannot_be_used_yet() {
    let refused = connect(None).await;
    assert!(
        matches!(refused, Err(ChainError::Unreachable { .. })),
        "{refused:?}"
    );
}
