//! Rule B9: coins in blocks that a reorganization undoes are looked up again. Each test has its own node, because
//! its chain forks.

use store::chain_cursor::ClaimedCoin;

use super::*;

on_both!(
    a_claim_returns_when_a_reorganization_undoes_the_spend,
    an_expired_or_reclaimed_claim_does_not_return,
    a_fork_from_before_the_first_block_has_everything_looked_up,
);

/// A spend that is undone for good when the two newest blocks are: it is not final in the earlier
/// one, so the mempool drops it.
struct Undoable {
    below: BlockHash,
    spending: Transaction,
}

impl Fixture<'_> {
    async fn undoable(&self, coin: OutPoint) -> Undoable {
        let (height, _) = self.node.tip().await;
        let spending = self.wallet.spend_after(coin, height + 1).await;
        let below = self.node.mine(1).await[0];
        self.node.confirm_raw(std::slice::from_ref(&spending)).await;
        Undoable { below, spending }
    }

    /// Undoes it: a branch of three blocks without the spend.
    async fn undo(&self, spent: &Undoable) {
        self.node.disconnect(spent.below).await;
        let mempool = self.node.call("getrawmempool", json!([])).await;
        assert_eq!(mempool, json!([]), "the spending is gone");
        self.branch(3).await;
    }

    async fn claims(&self, person: &Member<'_>) -> Vec<ClaimedCoin> {
        let people = [person.id.clone()];
        let claims = self.rooms.store.live_claims_of("regtest", &people);
        claims.await.unwrap()
    }

    /// Leaves only the newest block in the database.
    async fn forget_blocks(&self) {
        let (height, _) = self.node.tip().await;
        let forget = format!("delete from chain_blocks where height < {height}");
        execute(&self.rooms.store, forget).await;
    }
}

async fn a_claim_returns_when_a_reorganization_undoes_the_spend(database: TestDatabase) {
    let node = Node::start().await;
    let fixture = Fixture::on(&node, database).await;
    let hal = &fixture.hal();
    let coin = fixture.followed(hal).await;
    let spent = fixture.undoable(coin).await;
    fixture.expect(hal, ended("spent")).await;
    fixture.undo(&spent).await;
    fixture.expect(hal, counting()).await;
    assert_eq!(hal.row().await.rank, Some(1));
    // The claim ends again once the coin is spent after all.
    node.confirm_raw(&[spent.spending]).await;
    fixture.expect(hal, ended("spent")).await;
}

#[tokio::test]
async fn a_claim_stays_ended_while_its_spend_is_in_the_mempool() {
    let node = Node::start().await;
    let fixture = Fixture::on(&node, TestDatabase::sqlite().await).await;
    let hal = &fixture.hal();
    let coin = fixture.followed(hal).await;
    let (spender, block) = fixture.spend(&[coin]).await;
    fixture.expect(hal, ended("spent")).await;
    node.disconnect(block).await;
    fixture.branch(1).await;
    fixture.expect(hal, ended("reorganized")).await;
    let other = node.tip().await.1;
    node.confirm(&[spender]).await;
    fixture.expect(hal, ended("spent")).await;
    // The first branch again, but longer: the coin is spent there too.
    node.disconnect(other).await;
    node.reconnect(block).await;
    fixture.branch(2).await;
    fixture.expect(hal, ended("spent")).await;
}

/// A branch of one block, or of two, replaces the coin's block and does not contain the coin.
#[tokio::test]
async fn a_coin_counts_in_another_block_and_is_unknown_until_then() {
    let node = Node::start().await;
    let fixture = Fixture::on(&node, TestDatabase::sqlite().await).await;
    for blocks in [1, 2] {
        let hal = &fixture.rooms.sign_in().await;
        fixture.follow().await;
        let coin = fixture.coin().await;
        let (_, funding) = node.tip().await;
        counts(&fixture.prove(hal, &[coin]).await);
        node.disconnect(funding).await;
        fixture.branch(blocks).await;
        if blocks > 1 {
            fixture.expect(hal, ended("reorganized")).await;
        }
        let elsewhere = node.confirm(&[coin.txid]).await.to_string();
        fixture.expect(hal, counting()).await;
        assert_eq!(fixture.claims(hal).await[0].funding_block, elsewhere);
    }
}

async fn an_expired_or_reclaimed_claim_does_not_return(database: TestDatabase) {
    let node = Node::start().await;
    let fixture = Fixture::on(&node, database).await;
    let rooms = &fixture.rooms;
    let (hal, eve) = (fixture.hal(), rooms.sign_in().await);
    let coin = fixture.followed(&hal).await;
    let spent = fixture.undoable(coin).await;
    fixture.expect(&hal, ended("spent")).await;
    fixture.undo(&spent).await;
    // Her submission follows the chain itself, and gets the coin.
    counts(&eve.submit(&fixture.another_file(coin).await).await);
    fixture.expect(&eve, counting()).await;
    assert_eq!(standing(&hal).await, ended("reorganized"));

    let again = fixture.undoable(coin).await;
    fixture.follow().await;
    rooms.clock.advance(91 * DAY);
    assert_eq!(standing(&eve).await, ended("spent"));
    fixture.undo(&again).await;
    fixture.expect(&eve, ended("reorganized")).await;
    assert!(eve.newest_proof().await.expires_at.0 <= rooms.clock.now());
    assert_eq!(fixture.claims(&eve).await, []);
}

