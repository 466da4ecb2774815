//! Rule B6: several sources, and some of them must agree. Real ones, and some that lie, lag or fail.

mod agreement;
mod submission;

use super::*;
use crate::support::faults;

fn mark_spent(coin: &mut Coin) {
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

/// With a quorum of one, the next source replaces one that fails; the failed one is not asked again at once.
#[tokio::test]
async fn the_next_one_stands_in() {
    let first = Double::honest(a_core_rpc().await);
    let second = Double::honest(an_esplora().await);
    let chain = agreeing(vec![first.clone(), second.clone()], 1).await;
    let coin = a_coin().await;
    let _still = node().await.still().await;
    chain.look_up(&[coin]).await.unwrap();
    assert_eq!((first.asked(), second.asked()), (1, 0));
    first.fail(true);
    for _ in 0..3 {
        chain.look_up(&[coin]).await.unwrap();
    }
    // The first source failed when it was asked for its tip, and was asked for no more coins.
    assert_eq!((first.asked(), second.asked()), (1, 3));

    // When the other one fails too, the first is still tried, and once it answers it is back in use.
    first.fail(false);
    second.fail(true);
    for _ in 0..3 {
        chain.look_up(&[coin]).await.unwrap();
    }
    assert_eq!((first.asked(), second.asked()), (4, 3));
}

/// Another source completes the quorum. One of two that must agree is not enough, whether it is right or wrong.
#[tokio::test]
async fn too_few_are_an_error() {
    let failing = Double::honest(a_core_rpc().await);
    let liar = Double::lying(a_core_rpc().await, says_more);
    let three: Vec<Source> = vec![failing.clone(), a_core_rpc().await, an_esplora().await];
    let three = agreeing(three, 2).await;
    let two = agreeing(vec![failing.clone(), liar], 2).await;
    failing.fail(true);
    let coin = a_coin().await;
    let _still = node().await.still().await;
    assert!(is_there(&three, coin).await);
    let expected = ChainError::TooFew {
        answered: 1,
        needed: 2,
        reasons: "a double is unreachable: switched off".to_owned(),
        behind: None,
    };
    assert_eq!(two.look_up(&[coin]).await, Err(expected));
    assert_matches!(two.tip().await, Err(ChainError::TooFew { .. }));
}

/// A server starts, and serves the board, while its sources are away.
#[tokio::test]
async fn a_server_starts_without_sources_and_answers_with_a_quorum() {
    let nobody =
        async || Arc::new(CoreRpc::new(&faults::nobody().await, http_client()).unwrap()) as Source;
    let sources = vec![a_core_rpc().await, nobody().await];
    let too_few = agreeing(sources, 2).await.tip().await;
    assert_matches!(too_few, Err(ChainError::TooFew { .. }));
    let sources = vec![nobody().await, a_core_rpc().await, an_esplora().await];
    assert!(agreeing(sources, 2).await.block_hash_at(0).await.is_ok());
    let alone = agreeing(vec![nobody().await], 1).await.tip().await;
    assert_matches!(alone, Err(ChainError::Unreachable { .. }));
}

/// A source that was down at the start is checked before its first answer counts.
#[tokio::test]
async fn the_network_is_checked_before_the_first_answer() {
    let late = Arc::new(elsewhere());
    late.fail(true);
    let chain = agreeing(vec![late.clone(), a_core_rpc().await], 1).await;
    late.fail(false);
    let coin = a_coin().await;
    let _still = node().await.still().await;
    assert!(is_there(&chain, coin).await);
    assert_eq!(late.asked(), 0);

    let at_once: Vec<Source> = vec![a_core_rpc().await, Arc::new(elsewhere())];
    let refused = Chain::connect(at_once, 1, Network::Regtest, None, Clock::System).await;
    assert_matches!(refused, Err(ChainError::Invalid { .. }));
}

/// A source on another network.
fn elsewhere() -> Double {
    let genesis = genesis_block(Network::Signet).block_hash();
    Double::made_up().with_blocks(move |_| Some(genesis))
}
