//! A stranger checks published proofs in a real browser, with a source of his own over a real node (decisions, D16). The tests themselves are
//! in `providers/verify.test.mjs`.

use crate::auth_js::passes;
use crate::binding::app_with;
use crate::binding::files::{bound, message, statement};
use crate::published::published;
use crate::support::database::TestDatabase;
use crate::support::esplora::EsploraServer;
use crate::support::node::{AddressType, Node};

/// How many coins are looked up; `COINS=500` measures how long that takes.
fn coins() -> usize {
    let coins = std::env::var("COINS").ok();
    coins.map_or(6, |coins| coins.parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_check_published_proofs_in_a_browser() {
    let chromium = std::env::var("CHROMIUM_PATH")
        .expect("CHROMIUM_PATH is not set; run ./test, which finds or installs Chromium");
    let node = Node::shared().await;
    let app = app_with(TestDatabase::sqlite().await, node, &[]).await;
    let page = app.request(reqwest::Method::GET, "/verify").send().await;
    let page = page.expect("an answer").text().await.expect("a page");
    assert!(
        page.contains("/assets/"),
        "this build is without the web app; run ./test, which builds it first"
    );
    let wallet = node.wallet().await;
    let kinds = [AddressType::Bech32, AddressType::Bech32m];
    let amount = bitcoin::Amount::from_sat(100_000);
    let wanted: Vec<_> = (0..coins()).map(|at| (kinds[at % 2], amount)).collect();

    let funded = wallet.fund_all(&wanted).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    // As the upload page sends it: without the funding transaction at every input.
    let signed = psbt_wasm::strip(message(&wallet, &line, &funded).await.serialize());
    let signed = signed.expect("a file");
    let whole = published(node, &person, &signed).await;

    let kept = wallet.fund_all(&wanted[..2]).await;
    let other = app.sign_in().await;
    let file = bound(&app, &other, &wallet, &kept).await;
    let second = published(node, &other, &file).await;

    let variables = vec![
        ("SITE_ORIGIN", app.origin.clone()),
        ("ESPLORA", EsploraServer::start(node).await),
        ("SILENT", node.url().to_owned()),
        ("PROOF", whole),
        ("STILL", second),
        ("COINS", coins().to_string()),
        ("CHROMIUM_PATH", chromium),
    ];
    passes("providers", "verify.test.mjs", variables).await;
}
