//! Rule B9: what a reorganisation undoes is looked up again. Each test has a node of its own, because
//! its chain forks.

use bitcoin::{BlockHash, Transaction};
use server::store::follower::ClaimedCoin;

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
struct Undoable {
    below: BlockHash,
    spending: Transaction,
}

impl Undoable {
    async fn mined(node: &Node, wallet: &Wallet<'_>, coin: OutPoint) -> Self {
        let (height, _) = node.tip().await;
        let spending = wallet.spend_after(coin, height + 1).await;
        let below = node.mine(1).await[0];
        node.confirm_raw(std::slice::from_ref(&spending)).await;
        Self { below, spending }
    }

    /// Undoes it: a branch of three blocks without it.
    async fn undo(&self, node: &Node, wallet: &Wallet<'_>) {
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
    person: &Person<'_>,
    wallet: &Wallet<'_>,
    blocks: usize,
) -> OutPoint {
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let (_, funding) = node.tip().await;
    prove(node, person, wallet, &[coin]).await;
    node.disconnect(funding).await;
    branch(node, wallet, blocks).await;
    coin
}

async fn claims(app: &TestApp, person: &Person<'_>) -> Vec<ClaimedCoin> {
    let people = [person.id.clone()];
    let claims = app.state.store.live_claims_of("regtest", &people).await;
    claims.expect("a database")
}

async fn a_claim_comes_back_when_its_spending_is_undone(database: TestDatabase) {
    let node = Node::start().await;
    let app = app_on(&node, database).await;
    let hal = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(&node, &hal, &wallet).await;
    follow(&node, &app.state).await;
    let spent = Undoable::mined(&node, &wallet, coin).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("spent"));

    spent.undo(&node, &wallet).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, counting(0.3));
    assert_eq!(hal.profile().await["rank"], 1);
    // And ends again when it is spent after all.
    node.confirm_raw(&[spent.spending]).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

async fn a_spending_that_waits_in_the_mempool_is_not_undone_for_good(database: TestDatabase) {
    let node = Node::start().await;
    let app = app_on(&node, database).await;
    let hal = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(&node, &hal, &wallet).await;
    follow(&node, &app.state).await;
    let spender = spend(&wallet, &[coin]).await;
    let block = node.confirm(&[spender]).await;
    follow(&node, &app.state).await;
    node.disconnect(block).await;
    branch(&node, &wallet, 1).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("reorganised"));
    node.confirm(&[spender]).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("spent"));
    // The first branch again, longer: spent there too.
    let (height, _) = node.tip().await;
    let other = node.call("getblockhash", json!([height - 1])).await;
    node.disconnect(other.as_str().expect("a hash").parse().expect("a hash"))
        .await;
    node.reconnect(block).await;
    branch(&node, &wallet, 2).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

async fn a_coin_in_another_block_still_counts(database: TestDatabase) {
    let node = Node::start().await;
    let app = app_on(&node, database).await;
    let hal = app.sign_in().await;
    let wallet = node.wallet().await;
    follow(&node, &app.state).await;
    let coin = proven_and_undone(&node, &hal, &wallet, 1).await;
    let elsewhere = node.confirm(&[coin.txid]).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, counting(0.3));
    assert_eq!(
        claims(&app, &hal).await[0].funding_block,
        elsewhere.to_string()
    );
}

async fn a_coin_that_is_in_no_block_waits_for_one(database: TestDatabase) {
    let node = Node::start().await;
    let app = app_on(&node, database).await;
    let hal = app.sign_in().await;
    let wallet = node.wallet().await;
    follow(&node, &app.state).await;
    let coin = proven_and_undone(&node, &hal, &wallet, 2).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("reorganised"));
    let funding = node.confirm(&[coin.txid]).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, counting(0.3));
    assert_eq!(
        claims(&app, &hal).await[0].funding_block,
        funding.to_string()
    );
}

