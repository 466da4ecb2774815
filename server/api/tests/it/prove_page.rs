//! A holder proves to one reader in a real browser, with wallets of a real node. The tests themselves are in `providers/prove.test.mjs`. The
//! board does not count these proofs.

use crate::auth_js::{chromium, passes};
use crate::binding::app_with;
use crate::support::prelude::*;

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
