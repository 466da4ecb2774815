//! Files that cost a lot of work, and other users' requests meanwhile.

use std::sync::atomic::{AtomicUsize, Ordering};

use bitcoin::consensus::encode::serialize;
use serde_json::json;

use crate::forge::{Lock, Single, signed, spend};
use crate::funding::coins;
use crate::support::app::TestApp;
use crate::support::database::TestDatabase;
use crate::support::node::Node;
use crate::support::size;

mod at_once;

/// A thousand with `./test all`.
fn inputs() -> usize {
    size(300, 1_000)
}

/// The test has one thread for the server and all its clients: work that blocks the
/// thread would delay every other response.
#[tokio::test]
async fn a_thousand_inputs_do_not_hold_up_other_requests() {
    let node = Node::shared().await;
    let single = Single::new(Lock::Wpkh);
    let coins = coins(node, &vec![single.script_pubkey(); inputs()]).await;
    let transaction = signed(&single, spend(&coins), &coins);
    let chain = format!("--chain=bitcoind:{}", node.url());
    let app = TestApp::start(
        TestDatabase::sqlite().await,
        &[&chain, "--network=regtest", "--proof-binding=optional"],
    )
    .await;
    let person = app.sign_in().await;
    let file = serialize(&transaction);

    let answered = AtomicUsize::new(0);
    let others = async {
        loop {
            let board = app.get("/api/rest/v1/profiles?limit=10").await;
            assert_eq!(board.status, 200, "{board:?}");
            answered.fetch_add(1, Ordering::Relaxed);
        }
    };
    let submitted = tokio::select! {
        submitted = person.submit(&file) => submitted,
        () = others => unreachable!("others ask until the file is done"),
    };
    assert_eq!(
        (submitted.status.as_u16(), &submitted.body["status"]),
        (200, &json!("success")),
        "{submitted:?}"
    );
    let answered = answered.into_inner();
    println!("{answered} requests were answered meanwhile");
    assert!(answered >= 10, "only {answered} requests were answered");
}
