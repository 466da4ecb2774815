//! Binding, replay and conflict over HTTP (decisions, D3 and D4): each row of table C, and the message
//! that the user gets.

use serde_json::{Value, json};

use crate::support::app::{Answer, Person, TestApp};
use crate::support::database::TestDatabase;
use crate::support::node::Node;

mod attempts;
mod claims;
pub(crate) mod files;
mod maker;
mod message;
mod others;
mod signers;
mod statement;
mod still;

const CHALLENGE: &str = "/api/functions/v1/proof-challenge";

const HOUR: i64 = 60 * 60;

/// A server over a node's coins that requires bound files, as is the default.
async fn app(node: &Node) -> TestApp {
    app_with(TestDatabase::sqlite().await, node, &[]).await
}

/// The same, but it accepts unbound files.
pub(crate) async fn optional_app(node: &Node) -> TestApp {
    let database = TestDatabase::sqlite().await;
    app_with(database, node, &["--proof-binding=optional"]).await
}

pub(crate) async fn app_with(database: TestDatabase, node: &Node, more: &[&str]) -> TestApp {
    let chain = format!("--chain=bitcoind:{}", node.url());
    let arguments = [&[chain.as_str(), "--network=regtest"], more].concat();
    TestApp::start(database, &arguments).await
}

/// Submits a file while no block is mined: blocks during a look-up are another test's subject.
async fn submit(node: &Node, person: &Person<'_>, file: &[u8]) -> Answer {
    let _still = node.still().await;
    person.submit(file).await
}

#[track_caller]
fn accepted(answer: &Answer, status: &str, binding: &str) {
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    assert_eq!(
        (&answer.body["status"], &answer.body["binding"]),
        (&json!(status), &json!(binding))
    );
}

/// An error with this code, and a sentence.
#[track_caller]
pub(crate) fn refused(answer: &Answer, status: u16, code: &str) -> String {
    assert_eq!(
        (answer.status.as_u16(), &answer.body["code"]),
        (status, &json!(code)),
        "{answer:?}"
    );
    assert_eq!(answer.body["status"], "error");
    answer.body["message"]
        .as_str()
        .expect("a sentence")
        .to_owned()
}

/// Submits a file, which must be accepted.
async fn takes(node: &Node, person: &Person<'_>, file: &[u8], status: &str, binding: &str) {
    accepted(&submit(node, person, file).await, status, binding);
}

/// Submits a file, which must be refused; returns the message.
async fn refuses(node: &Node, person: &Person<'_>, file: &[u8], code: &str) -> String {
    refused(&submit(node, person, file).await, 422, code)
}

/// Nothing is recorded for this user.
async fn nothing_recorded(person: &Person<'_>) {
    assert_eq!(person.profile().await["bitcoin_holdings"], Value::Null);
    assert_eq!(person.proofs().await, json!([]));
}
