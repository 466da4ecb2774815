//! What a user gets when sources disagree: try again later, and nothing has changed.

use api::follow;

use super::*;

/// How often a source that gets blocks late is asked before it has one.
const LATE: usize = 4;

/// Rule B8: one of two sources always gets a block first, and no honest user may get an error because of that.
#[tokio::test]
async fn a_block_between_the_answers_of_two_sources_is_waited_for() {
    let node = Node::start().await;
    let slow = Proxy::to(node.url()).await;
    let rooms = both(&node, &slow).await;
    let person = rooms.sign_in().await;
    let file = followed_proof(&node, &rooms).await;
    // The first attempt asks twice, and the second waits for more than a second.
    let old = node.call("getblockchaininfo", json!([])).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    slow.lie(move |call, result| {
        if call["method"] == "getblockchaininfo" && count.fetch_add(1, Ordering::Relaxed) < LATE {
            *result = old.clone();
        }
    });
    node.mine(1).await;
    let accepted = person.submit(&file).await.expect("both agree in time");
    assert_eq!(accepted.amount_sats, 100_000_000);
    assert!(asked.load(Ordering::Relaxed) > LATE);
}

/// A spend reaches, or leaves, one mempool before the other: the sources differ for a moment.
#[tokio::test]
async fn a_coin_that_only_one_mempool_spends_for_a_moment_is_looked_up_once_more() {
    let node = Node::start().await;
    let proxy = Proxy::to(node.url()).await;
    let rooms = both(&node, &proxy).await;
    let person = rooms.sign_in().await;
    let file = followed_proof(&node, &rooms).await;
    let first = AtomicBool::new(true);
    proxy.lie(move |call, result| {
        // Of the coins that no transaction in the mempool spends.
        if call["method"] == "gettxout"
            && call["params"][2] == true
            && first.swap(false, Ordering::Relaxed)
        {
            *result = Value::Null;
        }
    });
    let accepted = person.submit(&file).await.expect("both agree in time");
    assert_eq!(accepted.amount_sats, 100_000_000);
}

/// There is a second attempt, and no third.
#[tokio::test]
async fn a_block_in_each_of_two_attempts_is_an_error() {
    let node = Arc::new(Node::start().await);
    let busy = Proxy::to(node.url()).await;
    let rooms = both(&node, &busy).await;
    let person = rooms.sign_in().await;
    let file = followed_proof(&node, &rooms).await;
    let (mine, again) = (Arc::clone(&node), Arc::clone(&busy));
    busy.interrupt("gettxout", move || {
        Box::pin(async move {
            mine.mine(1).await;
            let mine = Arc::clone(&mine);
            again.interrupt("gettxout", move || {
                Box::pin(async move {
                    mine.mine(1).await;
                })
            });
        })
    });
    let refused = person.submit(&file).await;
    assert_matches!(refused, Err(SubmitError::Chain(ChainError::Moved)));
    let accepted = person.submit(&file).await.expect("no block comes");
    assert_eq!(accepted.amount_sats, 100_000_000);
}

/// Rooms over the node, asked directly and through the proxy; both must agree.
async fn both(node: &Node, proxy: &Proxy) -> Rooms {
    let chain = format!("bitcoind:{},bitcoind:{}", node.url(), proxy.url);
    Rooms::open(TestDatabase::sqlite().await, &chain, Some(2)).await
}

/// A proof over a new coin of 1 BTC whose block has been followed.
async fn followed_proof(node: &Node, rooms: &Rooms) -> Vec<u8> {
    let wallet = node.wallet().await;
    let coin = wallet.coin().await;
    let followed = rooms.follower.advance(follow::ALL).await;
    assert_eq!(followed.unwrap(), follow::Position::Newest);
    wallet.proof(&[coin], true).await.binary()
}

#[tokio::test]
async fn a_disagreement_is_told_and_changes_nothing() {
    let node = Node::shared().await;
    let liar = Proxy::to(node.url()).await;
    let chain = format!("--chain=bitcoind:{},bitcoind:{}", node.url(), liar.url);
    let quorum = ["--chain-quorum=2", "--network=regtest"];
    let app = TestApp::with(&[&chain, quorum[0], quorum[1], "--proof-binding=optional"]).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let file = wallet.proof(&[wallet.coin().await], true).await.binary();
    liar.lie(|call, result| {
        if call["method"] == "gettxout" {
            *result = Value::Null;
        }
    });
    let _still = node.still().await;
    let refused = person.submit(&file).await;
    assert_eq!(refused.problem(), (503, "coin-unknown"), "{refused:?}");
    assert_eq!(
        (&refused.body["input"], &refused.body["status"]),
        (&json!(0), &json!("error"))
    );
    assert_eq!(person.proofs().await, json!([]));
    liar.be_honest();
    let accepted = person.submit(&file).await;
    assert_eq!(accepted.status, 200, "{accepted:?}");
}
