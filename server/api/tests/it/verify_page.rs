//! A stranger checks published proofs in a real browser, with their own source over a real node (decisions, D16). The tests themselves are
//! in `providers/verify.test.mjs`. A holder proves to one reader, with wallets of a real node (`providers/prove.test.mjs`); the board
//! does not count these proofs.

use bitcoin::{NetworkKind, PrivateKey};
use psbt_wasm::statement::Person as Code;

use crate::auth_js::{chromium, has_web_app, run_node_tests};
use crate::binding::files::{COIN, message, output, signed_still, statement, still, unsigned};
use crate::binding::{Fixture, app_with};
use crate::forge::Key;
use crate::published::published;
use crate::support::prelude::*;

/// How many coins are looked up; `COINS=500` measures the time.
fn coins() -> usize {
    let coins = std::env::var("COINS").ok();
    coins.map_or(6, |coins| coins.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_check_published_proofs_in_a_browser() {
    let fixture = Fixture::new().await;
    let (app, node, wallet) = (&fixture.app, fixture.node, &fixture.wallet);
    has_web_app(app).await;
    let kinds = [AddressType::Bech32, AddressType::Bech32m];
    let amount = bitcoin::Amount::from_sat(100_000);
    let wanted: Vec<_> = (0..coins()).map(|at| (kinds[at % 2], amount)).collect();

    let funded = wallet.fund_all(&wanted).await;
    let person = app.sign_in().await;
    let line = statement(&person).await;
    // As the upload page sends it: without the funding transaction at every input.
    let signed = psbt_wasm::strip(message(wallet, &line, &funded).await.serialize());
    let whole = published(node, &person, &signed.unwrap()).await;

    let kept = wallet.fund_all(&wanted[..2]).await;
    let other = app.sign_in().await;
    let second = published(node, &other, &fixture.bound(&other, &kept).await).await;

    let variables = vec![
        ("SITE_ORIGIN", app.origin.clone()),
        ("ESPLORA", EsploraServer::start(node).await),
        ("SILENT", node.url().to_owned()),
        ("PROOF", whole),
        ("LOCKED", with_a_lock(&fixture).await),
        ("FORGED", forged(&fixture, &second).await.to_string()),
        ("STILL", second),
        ("COINS", coins().to_string()),
        chromium(),
    ];
    run_node_tests("providers", "verify.test.mjs", variables).await;
}

/// A published proof of a coin that its script locks for three blocks (BIP-0112).
async fn with_a_lock(Fixture { app, node, .. }: &Fixture<'_>) -> String {
    let person = app.sign_in().await;
    let key = PrivateKey::new(Key::random().0.secret_key(), NetworkKind::Test);
    let descriptor = format!("wsh(and_v(v:pk({key}),older(3)))");
    let wallet = node.descriptor_wallet(&descriptor).await;
    let coin = wallet.fund(COIN).await;
    node.mine(2).await;
    let mut transaction = still(app, &[coin], &statement(&person).await).await;
    transaction.input[0].sequence = Sequence::from_height(3);
    let file = wallet.sign(&unsigned(transaction)).await.binary();
    published(node, &person, &file).await
}

/// A file about a famous person, made by a stranger who signed a coin of their own with a nonce of their own. Its id is one that
/// the board publishes.
async fn forged(fixture: &Fixture<'_>, id: &str) -> Value {
    let (app, coin) = (&fixture.app, fixture.coin().await);
    let person = Code {
        network: psbt_wasm::statement::CoinNetwork::Regtest,
        origin: &app.origin,
        provider: "twitter",
        subject: "44196397",
        account: "0190d0c2-0000-7000-8000-000000000001",
    };
    let header = genesis_block(Network::Regtest).header;
    let (name, hash) = (person.full_name(Some("@famous")), header.block_hash());
    let line = person.statement(&name, &[7; 16], hash.as_ref()).unwrap();
    let signed = signed_still(app, &fixture.wallet, &[coin], &line).await;
    let spent = output(app, coin).await;
    let began = "2009-01-03T18:15:05Z";
    // In the form of a note, by a log of theirs.
    let note = format!(
        "@famous\n\n\u{2014} other.example/log {}=\n",
        "A".repeat(91)
    );
    json!({
        "id": id, "note": note, "network": "regtest", "binding": "transaction", "created_at": began, "published_at": began,
        "expires_at": "2100-01-01T00:00:00Z",
        "profile": {"id": person.account, "username": "famous", "provider": "twitter", "named": true},
        "statement": {
            "text": line, "origin": person.origin, "provider": person.provider, "subject": person.subject,
            "account_id": person.account, "name": name, "nonce": "07".repeat(16),
            "block": {"height": 0, "header": serialize_hex(&header)},
        },
        "transaction": serialize_hex(&signed.transaction()),
        "inputs": [{
            "txid": coin.txid, "vout": coin.vout, "value_sats": spent.value.to_sat(),
            "script_pubkey": spent.script_pubkey.to_hex_string(), "counts": true,
        }],
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_holder_proves_to_one_reader_in_a_browser() {
    // A node of its own, because these tests mine.
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
    run_node_tests("providers", "prove.test.mjs", variables).await;
}
