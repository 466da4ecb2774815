//! Uploading a file, from HTTP to the database, over the coins of a real node.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::hashes::Hash;
use bitcoin::{Amount, OutPoint, Psbt, Txid};
use serde_json::{Value, json};

use crate::support::app::{Answer, Person, TestApp};
use crate::support::database::TestDatabase;
use crate::support::esplora::EsploraServer;
use crate::support::node::{AddressType, Node, SomePsbt, Wallet};

const COIN: Amount = Amount::from_sat(30_000_000);

async fn app_on(node: &Node) -> TestApp {
    app_with_chain(&format!("bitcoind:{}", node.url())).await
}

async fn app_with_chain(chain: &str) -> TestApp {
    let database = TestDatabase::sqlite().await;
    // What binds a file has tests of its own.
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

/// Submits while nobody mines: a block in the middle of a look-up is another test's subject.
async fn submit(node: &Node, person: &Person<'_>, file: &[u8]) -> Answer {
    let _still = node.still().await;
    person.submit(file).await
}

/// A refusal has its own code, blames its input, and changes nothing.
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

#[tokio::test]
async fn every_kind_of_wallet_proves_what_it_holds() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let mut total = 0;
    for kind in AddressType::ALL {
        for finalize in [true, false] {
            let coin = wallet.fund(kind, COIN).await;
            let file = wallet.proof(&[coin], finalize).await;
            // A file as the wallet saves it, and as text inside a .psbt file.
            let bytes = if finalize {
                file.binary()
            } else {
                file.base64().as_bytes().to_vec()
            };
            let answer = submit(node, &person, &bytes).await;
            total += COIN.to_sat();
            assert_eq!(
                answer.status, 200,
                "{kind:?} finalised: {finalize}: {answer:?}"
            );
            assert_eq!(answer.body["status"], "success");
            assert_eq!(answer.body["amount_sats"], COIN.to_sat());
            assert_eq!(answer.body["total_sats"], total);
        }
    }
    let profile = person.profile().await;
    assert_eq!(profile["bitcoin_holdings"], 2.4);
    assert_eq!(profile["rank"], 1);
    assert_eq!(profile["verified"], true);
}

#[tokio::test]
async fn two_of_three_prove_a_multisig() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let multisig = node.multisig().await;
    for finalize in [true, false] {
        let coin = multisig.fund(COIN).await;
        let file = multisig.proof(&[coin], finalize).await;
        let answer = submit(node, &person, &file.binary()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    // One of three is not enough.
    let other = app.sign_in().await;
    let coin = multisig.fund(COIN).await;
    let unsigned = multisig.self_transfer(&[coin]).await;
    let alone = multisig.sign(&unsigned, &[0], false).await;
    let answer = submit(node, &other, &alone.binary()).await;
    refused(&other, &answer, 422, "incomplete").await;
}

#[tokio::test]
async fn mixed_coins_of_a_wallet_add_up() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_all(&AddressType::ALL.map(|kind| (kind, COIN)))
        .await;
    let file = wallet.proof(&coins, false).await;
    let answer = submit(node, &person, &file.binary()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.body["amount"], 1.2);
}

#[tokio::test]
async fn esplora_serves_as_well_as_a_node() {
    let node = Node::shared().await;
    let esplora = EsploraServer::start(node).await;
    let app = app_with_chain(&format!("esplora:{esplora}")).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let answer = submit(node, &person, &some_proof(&wallet).await.binary()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

#[tokio::test]
async fn the_same_file_again_changes_nothing_and_conflicts_for_others() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let (first, second) = (app.sign_in().await, app.sign_in().await);
    let file = some_proof(&node.wallet().await).await.binary();
    assert_eq!(submit(node, &first, &file).await.body["status"], "success");

    let again = submit(node, &first, &file).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.body["status"], "already-verified");
    assert_eq!(first.proofs().await.as_array().map(Vec::len), Some(1));

    let conflict = submit(node, &second, &file).await;
    assert_eq!(conflict.status, 409);
    assert_eq!(conflict.body["status"], "conflict");
    // Nobody learns which coin it was.
    assert!(!conflict.body.to_string().contains("txid"));
    assert_eq!(second.profile().await["verified"], false);
}

