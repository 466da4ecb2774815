//! Rule B8: no block can fall between the look-up of a coin and the record of its claim.

use store::chain_cursor::Move;
use store::claims::RecordError;
use tokio::sync::{Mutex, MutexGuard, OnceCell};
use verify::Refusal;

use super::*;
use crate::store::aside::block;

on_both!(
    a_block_between_look_up_and_record_is_seen,
    a_block_during_a_submission_does_not_count_as_an_attempt,
    a_claim_is_not_recorded_at_another_block,
);

/// A node on which no other test mines until the test ends: a submission is retried after one block, but not after two.
async fn alone(database: TestDatabase) -> (Fixture<'static>, Arc<Proxy>, MutexGuard<'static, ()>) {
    static NODE: OnceCell<Node> = OnceCell::const_new();
    static ALONE: Mutex<()> = Mutex::const_new(());
    let alone = ALONE.lock().await;
    let node = NODE.get_or_init(Node::start).await;
    let (fixture, proxy) = Fixture::behind(node, database).await;
    (fixture, proxy, alone)
}

/// The coin is spent, and the block followed, after the look-up and before the claim is
/// recorded.
async fn a_block_between_look_up_and_record_is_seen(database: TestDatabase) {
    let (fixture, proxy, _alone) = alone(database).await;
    let (node, hal) = (fixture.node, fixture.hal());
    fixture.follow().await;
    let coin = fixture.coin().await;
    let spender = fixture.wallet.proof(&[coin], true).await.transaction();
    let (follower, front) = (Arc::clone(&fixture.rooms.follower), Arc::clone(&proxy));
    let spend = async move {
        node.broadcast(&spender).await;
        node.confirm(&[spender.compute_txid()]).await;
        follow(node, &follower).await;
    };
    // Hooks into the last request of a look-up, which asks for the newest block.
    let after = async move { front.interrupt("getblockchaininfo", move || spend.boxed()) };
    let file = fixture.another_file(coin).await;
    proxy.interrupt("gettxout", move || after.boxed());
    let refused = hal.submit(&file).await;
    assert_matches!(refused, Err(SubmitError::Refused(Refusal::Spent { .. })));
    assert_eq!(hal.holdings().await, None);
    assert_eq!(hal.proofs().await, []);
}

async fn a_block_during_a_submission_does_not_count_as_an_attempt(database: TestDatabase) {
    let (fixture, proxy, _alone) = alone(database).await;
    let (node, coin) = (fixture.node, fixture.coin().await);
    let file = fixture.wallet.proof(&[coin], true).await.binary();
    let follower = Arc::clone(&fixture.rooms.follower);
    let mine = async move {
        node.mine(2).await;
        follow(node, &follower).await;
    };
    proxy.interrupt("gettxout", move || mine.boxed());
    counts(&fixture.hal().submit(&file).await);
}

async fn a_claim_is_not_recorded_at_another_block(database: TestDatabase) {
    let store = database.store().await;
    let user = store.sign_in(&identity("twitter", "1"), 1).await.unwrap();
    let (from, to) = (block(7), block(8));
    let proof = proof_of(&to.hash, &user, 1, 1);
    let moved = async || {
        let recorded = store.record(&proof).await;
        assert_matches!(recorded, Err(RecordError::Moved));
    };
    // Submits before the chain is followed, and while another block is being followed.
    moved().await;
    store.start_following("regtest", &from).await.unwrap();
    moved().await;
    assert_eq!(store.proofs(&user.id, 1, 0).await.unwrap(), []);
    let (blocks, nothing) = ((&from, &to), ClaimChanges::default());
    let moved = store.move_cursor("regtest", blocks, Move::Skip, &nothing, 1);
    moved.await.unwrap();
    store.record(&proof).await.expect("it is recorded here");
}
