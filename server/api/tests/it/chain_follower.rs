//! Following the chain: what happens to a claim when its coin moves (rules B7 to B9).

mod clock;
mod recording;
mod reorganizations;
mod replicas;
mod sources;
mod spending;

use api::chain_follower::Follower;
use store::chain_cursor::Cursor;

use crate::support::prelude::*;
use crate::support::rooms::Submitted;

pub(super) const COIN: Amount = Amount::from_sat(30_000_000);

/// The sats of a coin.
pub(super) const SATS: i64 = 30_000_000;

/// Follows the chain to its tip, while no block is mined.
pub(super) async fn follow(node: &Node, follower: &Follower) {
    let _still = node.still().await;
    while follower.step().await.expect("the chain is followed") == Next::AtOnce {}
}

/// The file proves new coins.
#[track_caller]
pub(super) fn counts(submitted: &Submitted) {
    let recorded = submitted.as_ref().map(|outcome| &outcome.recorded);
    assert_matches!(recorded, Ok(Recorded::Verified { .. }));
}

/// Holdings, and how the newest proof has ended, if it has.
type Standing = (Option<i64>, bool, Option<String>);

pub(super) async fn standing(person: &Member<'_>) -> Standing {
    let proof = person.newest_proof().await;
    let active = proof.ended_at.is_none();
    (person.holdings().await, active, proof.ended_reason)
}

pub(super) fn counting() -> Standing {
    (Some(SATS), true, None)
}

pub(super) fn ended(reason: &str) -> Standing {
    (None, false, Some(reason.to_owned()))
}

/// A node, rooms that follow it, and a wallet. Files need not be bound: binding has its own tests.
pub(super) struct Fixture<'n> {
    pub(super) node: &'n Node,
    pub(super) rooms: Rooms,
    pub(super) wallet: Wallet<'n>,
    hal: String,
}

impl Fixture<'static> {
    pub(super) async fn shared(database: TestDatabase) -> Self {
        Self::on(Node::shared().await, database).await
    }
}

impl<'n> Fixture<'n> {
    pub(super) async fn on(node: &'n Node, database: TestDatabase) -> Self {
        let chain = format!("bitcoind:{}", node.url());
        Self::over(node, &chain, database, None).await
    }

    /// The same behind a proxy.
    pub(super) async fn behind(node: &'n Node, database: TestDatabase) -> (Self, Arc<Proxy>) {
        let proxy = Proxy::to(node.url()).await;
        let chain = format!("bitcoind:{}", proxy.url);
        (Self::over(node, &chain, database, None).await, proxy)
    }

    /// The same with these sources over the node, in the syntax of `CHAIN`.
    pub(super) async fn over(
        node: &'n Node,
        chain: &str,
        database: TestDatabase,
        quorum: Option<u8>,
    ) -> Self {
        let rooms = Rooms::open(database, chain, quorum).await;
        Self {
            wallet: node.wallet().await,
            hal: rooms.sign_in().await.id,
            node,
            rooms,
        }
    }

    /// A holder.
    pub(super) fn hal(&self) -> Member<'_> {
        self.rooms.member(&self.hal)
    }

    pub(super) async fn coin(&self) -> OutPoint {
        self.wallet.fund(AddressType::Bech32, COIN).await
    }

    /// Submits a signed file over these coins, while no block is mined.
    pub(super) async fn prove(&self, person: &Member<'_>, coins: &[OutPoint]) -> Submitted {
        let file = self.wallet.proof(coins, true).await.binary();
        let _still = self.node.still().await;
        person.submit(&file).await
    }

    /// Hal and Eve have each proven a coin. His is spent in a block that is not followed yet.
    async fn spent_and_kept(&self) -> (Member<'_>, Member<'_>) {
        let (hal, eve) = (self.hal(), self.rooms.sign_in().await);
        let spent = self.followed(&hal).await;
        self.followed(&eve).await;
        self.spend(&[spent]).await;
        (hal, eve)
    }

    /// Follows the chain; afterwards his claim has ended, and hers counts.
    async fn expect_spent_and_kept(&self, (hal, eve): &(Member<'_>, Member<'_>)) {
        self.expect(hal, ended("spent")).await;
        assert_eq!(standing(eve).await, counting());
    }

    /// A new coin that this user has proven.
    pub(super) async fn proven(&self, person: &Member<'_>) -> OutPoint {
        let coin = self.coin().await;
        counts(&self.prove(person, &[coin]).await);
        coin
    }

    pub(super) async fn follow(&self) {
        follow(self.node, &self.rooms.follower).await;
    }

    /// The same, in a followed block.
    async fn followed(&self, person: &Member<'_>) -> OutPoint {
        let coin = self.proven(person).await;
        self.follow().await;
        coin
    }

    /// Spends coins in a new block.
    pub(super) async fn spend(&self, coins: &[OutPoint]) -> (Txid, BlockHash) {
        let spender = self.wallet.spend(coins).await.compute_txid();
        (spender, self.node.confirm(&[spender]).await)
    }

    /// Follows the chain; afterwards this user's newest proof has this state.
    async fn expect(&self, person: &Member<'_>, expected: Standing) {
        self.follow().await;
        assert_eq!(standing(person).await, expected);
    }

    async fn cursor(&self) -> Cursor {
        self.rooms.store.cursor("regtest").await.unwrap().unwrap()
    }

    /// How many claims no source answers about.
    async fn unknown(&self) -> i64 {
        let now = self.rooms.clock.now();
        let unknown = self.rooms.store.unknown_claims("regtest", now).await;
        unknown.unwrap()
    }

    /// Mines blocks that replace the earlier ones: each pays the wallet.
    async fn branch(&self, blocks: usize) {
        for _ in 0..blocks {
            let address = self.wallet.address(AddressType::Bech32).await;
            self.node.mine_to(&script_of(&address)).await;
        }
    }

    /// Another signed file over a coin.
    async fn another_file(&self, coin: OutPoint) -> Vec<u8> {
        let address = self.wallet.address(AddressType::Bech32).await;
        let payment = [(address, Amount::from_sat(20_000))];
        let transfer = self.wallet.transfer(&[coin], &payment).await;
        self.wallet.sign(&transfer, true).await.binary()
    }
}

/// A proof of one coin that never existed.
fn proof_of(tip: &str, user: &Profile, now: i64, number: u32) -> NewProof {
    let coins = [claim(number.into(), SATS)];
    proof_at(tip, &user.id, &format!("t{number}"), now, &coins)
}
