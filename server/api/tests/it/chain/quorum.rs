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

/// A confirmed coin of 1 BTC on the shared node.
async fn a_coin() -> OutPoint {
    node().await.wallet().await.coin().await
}

/// Whether this chain says that the coin is unspent, and worth 1 BTC.
async fn is_there(chain: &Chain, coin: OutPoint) -> bool {
    let snapshot = chain.look_up(&[coin]).await.expect("agreement");
    matches!(&snapshot.coins[..], [Coin::Unspent(coin)] if coin.output.value == Amount::ONE_BTC)
}