#[tokio::test]
async fn a_source_that_lags_is_no_reorganization() {
    let node = Node::start().await;
    let fixture = Fixture::on(&node, TestDatabase::sqlite().await).await;
    let hal = &fixture.hal();
    let coin = fixture.followed(hal).await;
    let (spender, block) = fixture.spend(&[coin]).await;
    fixture.expect(hal, ended("spent")).await;
    let cursor = fixture.cursor().await;
    // A node without the newest block yet: the same chain, but shorter.
    node.disconnect(block).await;
    fixture.expect(hal, ended("spent")).await;
    assert_eq!(fixture.cursor().await, cursor);
    // Nothing is recorded in between: the coin that counted there is already spent.
    let refused = fixture.prove(hal, &[OutPoint::new(spender, 0)]).await;
    assert!(refused.is_err(), "{refused:?}");
    node.reconnect(block).await;
    fixture.expect(hal, ended("spent")).await;
}

async fn a_fork_from_before_the_first_block_has_everything_looked_up(database: TestDatabase) {
    let node = Node::start().await;
    let fixture = Fixture::on(&node, database).await;
    let (hal, eve) = (fixture.hal(), fixture.rooms.sign_in().await);
    let coin = fixture.followed(&hal).await;
    let funded = node.tip().await.1.to_string();
    let hers = fixture.followed(&eve).await;
    let spent = fixture.undoable(coin).await;
    fixture.expect(&hal, ended("spent")).await;
    // Only the newest block is remembered, as after a fresh start.
    fixture.forget_blocks().await;
    fixture.undo(&spent).await;
    fixture.expect(&hal, counting()).await;
    assert_eq!(standing(&eve).await, counting());
    assert_eq!(fixture.claims(&hal).await[0].funding_block, funded);
    fixture.spend(&[hers]).await;
    fixture.expect(&eve, ended("spent")).await;
}

/// A coin whose transaction has left the chain and the mempool, but is still in the node's index. The server may have
/// `forgotten` the removed blocks, as after a long absence, and looks up everything. Returns the code of a new proof's refusal.
async fn undone_for_good(node: &Node, chain: &str, forgotten: bool) -> &'static str {
    let fixture = Fixture::over(node, chain, TestDatabase::sqlite().await, Some(1)).await;
    let hal = &fixture.hal();
    // Waits until the sources know what the node knows.
    let follow = async || {
        let (_, newest) = node.tip().await;
        let there = async || (fixture.rooms.chain.tip().await).is_ok_and(|tip| tip.hash == newest);
        wait_until("the newest block", there).await;
        fixture.follow().await;
    };
    let expect = async |expected: &Standing| {
        follow().await;
        assert_eq!(standing(hal).await, *expected);
    };
    follow().await;
    let first = fixture.coin().await;
    let made = fixture.undoable(first).await;
    let coin = OutPoint::new(made.spending.compute_txid(), 0);
    let another = fixture.another_file(coin).await;
    follow().await;
    counts(&fixture.prove(hal, &[coin]).await);
    let (counting, undone) = ((Some(10_000_000), true, None), ended("reorganized"));
    expect(&counting).await;
    if forgotten {
        fixture.forget_blocks().await;
    }

    fixture.undo(&made).await;
    expect(&undone).await;
    node.mine(1).await;
    expect(&undone).await;
    let refused = hal.submit(&another).await;
    let Err(SubmitError::Refused(refused)) = refused else {
        panic!("{refused:?}");
    };
    // The transaction is mined after all, in another block.
    node.confirm_raw(&[made.spending]).await;
    expect(&counting).await;
    refused.code()
}

/// With every kind of source, and also when every claim is looked up again.
#[tokio::test]
async fn a_coin_that_has_left_the_chain_is_missing_and_not_spent() {
    for (index, said) in [(1, "coin-missing"), (0, "coin-spent-or-missing")] {
        for forgotten in [false, true] {
            let node = Node::start_with(&[&format!("-txindex={index}")]).await;
            let chain = format!("bitcoind:{}", node.url());
            assert_eq!(undone_for_good(&node, &chain, forgotten).await, said);
        }
    }
    // An explorer still reports the transaction's old block.
    let node: &'static Node = Box::leak(Box::new(Node::start().await));
    let explorer = format!("esplora:{}", EsploraServer::start(node).await);
    let said = undone_for_good(node, &explorer, true).await;
    assert_eq!(said, "coin-unconfirmed");
}
