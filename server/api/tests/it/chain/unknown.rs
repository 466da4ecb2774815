//! When a source fails for one coin, the other coins still get their answer (decisions, D12).

use super::*;

async fn picky(about: OutPoint) -> Source {
    Double::failing_at(a_core_rpc().await, about)
}

/// The indexes of the coins without an answer; all others are unspent.
async fn unknown(sources: Vec<Source>, needed: usize, outpoints: &[OutPoint]) -> Vec<usize> {
    let chain = agreeing(sources, needed).await;
    let _still = Node::shared().await.still().await;
    let snapshot = chain.look_up(outpoints).await.unwrap();
    let coins = snapshot.coins.into_iter().enumerate();
    let unknown = coins.filter_map(|(index, coin)| match coin {
        Coin::Unknown => Some(index),
        Coin::Unspent(_) => None,
        coin => panic!("{coin:?}"),
    });
    unknown.collect()
}

#[tokio::test]
async fn one_of_five_hundred_is_found_and_another_source_may_tell_it() {
    let wallet = Node::shared().await.wallet().await;
    let amounts = vec![Amount::from_sat(10_000); 500];
    let coins = wallet.fund_one_address(AddressType::Bech32, &amounts).await;
    let sources = vec![picky(coins[341]).await];
    assert_eq!(unknown(sources, 1, &coins).await, [341]);
    let alone = vec![picky(coins[341]).await];
    assert_eq!(unknown(alone, 1, &coins[341..342]).await, [0]);

    // When one of two required sources cannot answer about a coin, a third source may.
    let coins = &coins[..5];
    let (picky, honest) = (picky(coins[3]).await, an_esplora().await);
    let two = vec![picky.clone(), honest.clone()];
    let reversed = vec![honest.clone(), picky.clone()];
    let three = vec![picky, a_core_rpc().await, honest];
    for (sources, needed, expected) in [
        (two.clone(), 2, &[3][..]),
        (reversed, 2, &[3]),
        (three, 2, &[]),
        (two, 1, &[]),
    ] {
        assert_eq!(unknown(sources, needed, coins).await, expected);
    }
}
