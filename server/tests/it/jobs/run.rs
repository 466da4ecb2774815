//! The jobs as the server runs them.

use server::AppState;
use server::clock::Clock;
use server::jobs::{self, Next};
use tokio::sync::watch;

use crate::follow::{app_on, ended, proven, spend, standing};
use crate::support::app::NOW;
use crate::support::database::{TestDatabase, on_both};
use crate::support::node::Node;

on_both!(a_spent_coin_ends_without_anybody_asking);

async fn a_spent_coin_ends_without_anybody_asking(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_on(node, database).await;
    let hal = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    let spender = spend(&wallet, &[coin]).await;
    node.confirm(&[spender]).await;

    let (stop, stopping) = watch::channel(false);
    let running = tokio::spawn(jobs::run(app.state.clone(), stopping));
    while standing(&hal).await != ended("spent") {
        tokio::task::yield_now().await;
    }
    stop.send_replace(true);
    running.await.expect("it stops when it is told to");

    // Another replica need not wait for what the first one had.
    let other = AppState::start(app.state.config.clone(), Clock::manual(NOW))
        .await
        .expect("another replica");
    node.mine(1).await;
    let _still = node.still().await;
    while jobs::follow::step(&other).await.expect("it is followed") == Next::AtOnce {}
    let (height, _) = node.tip().await;
    let cursor = other.store.cursor("regtest").await;
    let cursor = cursor.expect("a database").expect("a cursor");
    assert_eq!(cursor.block.height(), height);
}
