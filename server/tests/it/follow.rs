//! Following the chain: what a claim becomes when its coin moves (rules B7 to B9).

mod absence;
mod electrum;
mod figures;
mod recording;
mod reorganisations;
mod replicas;
mod sources;
mod spending;

use bitcoin::{Amount, OutPoint, Txid};
use serde_json::{Value, json};
use server::AppState;
use server::jobs::{self, Next};

use crate::support::app::{Answer, Person, TestApp};
use crate::support::database::TestDatabase;
use crate::support::node::{AddressType, Node, Wallet};

pub(super) const COIN: Amount = Amount::from_sat(30_000_000);

/// A server on this node; what binds a file has tests of its own.
pub(super) async fn app_on(node: &Node, database: TestDatabase) -> TestApp {
    app_with(&format!("bitcoind:{}", node.url()), database, &[]).await
}

pub(super) async fn app_with(chain: &str, database: TestDatabase, more: &[&str]) -> TestApp {
    let usual = [
        "--chain",
        chain,
        "--network=regtest",
        "--proof-binding=optional",
    ];
    TestApp::start(database, &[&usual, more].concat()).await
}

/// Follows the chain until there is nothing left to do, while nobody mines.
pub(super) async fn follow(node: &Node, state: &AppState) {
    let _still = node.still().await;
    while jobs::follow::step(state)
        .await
        .expect("the chain is followed")
        == Next::AtOnce
    {}
}

/// Submits a signed file over these coins, while nobody mines.
pub(super) async fn prove(
    node: &Node,
    person: &Person<'_>,
    wallet: &Wallet<'_>,
    coins: &[OutPoint],
) -> Answer {
    let file = wallet.proof(coins, true).await.binary();
    let _still = node.still().await;
    person.submit(&file).await
}

/// A new coin of 0.3 BTC that this person has proven.
pub(super) async fn proven(node: &Node, person: &Person<'_>, wallet: &Wallet<'_>) -> OutPoint {
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let answer = prove(node, person, wallet, &[coin]).await;
    assert_eq!(answer.body["status"], "success", "{answer:?}");
    coin
}

/// Spends coins in the mempool.
pub(super) async fn spend(wallet: &Wallet<'_>, coins: &[OutPoint]) -> Txid {
    wallet.spend(coins).await.compute_txid()
}

/// Holdings, and whether and why the newest proof has ended.
pub(super) async fn standing(person: &Person<'_>) -> (Value, Value, Value) {
    let mut proofs = person.proofs().await;
    (
        person.profile().await["bitcoin_holdings"].take(),
        proofs[0]["active"].take(),
        proofs[0]["ended_reason"].take(),
    )
}

pub(super) fn counting(btc: f64) -> (Value, Value, Value) {
    (json!(btc), json!(true), Value::Null)
}

pub(super) fn ended(reason: &str) -> (Value, Value, Value) {
    (Value::Null, json!(false), json!(reason))
}
