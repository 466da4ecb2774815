//! Uploading a file, from HTTP to the database, over the coins of a real node.

use bitcoin::Amount;
use serde_json::json;

use crate::support::app::{Answer, Person, TestApp};
use crate::support::database::TestDatabase;
use crate::support::node::{AddressType, Node, SomePsbt, Wallet};

mod bad_files;
mod chain;

const COIN: Amount = Amount::from_sat(30_000_000);

async fn app_on(node: &Node) -> TestApp {
    app_with_chain(&format!("bitcoind:{}", node.url())).await
}

async fn app_with_chain(chain: &str) -> TestApp {
    let database = TestDatabase::sqlite().await;
    // Binding has its own tests.
    let arguments = [
        "--chain",
        chain,
        "--network=regtest",
        "--proof-binding=optional",
    ];
    TestApp::start(database, &arguments).await
}

/// A signed file over one new coin of 0.3 BTC.
async fn some_proof(wallet: &Wallet<'_>) -> SomePsbt {
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    wallet.proof(&[coin], true).await
}

/// Submits while no block is mined: blocks during a look-up are another test's subject.
async fn submit(node: &Node, person: &Person<'_>, file: &[u8]) -> Answer {
    let _still = node.still().await;
    person.submit(file).await
}

/// A refusal has its own code, names its input, and changes nothing.
async fn refused(person: &Person<'_>, answer: &Answer, status: u16, code: &str) {
    assert_eq!(answer.status.as_u16(), status, "{answer:?}");
    assert_eq!(answer.body["status"], "error", "{answer:?}");
    assert_eq!(answer.body["code"], code, "{answer:?}");
    assert!(
        !answer.body["message"]
            .as_str()
            .unwrap_or_default()
            .is_empty()
    );
    assert_eq!(person.profile().await["verified"], false);
    assert_eq!(person.proofs().await, json!([]));
}
