//! Rule B9: what a reorganisation undoes is looked up again. Each test has a node of its own, because
//! its chain forks.

use bitcoin::{BlockHash, Transaction};
use serde_json::json;
use store::follower::ClaimedCoin;

use super::*;
use crate::support::database::on_both;

const DAY: i64 = 24 * 60 * 60;

on_both!(
    a_claim_comes_back_when_its_spending_is_undone,
    a_spending_that_waits_in_the_mempool_is_not_undone_for_good,
    a_coin_in_another_block_still_counts,
    a_coin_that_is_in_no_block_waits_for_one,
    a_claim_does_not_come_back_once_expired_or_claimed_since,
    a_source_that_lags_is_no_reorganisation,
    a_fork_from_before_the_first_block_has_everything_looked_up,
);

/// A spending that is undone for good when the two newest blocks are: it is not final in the one
/// before, so the mempool forgets it.
pub(super) struct Undoable {
    below: BlockHash,
    pub(super) spending: Transaction,
}

impl Undoable {
    pub(super) async fn mined(node: &Node, wallet: &Wallet<'_>, coin: OutPoint) -> Self {
        let (height, _) = node.tip().await;
        let spending = wallet.spend_after(coin, height + 1).await;
        let below = node.mine(1).await[0];
        node.confirm_raw(std::slice::from_ref(&spending)).await;
        Self { below, spending }
    }

    /// Undoes it: a branch of three blocks without it.
    pub(super) async fn undo(&self, node: &Node, wallet: &Wallet<'_>) {
        node.disconnect(self.below).await;
        let mempool = node.call("getrawmempool", json!([])).await;
        assert_eq!(mempool, json!([]), "the spending is gone");
        branch(node, wallet, 3).await;
    }
}

/// Blocks that are not those that were there: each pays the wallet.
async fn branch(node: &Node, wallet: &Wallet<'_>, blocks: usize) {
    for _ in 0..blocks {
        let address = wallet.address(AddressType::Bech32).await;
        node.mine_to(&crate::support::node::script_of(&address))
            .await;
    }
}

/// Proves a new coin, and replaces the block that it came with by a branch of this many blocks without it.
async fn proven_and_undone(
    node: &Node,
    person: &Member<'_>,
    wallet: &Wallet<'_>,
    blocks: usize,
) -> OutPoint {
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let (_, funding) = node.tip().await;
    counts(&prove(node, person, wallet, &[coin]).await);
    node.disconnect(funding).await;
    branch(node, wallet, blocks).await;
    coin
}

async fn claims(rooms: &Rooms, person: &Member<'_>) -> Vec<ClaimedCoin> {
    let people = [person.id.clone()];
    let claims = rooms.store.live_claims_of("regtest", &people).await;
    claims.expect("a database")
}

async fn a_claim_comes_back_when_its_spending_is_undone(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(&node, &hal, &wallet).await;
    follow(&node, &rooms.follower).await;
    let spent = Undoable::mined(&node, &wallet, coin).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));

    spent.undo(&node, &wallet).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, counting());
    assert_eq!(hal.row().await.rank, Some(1));
    // And ends again when it is spent after all.
    node.confirm_raw(&[spent.spending]).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

async fn a_spending_that_waits_in_the_mempool_is_not_undone_for_good(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(&node, &hal, &wallet).await;
    follow(&node, &rooms.follower).await;
    let spender = spend(&wallet, &[coin]).await;
    let block = node.confirm(&[spender]).await;
    follow(&node, &rooms.follower).await;
    node.disconnect(block).await;
    branch(&node, &wallet, 1).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("reorganised"));
    node.confirm(&[spender]).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
    // The first branch again, longer: spent there too.
    let (height, _) = node.tip().await;
    let other = node.call("getblockhash", json!([height - 1])).await;
    node.disconnect(other.as_str().expect("a hash").parse().expect("a hash"))
        .await;
    node.reconnect(block).await;
    branch(&node, &wallet, 2).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

