//! A holder proves to one reader in a real browser, with wallets of a real node. The tests themselves are in `providers/prove.test.mjs`. The
//! board does not count these proofs.

use bitcoin::constants::genesis_block;
use bitcoin::{Network, OutPoint};
use psbt_wasm::statement::Person as Code;

use crate::auth_js::{chromium, passes};
use crate::binding::files::{COIN, message, signed_still};
use crate::binding::{app_with, optional_app, refused};
use crate::support::app::{Person, TestApp};
use crate::support::database::TestDatabase;
use crate::support::esplora::EsploraServer;
use crate::support::node::{AddressType, Node, Wallet};

#[tokio::test(flavor = "multi_thread")]
async fn a_holder_proves_to_one_reader_in_a_browser() {
    // Its own node: the tests mine.
    let node: &'static Node = Box::leak(Box::new(Node::start().await));
    let app = app_with(TestDatabase::sqlite().await, node, &[]).await;
    let cli = concat!(env!("CARGO_MANIFEST_DIR"), "/../../psbt-wasm/pkg/cli.js");
    let variables = vec![
        ("SITE_ORIGIN", app.origin.clone()),
        ("ESPLORA", EsploraServer::start(node).await),
        ("NODE", node.url().to_owned()),
        ("CLI", cli.to_owned()),
        chromium(),
    ];
    passes("providers", "prove.test.mjs", variables).await;
}

/// Rule C11, on a board that requires bound files and on one that does not.
#[tokio::test]
async fn no_board_counts_a_proof_for_one_reader() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    for app in [
        app_with(TestDatabase::sqlite().await, node, &[]).await,
        optional_app(node).await,
    ] {
        let person = app.sign_in().await;
        for file in files_for_a_reader(&app, &wallet, coin).await {
            refused_by(node, &person, &file).await;
        }
    }
}

/// A still transaction and a message with a line that names a reader.
async fn files_for_a_reader(app: &TestApp, wallet: &Wallet<'_>, coin: OutPoint) -> [Vec<u8>; 2] {
    let hash = genesis_block(Network::Regtest).block_hash();
    let line = Code::for_reader("Acme Bank, loan 4711 k3v9q2", "@satoshi")
        .statement("@satoshi", &[7; 16], hash.as_ref())
        .expect("it fits");
    [
        signed_still(app, wallet, &[coin], &line).await.binary(),
        message(wallet, &line, &[coin]).await.serialize(),
    ]
}

async fn refused_by(node: &Node, person: &Person<'_>, file: &[u8]) {
    let answer = {
        let _still = node.still().await;
        person.submit(file).await
    };
    refused(&answer, 422, "other-statement");
    assert_eq!(person.profile().await["verified"], false);
}
