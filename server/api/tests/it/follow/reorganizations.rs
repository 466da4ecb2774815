//! Rule B9: coins in blocks that a reorganization undoes are looked up again. Each test has its own node, because
//! its chain forks.

use bitcoin::Transaction;
use store::follower::ClaimedCoin;

use super::*;

const DAY: i64 = 24 * 60 * 60;

on_both!(
    a_claim_comes_back_when_its_spending_is_undone,
    a_claim_does_not_come_back_once_expired_or_claimed_since,
    a_fork_from_before_the_first_block_has_everything_looked_up,
);

/// A spend that is undone for good when the two newest blocks are: it is not final in the earlier
/// one, so the mempool drops it.
pub(super) struct Undoable {
    below: BlockHash,
    pub(super) spending: Transaction,
}

impl Undoable {
    pub(super) async fn mined(scene: &Scene<'_>, coin: OutPoint) -> Self {
        let (height, _) = scene.node.tip().await;
        let spending = scene.wallet.spend_after(coin, height + 1).await;
        let below = scene.node.mine(1).await[0];
        let block = std::slice::from_ref(&spending);
        scene.node.confirm_raw(block).await;
        Self { below, spending }
    }

    /// Undoes it: a branch of three blocks without the spend.
    pub(super) async fn undo(&self, scene: &Scene<'_>) {
        scene.node.disconnect(self.below).await;
        let mempool = scene.node.call("getrawmempool", json!([])).await;
        assert_eq!(mempool, json!([]), "the spending is gone");
        scene.branch(3).await;
    }
}

async fn claims(rooms: &Rooms, person: &Member<'_>) -> Vec<ClaimedCoin> {
    let people = [person.id.clone()];
    let claims = rooms.store.live_claims_of("regtest", &people).await;
    claims.expect("a database")
}

async fn funding_block(scene: &Scene<'_>) -> String {
    let claims = claims(scene.rooms, &scene.hal).await;
    claims[0].funding_block.clone()
}

async fn a_claim_comes_back_when_its_spending_is_undone(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let scene = Scene::new(&node, &rooms).await;
    let hal = &scene.hal;
    let coin = scene.proven(hal).await;
    let spent = Undoable::mined(&scene, coin).await;
    scene.expect(hal, ended("spent")).await;
    spent.undo(&scene).await;
    scene.expect(hal, counting()).await;
    assert_eq!(hal.row().await.rank, Some(1));
    // And ends again once the coin is spent after all.
    node.confirm_raw(&[spent.spending]).await;
    scene.expect(hal, ended("spent")).await;
}

#[tokio::test]
async fn a_spending_that_waits_in_the_mempool_is_not_undone_for_good() {
    let node = Node::start().await;
    let rooms = rooms_on(&node, TestDatabase::sqlite().await).await;
    let scene = Scene::new(&node, &rooms).await;
    let hal = &scene.hal;
    let coin = scene.proven(hal).await;
    let (spender, block) = scene.spend(&[coin]).await;
    scene.expect(hal, ended("spent")).await;
    node.disconnect(block).await;
    scene.branch(1).await;
    scene.expect(hal, ended("reorganised")).await;
    let other = node.tip().await.1;
    node.confirm(&[spender]).await;
    scene.expect(hal, ended("spent")).await;
    // The first branch again, but longer: the coin is spent there too.
    node.disconnect(other).await;
    node.reconnect(block).await;
    scene.branch(2).await;
    scene.expect(hal, ended("spent")).await;
}

