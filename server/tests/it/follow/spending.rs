//! A coin that is spent stops counting with the block that spends it.

use futures_util::StreamExt;
use serde_json::json;

use super::*;
use crate::support::database::on_both;

on_both!(
    a_spent_coin_stops_counting_at_the_next_block,
    a_proof_goes_on_with_the_coins_that_are_left,
    moved_coins_count_for_one_person_alone,
    every_tier_is_followed,
);

async fn a_spent_coin_stops_counting_at_the_next_block(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_on(node, database).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    let smaller = wallet.fund(AddressType::Bech32, COIN / 2).await;
    prove(node, &eve, &wallet, &[smaller]).await;
    follow(node, &app.state).await;
    assert_eq!(eve.profile().await["rank"], 2);

    // What is in no block may never be in one.
    let spender = spend(&wallet, &[coin]).await;
    follow(node, &app.state).await;
    assert_eq!(standing(&hal).await, counting(0.3));

    let seen = app.state.live.sequence();
    let mut changes = app.state.live.changes(seen, None).expect("a seat");
    node.confirm(&[spender]).await;
    follow(node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("spent"));
    let profile = hal.profile().await;
    assert_eq!(
        (&profile["verified"], &profile["rank"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(eve.profile().await["rank"], 1);
    assert!(changes.next().await.is_some(), "open pages are told");
}

async fn a_proof_goes_on_with_the_coins_that_are_left(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_on(node, database).await;
    let hal = app.sign_in().await;
    let wallet = node.wallet().await;
    let coins = wallet.fund_all(&[(AddressType::Bech32, COIN); 3]).await;
    prove(node, &hal, &wallet, &coins).await;
    let spender = spend(&wallet, &coins[..2]).await;
    node.confirm(&[spender]).await;
    follow(node, &app.state).await;
    assert_eq!(standing(&hal).await, counting(0.3));
    let history = hal.proofs().await;
    assert_eq!(history[0]["spent_sats"], 2 * COIN.to_sat());
    let spender = spend(&wallet, &coins[2..]).await;
    node.confirm(&[spender]).await;
    follow(node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

/// Rule B7: prove, move the coins, prove again under another account.
async fn moved_coins_count_for_one_person_alone(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_on(node, database).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    let spender = spend(&wallet, &[coin]).await;
    node.confirm(&[spender]).await;
    let moved = OutPoint::new(spender, 0);
    // Nobody follows the chain meanwhile: the submission does.
    let accepted = prove(node, &eve, &wallet, &[moved]).await;
    assert_eq!(accepted.body["status"], "success", "{accepted:?}");
    assert_eq!(standing(&hal).await, ended("spent"));
    let total = eve.profile().await["bitcoin_holdings"].as_f64();
    assert!(total.is_some_and(|total| total < 0.3), "{total:?}");
}

async fn every_tier_is_followed(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_on(node, database).await;
    let wallet = node.wallet().await;
    for tier in ["free", "premium"] {
        let person = app.sign_in().await;
        crate::jobs::set_tier(&app.state.store, &person.id, tier).await;
        let coin = proven(node, &person, &wallet).await;
        let spender = spend(&wallet, &[coin]).await;
        node.confirm(&[spender]).await;
        follow(node, &app.state).await;
        assert_eq!(standing(&person).await, ended("spent"), "{tier}");
    }
}