async fn a_coin_in_another_block_still_counts(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    follow(&node, &rooms.follower).await;
    let coin = proven_and_undone(&node, &hal, &wallet, 1).await;
    let elsewhere = node.confirm(&[coin.txid]).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, counting());
    assert_eq!(
        claims(&rooms, &hal).await[0].funding_block,
        elsewhere.to_string()
    );
}

async fn a_coin_that_is_in_no_block_waits_for_one(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    follow(&node, &rooms.follower).await;
    let coin = proven_and_undone(&node, &hal, &wallet, 2).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("reorganised"));
    let funding = node.confirm(&[coin.txid]).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, counting());
    assert_eq!(
        claims(&rooms, &hal).await[0].funding_block,
        funding.to_string()
    );
}

async fn a_claim_does_not_come_back_once_expired_or_claimed_since(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let (hal, eve) = (rooms.sign_in().await, rooms.sign_in().await);
    let wallet = node.wallet().await;
    let coin = proven(&node, &hal, &wallet).await;
    follow(&node, &rooms.follower).await;
    let spent = Undoable::mined(&node, &wallet, coin).await;
    follow(&node, &rooms.follower).await;
    spent.undo(&node, &wallet).await;
    // Her submission follows the chain to where the coin is there again, and is first.
    let payment = [(
        wallet.address(AddressType::Bech32).await,
        Amount::from_sat(20_000),
    )];
    let file = wallet
        .sign(&wallet.transfer(&[coin], &payment).await, true)
        .await;
    counts(&eve.submit(&file.binary()).await);
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&eve).await, counting());
    assert_eq!(standing(&hal).await, ended("reorganised"));

    let again = Undoable::mined(&node, &wallet, coin).await;
    follow(&node, &rooms.follower).await;
    rooms.clock.advance(91 * DAY);
    let newest = async || {
        let proofs = rooms.store.proofs(&eve.id, 1, 0).await;
        proofs.expect("a database").remove(0)
    };
    assert_eq!(newest().await.ended_reason.as_deref(), Some("spent"));
    again.undo(&node, &wallet).await;
    follow(&node, &rooms.follower).await;
    assert!(newest().await.expires_at <= rooms.clock.now());
    assert_eq!(newest().await.ended_reason.as_deref(), Some("reorganised"));
    assert_eq!(claims(&rooms, &eve).await, []);
}

async fn a_source_that_lags_is_no_reorganisation(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let hal = rooms.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(&node, &hal, &wallet).await;
    follow(&node, &rooms.follower).await;
    let spender = spend(&wallet, &[coin]).await;
    let block = node.confirm(&[spender]).await;
    follow(&node, &rooms.follower).await;
    let cursor = rooms.store.cursor("regtest").await.expect("a database");
    // A node that has not seen the newest block yet: the same chain, only shorter.
    node.disconnect(block).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(
        rooms.store.cursor("regtest").await.expect("a database"),
        cursor
    );
    assert_eq!(standing(&hal).await, ended("spent"));
    // Nothing is recorded meanwhile: the coin counted there is spent already.
    let refused = prove(&node, &hal, &wallet, &[OutPoint::new(spender, 0)]).await;
    assert!(refused.is_err(), "{refused:?}");
    node.reconnect(block).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

async fn a_fork_from_before_the_first_block_has_everything_looked_up(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let (hal, eve) = (rooms.sign_in().await, rooms.sign_in().await);
    let wallet = node.wallet().await;
    let coin = proven(&node, &hal, &wallet).await;
    let (_, funded) = node.tip().await;
    let hers = proven(&node, &eve, &wallet).await;
    follow(&node, &rooms.follower).await;
    let spent = Undoable::mined(&node, &wallet, coin).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, ended("spent"));
    // Only the newest block is remembered, as if the server had been started now.
    let (height, _) = node.tip().await;
    let forget = format!("delete from chain_blocks where height < {height}");
    crate::jobs::execute(&rooms.store, forget).await;
    spent.undo(&node, &wallet).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&hal).await, counting());
    assert_eq!(standing(&eve).await, counting());
    assert_eq!(
        claims(&rooms, &hal).await[0].funding_block,
        funded.to_string()
    );
    let spender = spend(&wallet, &[hers]).await;
    node.confirm(&[spender]).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&eve).await, ended("spent"));
}
