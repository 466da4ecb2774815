//! Binding, replay and conflict over HTTP (decisions, D3 and D4): each row of table C, and the message
//! that the user gets.

use crate::support::prelude::*;
use files::COIN;
pub(crate) use statement::rename;

mod carriers;
mod claims;
pub(crate) mod files;
mod others;
mod signers;
mod statement;

const CHALLENGE: &str = "/api/functions/v1/proof-challenge";

pub(crate) async fn app_with(database: TestDatabase, node: &Node, more: &[&str]) -> TestApp {
    let chain = format!("--chain=bitcoind:{}", node.url());
    let arguments = [&[chain.as_str(), "--network=regtest"], more].concat();
    TestApp::start(database, &arguments).await
}

/// A server over a node's coins, and a wallet of that node.
pub(crate) struct Fixture<'n> {
    pub(crate) node: &'n Node,
    pub(crate) app: TestApp,
    pub(crate) wallet: Wallet<'n>,
}

impl Fixture<'static> {
    /// It requires bound files, as is the default.
    pub(crate) async fn new() -> Self {
        Self::on(Node::shared().await, TestDatabase::sqlite().await, &[]).await
    }

    /// It accepts unbound files.
    pub(crate) async fn optional() -> Self {
        let (node, database) = (Node::shared().await, TestDatabase::sqlite().await);
        Self::on(node, database, &["--proof-binding=optional"]).await
    }
}

impl<'n> Fixture<'n> {
    pub(crate) async fn on(node: &'n Node, database: TestDatabase, more: &[&str]) -> Self {
        Self {
            app: app_with(database, node, more).await,
            wallet: node.wallet().await,
            node,
        }
    }

    /// A new coin of 0.3 BTC.
    pub(crate) async fn coin(&self) -> OutPoint {
        self.wallet.fund(AddressType::Bech32, COIN).await
    }

    /// The same, several of one transaction.
    pub(crate) async fn coins(&self, count: usize) -> Vec<OutPoint> {
        let coins = vec![(AddressType::Bech32, COIN); count];
        self.wallet.fund_all(&coins).await
    }

    /// A file over these coins that is bound to this user.
    pub(crate) async fn bound(&self, person: &Person<'_>, coins: &[OutPoint]) -> Vec<u8> {
        files::bound(&self.app, person, &self.wallet, coins).await
    }

    /// A bound file in one of the carriers.
    pub(crate) async fn bound_by(
        &self,
        carrier: &str,
        person: &Person<'_>,
        coins: &[OutPoint],
    ) -> Vec<u8> {
        if carrier == "transaction" {
            return self.bound(person, coins).await;
        }
        let line = files::statement(person).await;
        let signed = files::message(&self.wallet, &line, coins).await;
        signed.serialize()
    }

    /// A signed transfer to oneself without a statement.
    pub(crate) async fn transfer(&self, coins: &[OutPoint]) -> Vec<u8> {
        self.wallet.proof(coins, true).await.binary()
    }

    /// The signed still transaction that carries this line.
    async fn still(&self, coins: &[OutPoint], line: &str) -> Vec<u8> {
        let signed = files::signed_still(&self.app, &self.wallet, coins, line);
        signed.await.binary()
    }

    /// Submits a file while no block is mined: blocks during a look-up are another test's subject.
    pub(crate) async fn submit(&self, person: &Person<'_>, file: &[u8]) -> Answer {
        let _still = self.node.still().await;
        person.submit(file).await
    }

    /// Submits a file, which must be accepted.
    async fn takes(&self, person: &Person<'_>, file: &[u8], status: &str, binding: &str) -> Answer {
        let answer = self.submit(person, file).await;
        accepted(&answer, status, binding);
        answer
    }

    /// Submits a file, which must be refused; returns the message.
    pub(crate) async fn refuses(&self, person: &Person<'_>, file: &[u8], code: &str) -> String {
        refused(&self.submit(person, file).await, 422, code)
    }
}

#[track_caller]
fn accepted(answer: &Answer, status: &str, binding: &str) {
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    let said = ["status", "binding"].map(|name| &answer.body[name]);
    assert_eq!(json!(said), json!([status, binding]));
}

/// An error with this code, and a sentence.
#[track_caller]
pub(crate) fn refused(answer: &Answer, status: u16, code: &str) -> String {
    assert_eq!(answer.problem(), (status, code), "{answer:?}");
    assert_eq!(answer.body["status"], "error");
    crate::support::text(&answer.body["message"])
}

/// Nothing is recorded for this user.
pub(crate) async fn nothing_recorded(person: &Person<'_>) {
    let row = person.profile().await;
    let said = ["bitcoin_holdings", "verified"].map(|name| &row[name]);
    assert_eq!(json!(said), json!([null, false]));
    assert_eq!(person.proofs().await, json!([]));
}
