//! Electrum has no blocks, so every live claim is looked up again (decisions, D12).

use super::*;

#[tokio::test]
async fn claims_are_looked_up_again_with_each_block() {
    let (node, electrum) = (Node::shared().await, caught_up().await);
    let port = ElectrumX::shared().await.port();
    let chain = format!("electrum:tcp://127.0.0.1:{port}");
    let scene = Scene::over(node, &chain, TestDatabase::sqlite().await, Some(1)).await;
    let (hal, eve) = (scene.hal(), scene.rooms.sign_in().await);
    let coins = [(AddressType::Bech32, COIN); 2];
    let coins = scene.wallet.fund_all(&coins).await;
    let still = node.still().await;
    electrum.coins(&coins).await.unwrap();
    for (person, coin) in [(&hal, coins[0]), (&eve, coins[1])] {
        let file = scene.wallet.proof(&[coin], true).await.binary();
        counts(&person.submit(&file).await);
    }
    drop(still);
    scene.spend(&coins[..1]).await;
    let _still = node.still().await;
    electrum.tip().await.unwrap();
    while scene.rooms.follower.step().await.unwrap() == Next::AtOnce {}
    assert_eq!(standing(&hal).await, ended("spent"));
    assert_eq!(standing(&eve).await, counting());
}
