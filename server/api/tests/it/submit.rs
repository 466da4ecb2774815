//! Uploading a file, from HTTP to the database, over the coins of a real node: files that prove nothing, that the chain refutes, and
//! chains without an answer.

use api::http::functions::submit_proof::status_of;
use verify::Refusal;

use crate::binding::files::{still, unsigned};
use crate::binding::{Fixture, nothing_recorded, refused};
use crate::support::prelude::*;

#[tokio::test]
async fn submit_proof_refuses_files_that_are_no_psbt_or_too_large() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let good = person.sample("self-transfer.psbt").await;
    let half = &good[..good.len() / 2];
    let files: [&[u8]; 4] = [&good, b"psbt", &[7, 1, 250, 3, 9], half];
    let said = table(
        "proof.pdf | extension | Please upload a valid PSBT file (.psbt extension)
         a.psbt | file-too-short | Invalid PSBT: File too short
         a.psbt | invalid-magic | Invalid PSBT: Invalid magic number
         a.psbt | could-not-parse | Invalid PSBT: Could not parse.",
    );
    for (file, [name, code, message]) in files.into_iter().zip(said) {
        let file = STANDARD.encode(file);
        let said = refused(&person.submit_as(name, &file, json!([])).await, 400, code);
        assert!(said.starts_with(message), "{said}");
    }
    // The size of a 50 MB file in a request.
    let answer = person.submit(&vec![0; 50 * 1024 * 1024]).await;
    refused(&answer, 413, "too-large");
    nothing_recorded(&person).await;
    // Smaller bodies hold files that are too large once they are decoded.
    let (weight, limit) = (400_001, 400_000);
    let heavy = Refusal::TooHeavy { weight, limit };
    for refusal in [heavy, Refusal::File(psbt_wasm::Error::FileTooLarge)] {
        assert_eq!(status_of(&refusal).as_u16(), 413, "{refusal}");
    }
}

/// The server accepts exactly the sizes that it gives the app, which refuses larger files itself.
#[tokio::test]
async fn every_body_has_a_limit_of_its_size() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let config = app.get("/api/functions/v1/app-config").await;
    let with_file = 2 * 1024 * 1024;
    assert_eq!(config.body["max_body_bytes"], with_file);
    let own_row = person.row();
    for (method, path, most) in [
        ("POST", SUBMIT, with_file),
        ("POST", "/api/functions/v1/development-sign", with_file),
        ("POST", "/api/functions/v1/client-log", 16 * 1024),
        ("POST", "/api/functions/v1/create-stripe-session", 16 * 1024),
        ("POST", "/api/auth/v1/token?grant_type=pkce", 16 * 1024),
        ("POST", "/api/rest/v1/profiles?on_conflict=id", 16 * 1024),
        ("PATCH", &own_row, 16 * 1024),
    ] {
        for (length, too_large) in [(most, false), (most + 1, true)] {
            let request = person.request(method.parse().unwrap(), path);
            let request = request.header("content-type", "application/json");
            let answer = answer(request.body(" ".repeat(length))).await;
            let what = format!("{length} to {path}: {answer:?}");
            assert_eq!(answer.status == 413, too_large, "{what}");
        }
    }
}

#[tokio::test]
async fn coins_that_are_gone_or_never_were_are_refused() {
    let fixture = Fixture::optional().await;
    let person = fixture.app.sign_in().await;
    let (node, wallet) = (fixture.node, &fixture.wallet);
    let coin = fixture.coin().await;
    let file = wallet.proof(&[coin], true).await;

    // A coin of no transaction.
    let mut psbt = file.decode();
    psbt.unsigned_tx.input[0].previous_output = OutPoint::new(Txid::all_zeros(), 5);
    psbt.inputs[0].non_witness_utxo = None;
    let nowhere = psbt.serialize();
    fixture.refuses(&person, &nowhere, "coin-missing").await;

    // A coin that is not spendable yet.
    let spending = wallet.spend(&[fixture.coin().await]).await.compute_txid();
    let young = wallet.proof(&[OutPoint::new(spending, 0)], true).await;
    let young = young.binary();
    fixture.refuses(&person, &young, "coin-unconfirmed").await;

    // A file that is bound to no account must be final (rule B4).
    let mut silent = still(&fixture.app, &[coin], "a statement").await;
    silent.output.pop();
    let silent = wallet.sign(&unsigned(silent), true).await.binary();
    fixture.refuses(&person, &silent, "locked").await;

    // The proof's own transaction is broadcast, and then mined.
    let txid = node.broadcast(&file.transaction()).await;
    let file = file.binary();
    fixture
        .refuses(&person, &file, "coin-spent-in-mempool")
        .await;
    node.confirm(&[txid]).await;
    fixture.refuses(&person, &file, "coin-spent").await;
    nothing_recorded(&person).await;
}

/// `verify/tests/engine/hints.rs` tests what clients and files state about coins.
#[tokio::test]
async fn what_the_client_says_must_agree_with_the_chain() {
    let fixture = Fixture::optional().await;
    let person = fixture.app.sign_in().await;
    let coin = fixture.coin().await;
    let file = fixture.wallet.proof(&[coin], true).await;
    for (vout, status, code) in [
        (coin.vout, 422, "hint-mismatch"),
        (coin.vout + 1, 400, "unknown-hint"),
    ] {
        let txid = coin.txid.to_string();
        let said = json!([{"txid": txid, "vout": vout, "value_sats": 1, "scriptPubKey": "51"}]);
        let _still = fixture.node.still().await;
        let answer = person.submit_as("a.psbt", file.base64(), said).await;
        refused(&answer, status, code);
    }
    nothing_recorded(&person).await;
}

/// Rule B6. The reason is public, so it names no hosts and contains no passwords.
#[tokio::test]
async fn submit_proof_with_a_node_in_trouble_is_503_and_readyz_says_why() {
    let node = Node::shared().await;
    let proxy = Proxy::to(node.url()).await;
    let app = TestApp::at_node(TestDatabase::sqlite().await, &proxy.url).await;
    let (person, wallet) = (app.sign_in().await, node.wallet().await);
    let file = wallet.proof(&[wallet.coin().await], true).await.binary();
    proxy.set_down(true);
    refused(&person.submit(&file).await, 503, "chain-unavailable");
    proxy.set_down(false);
    proxy.lie(|call, result| {
        if call["method"] == "getblockchaininfo" {
            result["initialblockdownload"] = json!(true);
        }
    });
    let _still = node.still().await;
    let answer = person.submit(&file).await;
    let said = refused(&answer, 503, "chain-syncing");
    nothing_recorded(&person).await;
    // The board is still served.
    let ready = app.get("/readyz").await.ok();
    let trouble = &ready.body["troubles"][0];
    assert_eq!(trouble["code"], "chain-syncing");
    for message in [said, text(&trouble["message"])] {
        has(&message, &["still downloading the chain"]);
    }
    let said = format!("{} {}", answer.body, ready.body);
    let hidden = ["127.0.0.1", "p@ss"].map(|it| said.contains(it));
    assert_eq!(hidden, [false; 2], "{said}");
    proxy.be_honest();
    let answer = person.submit(&file).await;
    assert_eq!(answer.body["status"], "success", "{answer:?}");
}