async fn a_claim_does_not_come_back_once_expired_or_claimed_since(database: TestDatabase) {
    let node = Node::start().await;
    let app = app_on(&node, database).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let coin = proven(&node, &hal, &wallet).await;
    follow(&node, &app.state).await;
    let spent = Undoable::mined(&node, &wallet, coin).await;
    follow(&node, &app.state).await;
    spent.undo(&node, &wallet).await;
    // Her submission follows the chain to where the coin is there again, and is first.
    let payment = [(
        wallet.address(AddressType::Bech32).await,
        Amount::from_sat(20_000),
    )];
    let file = wallet
        .sign(&wallet.transfer(&[coin], &payment).await, true)
        .await;
    let hers = eve.submit(&file.binary()).await;
    assert_eq!(hers.body["status"], "success", "{hers:?}");
    follow(&node, &app.state).await;
    assert_eq!(standing(&eve).await, counting(0.3));
    assert_eq!(standing(&hal).await, ended("reorganised"));

    let again = Undoable::mined(&node, &wallet, coin).await;
    follow(&node, &app.state).await;
    app.state.clock.advance(91 * DAY);
    let newest = async || {
        let proofs = app.state.store.proofs(&eve.id, 1, 0).await;
        proofs.expect("a database").remove(0)
    };
    assert_eq!(newest().await.ended_reason.as_deref(), Some("spent"));
    again.undo(&node, &wallet).await;
    follow(&node, &app.state).await;
    assert!(newest().await.expires_at <= app.state.clock.now());
    assert_eq!(newest().await.ended_reason.as_deref(), Some("reorganised"));
    assert_eq!(claims(&app, &eve).await, []);
}

async fn a_source_that_lags_is_no_reorganisation(database: TestDatabase) {
    let node = Node::start().await;
    let app = app_on(&node, database).await;
    let hal = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = proven(&node, &hal, &wallet).await;
    follow(&node, &app.state).await;
    let spender = spend(&wallet, &[coin]).await;
    let block = node.confirm(&[spender]).await;
    follow(&node, &app.state).await;
    let cursor = app.state.store.cursor("regtest").await.expect("a database");
    // A node that has not seen the newest block yet: the same chain, only shorter.
    node.disconnect(block).await;
    follow(&node, &app.state).await;
    assert_eq!(
        app.state.store.cursor("regtest").await.expect("a database"),
        cursor
    );
    assert_eq!(standing(&hal).await, ended("spent"));
    // Nothing is recorded meanwhile: the coin counted there is spent already.
    let refused = prove(&node, &hal, &wallet, &[OutPoint::new(spender, 0)]).await;
    assert_ne!(refused.status, 200, "{refused:?}");
    node.reconnect(block).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("spent"));
}

async fn a_fork_from_before_the_first_block_has_everything_looked_up(database: TestDatabase) {
    let node = Node::start().await;
    let app = app_on(&node, database).await;
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let wallet = node.wallet().await;
    let coin = proven(&node, &hal, &wallet).await;
    let (_, funded) = node.tip().await;
    let hers = proven(&node, &eve, &wallet).await;
    follow(&node, &app.state).await;
    let spent = Undoable::mined(&node, &wallet, coin).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, ended("spent"));
    // Only the newest block is remembered, as if the server had been started now.
    let (height, _) = node.tip().await;
    let forget = format!("delete from chain_blocks where height < {height}");
    crate::jobs::execute(&app.state.store, forget).await;
    spent.undo(&node, &wallet).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&hal).await, counting(0.3));
    assert_eq!(standing(&eve).await, counting(0.3));
    assert_eq!(
        claims(&app, &hal).await[0].funding_block,
        funded.to_string()
    );
    let spender = spend(&wallet, &[hers]).await;
    node.confirm(&[spender]).await;
    follow(&node, &app.state).await;
    assert_eq!(standing(&eve).await, ended("spent"));
}
