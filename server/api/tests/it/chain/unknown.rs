//! When a source fails for one coin, the other coins still get their answer (decisions, D12).

use std::sync::Arc;

use bitcoin::{Amount, Network, OutPoint};
use chain::clock::Clock;
use chain::{Chain, Coin};

use super::double::Double;
use super::{Source, core_rpc, esplora};
use crate::support::node::{AddressType, Node};

async fn coins(count: usize) -> Vec<OutPoint> {
    let wallet = Node::shared().await.wallet().await;
    let amounts = vec![Amount::from_sat(10_000); count];
    wallet.fund_one_address(AddressType::Bech32, &amounts).await
}

async fn picky(about: OutPoint) -> Source {
    Double::failing_at(Arc::new(core_rpc(Node::shared().await)), about)
}

/// The indexes of the coins without an answer; all others are unspent.
async fn unknown(sources: Vec<Source>, needed: usize, outpoints: &[OutPoint]) -> Vec<usize> {
    let chain = Chain::connect_all(sources, needed, Network::Regtest, Clock::System);
    let chain = chain.await.unwrap();
    let _still = Node::shared().await.still().await;
    let snapshot = chain.look_up(outpoints).await.unwrap();
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
