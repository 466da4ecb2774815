//! Electrum has no blocks, so every live claim is looked up again (decisions, D12).

use super::*;

#[tokio::test]
async fn claims_are_looked_up_again_with_each_block() {
    let node = Node::shared().await;
    let port = ElectrumX::shared().await.port();
    let caught_up = CaughtUp::shared().await;
    let chain = format!("electrum:tcp://127.0.0.1:{port}");
    let rooms = rooms_with(&chain, TestDatabase::sqlite().await, Some(1)).await;
    let (hal, eve) = (rooms.sign_in().await, rooms.sign_in().await);
    let wallet = node.wallet().await;
    let coins = wallet.fund_all(&[(AddressType::Bech32, COIN); 2]).await;
    let still = node.still().await;
    caught_up.coins(&coins).await.expect("an answer");
    for (person, coin) in [(&hal, coins[0]), (&eve, coins[1])] {
        let file = wallet.proof(&[coin], true).await.binary();
        counts(&person.submit(&file).await);
    }
    drop(still);
    let spender = spend(&wallet, &coins[..1]).await;
    node.confirm(&[spender]).await;
    let _still = node.still().await;
    caught_up.tip().await.expect("an answer");
    while rooms.follower.step().await.expect("it is followed") == Next::AtOnce {}
    assert_eq!(standing(&hal).await, ended("spent"));
    assert_eq!(standing(&eve).await, counting());
}