#[tokio::test]
async fn a_new_signature_over_the_same_coins_renews_the_proof() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let first = wallet.proof(&[coin], true).await;
    submit(node, &person, &first.binary()).await;

    app.state.clock.advance(80 * 24 * 60 * 60);
    let person = app.still_signed_in(&person).await;
    let payment = [(
        wallet.address(AddressType::Bech32).await,
        Amount::from_sat(20_000),
    )];
    let another = wallet
        .sign(&wallet.transfer(&[coin], &payment).await, true)
        .await;
    let answer = submit(node, &person, &another.binary()).await;
    assert_eq!(answer.body["status"], "reverified", "{answer:?}");
    let proofs = person.proofs().await;
    assert_eq!(proofs[0]["status"], "reverified");
    assert_eq!(
        (&proofs[0]["active"], &proofs[1]["active"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn a_proof_ends_after_ninety_days() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let file = some_proof(&node.wallet().await).await;
    submit(node, &person, &file.binary()).await;
    app.state.clock.advance(90 * 24 * 60 * 60);
    let board = app.get("/api/rest/v1/profiles").await;
    let row = &board.body[0];
    assert_eq!(
        (&row["verified"], &row["bitcoin_holdings"], &row["rank"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    assert!(row["last_verified"].is_string());
}

#[tokio::test]
async fn files_that_are_no_psbt_are_told_so() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let good = person.sample("self-transfer.psbt").await;
    let cases: [(&str, &[u8], &str, &str); 5] = [
        (
            "proof.pdf",
            &good,
            "extension",
            "Please upload a valid PSBT file (.psbt extension)",
        ),
        (
            "a.psbt",
            b"",
            "file-too-short",
            "Invalid PSBT: File too short",
        ),
        (
            "a.psbt",
            b"psbt",
            "file-too-short",
            "Invalid PSBT: File too short",
        ),
        (
            "a.psbt",
            &[7, 1, 250, 3, 9],
            "invalid-magic",
            "Invalid PSBT: Invalid magic number",
        ),
        (
            "a.psbt",
            &good[..good.len() / 2],
            "could-not-parse",
            "Invalid PSBT: Could not parse.",
        ),
    ];
    for (name, file, code, message) in cases {
        let answer = person
            .submit_as(name, &STANDARD.encode(file), json!([]))
            .await;
        refused(&person, &answer, 400, code).await;
        let said = answer.body["message"].as_str().unwrap_or_default();
        assert!(said.starts_with(message), "{said}");
    }
}

#[tokio::test]
async fn what_is_too_large_is_not_read() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    // What a file of 50 MB would be in a request.
    let answer = person.submit(&vec![0; 50 * 1024 * 1024]).await;
    refused(&person, &answer, 413, "too-large").await;
}

#[tokio::test]
async fn only_the_signed_in_submit() {
    let app = TestApp::development().await;
    let body = json!({"psbtBase64": "", "utxos": [], "file_name": "a.psbt"});
    let request = app.request(reqwest::Method::POST, "/api/functions/v1/submit-proof");
    let answer = crate::support::app::answer(request.json(&body)).await;
    assert_eq!(answer.status, 401);
    assert_eq!(answer.body["status"], "error");
}

#[tokio::test]
async fn an_unsigned_file_is_told_which_input() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_all(&[(AddressType::Bech32, COIN), (AddressType::Bech32m, COIN)])
        .await;
    let unsigned = wallet.update(&wallet.self_transfer(&coins).await).await;
    let answer = submit(node, &person, &unsigned.binary()).await;
    refused(&person, &answer, 422, "not-signed").await;

    // One of two inputs.
    let mut half = wallet.sign(&unsigned, true).await.decode();
    half.inputs[1].final_script_witness = None;
    let answer = submit(node, &person, &half.serialize()).await;
    refused(&person, &answer, 422, "not-signed").await;
    assert_eq!(answer.body["input"], 1);
}

#[tokio::test]
async fn a_flipped_signature_is_refused() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    for kind in AddressType::ALL {
        let coin = wallet.fund(kind, COIN).await;
        let mut psbt = wallet.proof(&[coin], true).await.decode();
        flip(&mut psbt);
        let answer = submit(node, &person, &psbt.serialize()).await;
        refused(&person, &answer, 422, "invalid-signature").await;
        assert_eq!(answer.body["input"], 0, "{kind:?}");
    }
}

/// Changes one byte in the middle of the first input's signature.
fn flip(psbt: &mut Psbt) {
    let input = &mut psbt.inputs[0];
    if let Some(witness) = &mut input.final_script_witness {
        let mut elements = witness.to_vec();
        elements[0][20] ^= 1;
        *witness = bitcoin::Witness::from_slice(&elements);
    } else if let Some(script) = &mut input.final_script_sig {
        let mut bytes = script.to_bytes();
        bytes[20] ^= 1;
        *script = bytes.into();
    }
}

#[tokio::test]
async fn coins_that_are_gone_or_never_were_are_refused() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = wallet.proof(&[coin], true).await;

    // A coin of no transaction.
    let mut psbt = file.decode();
    psbt.unsigned_tx.input[0].previous_output = OutPoint::new(Txid::all_zeros(), 5);
    psbt.inputs[0].non_witness_utxo = None;
    let answer = submit(node, &person, &psbt.serialize()).await;
    refused(&person, &answer, 422, "coin-missing").await;

    // The very transaction of the proof is broadcast, and then mined.
    let txid = node.broadcast(&file.transaction()).await;
    let answer = submit(node, &person, &file.binary()).await;
    refused(&person, &answer, 422, "coin-spent-in-mempool").await;
    node.confirm(&[txid]).await;
    let answer = submit(node, &person, &file.binary()).await;
    refused(&person, &answer, 422, "coin-spent").await;
}

