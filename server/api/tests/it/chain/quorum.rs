//! Rule B6: several sources, and some of them must agree. Real ones, and some that lie, lag or fail.

mod agreement;
mod failover;
mod submission;

use super::*;

fn says_spent(coin: &mut Coin) {
    *coin = Coin::Spent;
}

fn says_more(coin: &mut Coin) {
    if let Coin::Unspent(coin) = coin {
        coin.output.value += Amount::ONE_SAT;
    }
}

async fn node() -> &'static Node {
    Node::shared().await
}

async fn agreeing(sources: Vec<Source>, needed: usize) -> Chain {
    Chain::connect_all(sources, needed, Network::Regtest, Clock::System)
        .await
        .expect("enough sources on this network")
}

/// A confirmed coin of 1 BTC on the shared node.
async fn a_coin() -> OutPoint {
    let wallet = node().await.wallet().await;
    wallet.coin().await
}
