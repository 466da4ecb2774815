//! Many large look-ups at once, on a node with a short work queue.

use super::*;

const LOOK_UPS: usize = 32;
const COINS: usize = 1_400;

/// Core answers 503 when its work queue is full.
#[tokio::test]
async fn all_are_answered_when_the_nodes_queue_is_short() {
    let node = Node::start_with(&["-rpcthreads=1", "-rpcworkqueue=1"]).await;
    let wallet = node.wallet().await;
    let amounts = vec![Amount::from_sat(10_000); COINS];
    let coins = wallet.fund_one_address(AddressType::Bech32, &amounts).await;
    let source = core_rpc(&node);
    source.tip().await.unwrap();
    let answers = join_all((0..LOOK_UPS).map(|_| source.coins(&coins))).await;
    for answer in answers {
        let answer = answer.unwrap();
        assert!(answer.iter().all(|coin| matches!(coin, Coin::Unspent(_))));
    }
}

/// Finding out why a coin is gone takes a request each, and the node reads its transaction from disk.
#[tokio::test]
async fn a_file_of_coins_that_are_not_there_costs_a_bounded_number_of_questions() {
    let (proxy, source) = proxied().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&asked);
    proxy.lie(move |call, _| {
        if call["method"] == "getrawtransaction" {
            counting.fetch_add(1, Ordering::SeqCst);
        }
    });
    let nowhere: Vec<OutPoint> = (0..2_000_u32)
        .map(|number| OutPoint::new(Txid::hash(&number.to_le_bytes()), 0))
        .collect();
    let coins = source.coins(&nowhere).await.unwrap();
    assert_eq!(coins[0], Coin::Missing, "the first one's state is exact");
    let gone = |coin: &Coin| matches!(coin, Coin::Missing | Coin::SpentOrMissing);
    assert!(coins.iter().all(gone));
    let asked = asked.load(Ordering::SeqCst);
    assert!(asked <= 50, "{asked} questions");
}