#[tokio::test]
async fn an_unconfirmed_coin_has_to_wait() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let spending = wallet.spend(&[coin]).await;
    let unconfirmed = OutPoint::new(spending.compute_txid(), 0);
    let file = wallet.proof(&[unconfirmed], true).await;
    let answer = submit(node, &person, &file.binary()).await;
    refused(&person, &answer, 422, "coin-unconfirmed").await;
}

#[tokio::test]
async fn what_the_client_says_must_agree_with_the_chain() {
    let node = Node::shared().await;
    let app = app_on(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = wallet.proof(&[coin], true).await;
    let script = file.decode().inputs[0]
        .witness_utxo
        .clone()
        .unwrap()
        .script_pubkey;
    let utxo = |value: u64, script: &str, vout: u32| json!([{"txid": coin.txid.to_string(), "vout": vout, "value_sats": value, "scriptPubKey": script}]);
    let right = script.to_hex_string();
    for (utxos, status, code) in [
        (
            utxo(COIN.to_sat() + 1, &right, coin.vout),
            422,
            "hint-mismatch",
        ),
        (utxo(COIN.to_sat(), "51", coin.vout), 422, "hint-mismatch"),
        (
            utxo(COIN.to_sat(), &right, coin.vout + 1),
            400,
            "unknown-hint",
        ),
    ] {
        let _still = node.still().await;
        let answer = person.submit_as("a.psbt", file.base64(), utxos).await;
        refused(&person, &answer, status, code).await;
    }
    // 'Not stated', and the truth.
    let _still = node.still().await;
    let unstated = person
        .submit_as("a.psbt", file.base64(), utxo(0, "", coin.vout))
        .await;
    assert_eq!(unstated.body["status"], "success", "{unstated:?}");
    let stated = utxo(COIN.to_sat(), &right, coin.vout);
    let stated = person.submit_as("a.psbt", file.base64(), stated).await;
    assert_eq!(stated.body["status"], "already-verified", "{stated:?}");
}

#[tokio::test]
async fn a_source_in_trouble_changes_nothing() {
    let node = Node::start().await;
    let app = app_on(&node).await;
    let person = app.sign_in().await;
    let file = some_proof(&node.wallet().await).await.binary();
    drop(node);
    let answer = person.submit(&file).await;
    refused(&person, &answer, 503, "chain-unavailable").await;
}