/// A branch of one block, or of two, replaces the coin's block and does not contain the coin.
#[tokio::test]
async fn a_coin_counts_in_another_block_and_waits_for_one() {
    let node = Node::start().await;
    let rooms = rooms_on(&node, TestDatabase::sqlite().await).await;
    for blocks in [1, 2] {
        let scene = Scene::new(&node, &rooms).await;
        let hal = &scene.hal;
        follow(&node, &rooms.follower).await;
        let coin = scene.wallet.fund(AddressType::Bech32, COIN).await;
        let (_, funding) = node.tip().await;
        counts(&prove(&node, hal, &scene.wallet, &[coin]).await);
        node.disconnect(funding).await;
        scene.branch(blocks).await;
        if blocks > 1 {
            scene.expect(hal, ended("reorganised")).await;
        }
        let elsewhere = node.confirm(&[coin.txid]).await;
        scene.expect(hal, counting()).await;
        assert_eq!(funding_block(&scene).await, elsewhere.to_string());
    }
}

async fn a_claim_does_not_come_back_once_expired_or_claimed_since(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let scene = Scene::new(&node, &rooms).await;
    let (hal, eve) = (&scene.hal, rooms.sign_in().await);
    let coin = scene.proven(hal).await;
    let spent = Undoable::mined(&scene, coin).await;
    scene.expect(hal, ended("spent")).await;
    spent.undo(&scene).await;
    // Her submission follows the chain to the block with the coin, and is first.
    counts(&eve.submit(&scene.another_file(coin).await).await);
    scene.expect(&eve, counting()).await;
    assert_eq!(standing(hal).await, ended("reorganised"));

    let again = Undoable::mined(&scene, coin).await;
    follow(&node, &rooms.follower).await;
    rooms.clock.advance(91 * DAY);
    let newest = async || rooms.store.proofs(&eve.id, 1, 0).await.unwrap().remove(0);
    assert_eq!(newest().await.ended_reason.as_deref(), Some("spent"));
    again.undo(&scene).await;
    follow(&node, &rooms.follower).await;
    assert!(newest().await.expires_at.0 <= rooms.clock.now());
    assert_eq!(newest().await.ended_reason.as_deref(), Some("reorganised"));
    assert_eq!(claims(&rooms, &eve).await, []);
}

#[tokio::test]
async fn a_source_that_lags_is_no_reorganization() {
    let node = Node::start().await;
    let rooms = rooms_on(&node, TestDatabase::sqlite().await).await;
    let scene = Scene::new(&node, &rooms).await;
    let hal = &scene.hal;
    let coin = scene.proven(hal).await;
    let (spender, block) = scene.spend(&[coin]).await;
    scene.expect(hal, ended("spent")).await;
    let cursor = scene.cursor().await;
    // A node without the newest block yet: the same chain, but shorter.
    node.disconnect(block).await;
    scene.expect(hal, ended("spent")).await;
    assert_eq!(scene.cursor().await, cursor);
    // Nothing is recorded in between: the coin that counted there is already spent.
    let change = [OutPoint::new(spender, 0)];
    let refused = prove(&node, hal, &scene.wallet, &change).await;
    assert!(refused.is_err(), "{refused:?}");
    node.reconnect(block).await;
    scene.expect(hal, ended("spent")).await;
}

async fn a_fork_from_before_the_first_block_has_everything_looked_up(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let scene = Scene::new(&node, &rooms).await;
    let (hal, eve) = (&scene.hal, rooms.sign_in().await);
    let coin = scene.proven(hal).await;
    let (_, funded) = node.tip().await;
    let hers = scene.proven(&eve).await;
    let spent = Undoable::mined(&scene, coin).await;
    scene.expect(hal, ended("spent")).await;
    // Only the newest block is remembered, as after a fresh start.
    forget_blocks(&scene).await;
    spent.undo(&scene).await;
    scene.expect(hal, counting()).await;
    assert_eq!(standing(&eve).await, counting());
    assert_eq!(funding_block(&scene).await, funded.to_string());
    scene.spend(&[hers]).await;
    scene.expect(&eve, ended("spent")).await;
}

/// Leaves only the newest block in the database.
pub(super) async fn forget_blocks(scene: &Scene<'_>) {
    let (height, _) = scene.node.tip().await;
    let forget = format!("delete from chain_blocks where height < {height}");
    crate::jobs::execute(&scene.rooms.store, forget).await;
}
