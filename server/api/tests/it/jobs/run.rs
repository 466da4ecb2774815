//! The jobs as the server runs them.

use api::jobs::next::Next;
use tokio::sync::watch;

use crate::follow::{ended, proven, rooms_on, spend, standing};
use crate::support::app::TestApp;
use crate::support::database::{TestDatabase, on_both};
use crate::support::node::Node;

on_both!(a_spent_coin_ends_without_anybody_asking);

async fn a_spent_coin_ends_without_anybody_asking(database: TestDatabase) {
    let node = Node::shared().await;
    let rooms = rooms_on(node, database.again()).await;
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(node, &hal, &wallet).await;
    let spender = spend(&wallet, &[coin]).await;
    node.confirm(&[spender]).await;

    let chain = format!("--chain=bitcoind:{}", node.url());
    let app = TestApp::start(database, &[&chain, "--network=regtest"]).await;
    let (stop, stopping) = watch::channel(false);
    let running = tokio::spawn({
        let app = app.state.clone();
        async move { app.work(stopping).await }
    });
    while standing(&hal).await != ended("spent") {
        tokio::task::yield_now().await;
    }
    stop.send_replace(true);
    running.await.expect("it stops when it is told to");

    // Another replica need not wait for what the first one had.
    node.mine(1).await;
    let _still = node.still().await;
    while rooms.follower.step().await.expect("it is followed") == Next::AtOnce {}
    let (height, _) = node.tip().await;
    let cursor = rooms.store.cursor("regtest").await;
    let cursor = cursor.expect("a database").expect("a cursor");
    assert_eq!(cursor.block.height(), height);
}
