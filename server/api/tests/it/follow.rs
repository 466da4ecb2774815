//! Following the chain: what a claim becomes when its coin moves (rules B7 to B9).

mod absence;
mod aside;
mod clock;
mod electrum;
mod recording;
mod reorganisations;
mod replicas;
mod sources;
mod spending;
mod stale;
mod unknown;

use api::follow::Follower;
use api::jobs::next::Next;
use api::proof::{Outcome, SubmitError};
use bitcoin::{Amount, OutPoint, Txid};
use store::claims::Recorded;

use crate::support::database::TestDatabase;
use crate::support::node::{AddressType, Node, Wallet};
use crate::support::rooms::{Member, Rooms};

pub(super) const COIN: Amount = Amount::from_sat(30_000_000);

/// The sats of a coin.
pub(super) const SATS: i64 = 30_000_000;

type Answer = Result<Outcome, SubmitError>;

/// Rooms over this node; what binds a file has tests of its own.
pub(super) async fn rooms_on(node: &Node, database: TestDatabase) -> Rooms {
    rooms_with(&format!("bitcoind:{}", node.url()), database, None).await
}

pub(super) async fn rooms_with(chain: &str, database: TestDatabase, quorum: Option<u8>) -> Rooms {
    Rooms::open(database, chain, quorum).await
}

/// Follows the chain until there is nothing left to do, while nobody mines.
pub(super) async fn follow(node: &Node, follower: &Follower) {
    let _still = node.still().await;
    while follower.step().await.expect("the chain is followed") == Next::AtOnce {}
}

/// Submits a signed file over these coins, while nobody mines.
pub(super) async fn prove(
    node: &Node,
    person: &Member<'_>,
    wallet: &Wallet<'_>,
    coins: &[OutPoint],
) -> Answer {
    let file = wallet.proof(coins, true).await.binary();
    let _still = node.still().await;
    person.submit(&file).await
}

/// The file is a proof of new coins.
#[track_caller]
pub(super) fn counts(answer: &Answer) {
    let recorded = answer.as_ref().map(|outcome| &outcome.recorded);
    assert!(
        matches!(recorded, Ok(Recorded::Verified { .. })),
        "{answer:?}"
    );
}

/// A new coin of 0.3 BTC that this person has proven.
pub(super) async fn proven(node: &Node, person: &Member<'_>, wallet: &Wallet<'_>) -> OutPoint {
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    counts(&prove(node, person, wallet, &[coin]).await);
    coin
}

/// Spends coins in the mempool.
pub(super) async fn spend(wallet: &Wallet<'_>, coins: &[OutPoint]) -> Txid {
    wallet.spend(coins).await.compute_txid()
}

/// Holdings, and whether and why the newest proof has ended.
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
