//! A coin at which a source fails is told apart from the others (decisions, D12).

use std::sync::Arc;

use async_trait::async_trait;
use bitcoin::{Amount, BlockHash, Network, OutPoint};
use chain::clock::Clock;
use chain::{Chain, ChainError, ChainSource, Coin, Spends, Tip};

use super::{Source, core_rpc, esplora};
use crate::support::node::{AddressType, Node};

/// A source that fails whenever it is asked about one coin, alone or among others.
#[derive(Debug)]
struct Picky {
    source: Source,
    about: OutPoint,
}

#[async_trait]
impl ChainSource for Picky {
    fn name(&self) -> &str {
        "picky"
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        self.source.block_hash_at(height).await
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.source.tip().await
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        if outpoints.contains(&self.about) {
            return Err(ChainError::Unreachable {
                source_name: self.name().to_owned(),
                reason: "no answer in time".to_owned(),
            });
        }
        self.source.coins(outpoints).await
    }

    async fn spent_in_block(&self, block: BlockHash) -> Result<Option<Spends>, ChainError> {
        self.source.spent_in_block(block).await
    }
}

async fn coins(count: usize) -> Vec<OutPoint> {
    let wallet = Node::shared().await.wallet().await;
    let amounts = vec![Amount::from_sat(10_000); count];
    wallet.fund_one_address(AddressType::Bech32, &amounts).await
}

async fn picky(about: OutPoint) -> Source {
    let source = Arc::new(core_rpc(Node::shared().await));
    Arc::new(Picky { source, about })
}

/// The indexes of the coins about which nothing is known; the others are unspent.
async fn unknown(sources: Vec<Source>, needed: usize, outpoints: &[OutPoint]) -> Vec<usize> {
    let chain = Chain::connect_all(sources, needed, Network::Regtest, Clock::System);
    let chain = chain.await.expect("sources on this network");
    let _still = Node::shared().await.still().await;
    let snapshot = chain.look_up(outpoints).await.expect("an answer");
    let coins = snapshot.coins.iter().enumerate();
    coins
        .filter(|(_, coin)| match coin {
            Coin::Unknown => true,
            Coin::Unspent(_) => false,
            coin => panic!("{coin:?}"),
        })
        .map(|(index, _)| index)
        .collect()
}

#[tokio::test]
async fn one_of_five_hundred_is_found() {
    let coins = coins(500).await;
    let sources = vec![picky(coins[341]).await];
    assert_eq!(unknown(sources, 1, &coins).await, [341]);
    let alone = vec![picky(coins[341]).await];
    assert_eq!(unknown(alone, 1, &coins[341..342]).await, [0]);
}

#[tokio::test]
async fn what_one_of_two_cannot_tell_is_not_known() {
    let node = Node::shared().await;
    let coins = coins(5).await;
    for picky_first in [true, false] {
        let mut sources = vec![picky(coins[3]).await, Arc::new(esplora(node).await)];
        if !picky_first {
            sources.reverse();
        }
        assert_eq!(unknown(sources, 2, &coins).await, [3]);
    }
}

#[tokio::test]
async fn another_source_knows_what_one_cannot_tell() {
    let node = Node::shared().await;
    let coins = coins(5).await;
    let of_three: Vec<Source> = vec![
        picky(coins[3]).await,
        Arc::new(core_rpc(node)),
        Arc::new(esplora(node).await),
    ];
    let of_two = vec![of_three[0].clone(), of_three[2].clone()];
    let none: [usize; 0] = [];
    assert_eq!(unknown(of_three, 2, &coins).await, none);
    assert_eq!(unknown(of_two, 1, &coins).await, none);
}
