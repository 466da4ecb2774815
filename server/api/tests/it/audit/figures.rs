//! What an audit costs. `cargo test --release -p api --test it audit::figures -- --ignored --nocapture`

use std::time::Instant;

use bitcoin::absolute::LockTime;
use chain::Coin;
use psbt_wasm::statement::LOCK_TIME;

use super::*;
use crate::binding::files::{saying, transaction, unsigned};

const PROOFS: usize = 50;
const COINS: usize = 200;

/// At most a minute on a node of this machine.
#[tokio::test]
#[ignore = "prints figures"]
async fn ten_thousand_published_coins() {
    let node = Node::start().await;
    let app = board(&node, TestDatabase::sqlite().await).await;
    let wallet = node.wallet().await;
    let coin = Amount::from_sat(10_000);
    for _ in 0..PROOFS {
        let person = app.sign_in().await;
        let coins = wallet.fund_all(&[(AddressType::Bech32, coin); COINS]).await;
        let file = still(&app, &person, &wallet, &coins).await;
        published(&node, &person, &file).await;
    }
    let begin = Instant::now();
    let report = audit(&app, &node).await;
    let took = begin.elapsed();
    println!(
        "{} coins of {} proofs: {took:?}",
        report.checked.coins, report.checked.proofs
    );
    assert_eq!(report.checked.coins, PROOFS * COINS);
    assert_eq!(codes(&report), [""; 0]);
    assert!(took < Duration::from_secs(60), "{took:?}");
}

/// As the maker's, but that all coins are looked up at once.
async fn still(
    app: &TestApp,
    person: &Person<'_>,
    wallet: &Wallet<'_>,
    coins: &[OutPoint],
) -> Vec<u8> {
    let found = app
        .state
        .chain
        .look_up(coins)
        .await
        .unwrap()
        .coins
        .into_iter();
    let outputs = found.map(|coin| match coin {
        Coin::Unspent(coin) => coin.output,
        other => panic!("{other:?}"),
    });
    let line = statement(person).await;
    let outputs = outputs.chain([saying(&line)]).collect();
    let mut still = transaction(coins, outputs);
    still.lock_time = LockTime::from_consensus(LOCK_TIME);
    wallet.sign(&unsigned(still), true).await.binary()
}
