//! Rule B8: no block can fall between the look-up of a coin and the record of its claim.

use futures_util::FutureExt;
use store::claims::RecordError;
use store::claims::change::ClaimChanges;
use store::follower::Move;
use tokio::sync::{Mutex, MutexGuard, OnceCell};
use verify::Refusal;

use super::*;

on_both!(
    a_block_between_look_up_and_record_is_seen,
    a_block_in_the_middle_costs_nobody_a_try,
    a_claim_is_not_recorded_at_another_block,
);

/// A node on which no other test mines until the test ends: a submission is retried after one block, but not after two.
async fn node() -> (&'static Node, MutexGuard<'static, ()>) {
    static NODE: OnceCell<Node> = OnceCell::const_new();
    static ALONE: Mutex<()> = Mutex::const_new(());
    let alone = ALONE.lock().await;
    (NODE.get_or_init(Node::start).await, alone)
}

/// The coin is spent, and the block followed, after the look-up and before the claim is
/// recorded.
async fn a_block_between_look_up_and_record_is_seen(database: TestDatabase) {
    let (node, _alone) = node().await;
    let proxy = RpcProxy::start(node.url()).await;
    let rooms = rooms_with(&format!("bitcoind:{}", proxy.url), database, None).await;
    let (person, wallet) = (rooms.sign_in().await, node.wallet().await);
    follow(node, &rooms.follower).await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = wallet.proof(&[coin], true).await.binary();
    let spender = wallet.proof(&[coin], true).await.transaction();
    let follower = Arc::clone(&rooms.follower);
    let front = Arc::clone(&proxy);
    proxy.interrupt("gettxout", move || {
        async move {
            // The look-up ends with another request for the newest block.
            front.interrupt("getblockchaininfo", move || {
                async move {
                    node.broadcast(&spender).await;
                    node.confirm(&[spender.compute_txid()]).await;
                    follow(node, &follower).await;
                }
                .boxed()
            });
        }
        .boxed()
    });
    let refused = person.submit(&file).await;
    let spent = matches!(refused, Err(SubmitError::Refused(Refusal::Spent { .. })));
    assert!(spent, "{refused:?}");
    assert_eq!(person.holdings().await, None);
    assert_eq!(person.proofs().await, []);
}

async fn a_block_in_the_middle_costs_nobody_a_try(database: TestDatabase) {
    let (node, _alone) = node().await;
    let proxy = RpcProxy::start(node.url()).await;
    let rooms = rooms_with(&format!("bitcoind:{}", proxy.url), database, None).await;
    let (person, wallet) = (rooms.sign_in().await, node.wallet().await);
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = wallet.proof(&[coin], true).await.binary();
    let follower = Arc::clone(&rooms.follower);
    proxy.interrupt("gettxout", move || {
        async move {
            node.mine(2).await;
            follow(node, &follower).await;
        }
        .boxed()
    });
    counts(&person.submit(&file).await);
}

async fn a_claim_is_not_recorded_at_another_block(database: TestDatabase) {
    let store = database.store().await;
    let user = store.sign_in(&identity("1"), 1).await.expect("a database");
    let mut proof = proof_of(&user.id, "regtest", 1, 1);
    proof.tip = "aa".repeat(32);
    let block = |height, hash: &str| Block {
        height,
        hash: hash.repeat(32),
    };
    let moved = async || {
        let recorded = store.record(&proof).await;
        assert_matches!(recorded, Err(RecordError::Moved));
    };
    // Before the chain is followed, and while another block is being followed.
    moved().await;
    let (from, to) = (block(7, "bb"), block(8, "aa"));
    store.start_following("regtest", &from).await.unwrap();
    moved().await;
    assert_eq!(store.proofs(&user.id, 1, 0).await.expect("a database"), []);
    let (blocks, nothing) = ((&from, &to), ClaimChanges::default());
    let moved = store.move_cursor("regtest", blocks, Move::Skip, &nothing, 1);
    moved.await.unwrap();
    store.record(&proof).await.expect("it is recorded here");
}
