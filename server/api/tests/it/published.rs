//! Published proofs, over HTTP and the coins of a real node (proofs, section 4).

#![allow(
    clippy::unwrap_used,
    reason = "a scenario reports failures by panicking, as the tests do that clippy.toml spares"
)]

use api::proof::VALIDITY;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::block::Header;
use bitcoin::consensus::encode::deserialize_hex;
use bitcoin::{OutPoint, Transaction};
use board_log::proof_note::ProofNote;
use psbt_wasm::statement;
use reqwest::Method;
use serde_json::{Value, json};

use crate::binding::files::{COIN, bound, message, statement, transfer};
use crate::binding::{app_with, optional_app, refused};
use crate::support::app::{Answer, Person, TestApp, answer};
use crate::support::database::{TestDatabase, on_both};
use crate::support::node::{AddressType, Node, Wallet};
use crate::support::until;

mod ends;
mod later;
mod lists;
mod ranges;
mod undated;

const PROOFS: &str = "/api/functions/v1/proofs";

/// Uploads a file, with or without publishing it.
pub(crate) async fn upload(node: &Node, person: &Person<'_>, file: &[u8], publish: bool) -> Answer {
    let _still = node.still().await;
    let body =
        json!({"psbtBase64": STANDARD.encode(file), "file_name": "a.psbt", "publish": publish});
    let submit = "/api/functions/v1/submit-proof";
    answer(person.request(Method::POST, submit).json(&body)).await
}

/// The id of a proof that was published at upload.
pub(crate) async fn published(node: &Node, person: &Person<'_>, file: &[u8]) -> String {
    let answer = upload(node, person, file, true).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.body["published"]),
        (200, &json!(true)),
        "{answer:?}"
    );
    id_of(&answer)
}

/// A user with a published proof over new coins.
struct Shown<'a> {
    person: Person<'a>,
    wallet: Wallet<'static>,
    coins: Vec<OutPoint>,
    file: Vec<u8>,
    id: String,
}

impl<'a> Shown<'a> {
    async fn new(app: &'a TestApp, coins: usize) -> Self {
        let node = Node::shared().await;
        let (person, wallet) = (app.sign_in().await, node.wallet().await);
        let kinds = vec![(AddressType::Bech32, COIN); coins];
        let coins = wallet.fund_all(&kinds).await;
        let file = bound(app, &person, &wallet, &coins).await;
        let id = published(node, &person, &file).await;
        Self {
            person,
            wallet,
            coins,
            file,
            id,
        }
    }
}

fn id_of(answer: &Answer) -> String {
    let id = answer.body["proof_id"].as_str();
    id.unwrap_or_else(|| panic!("{answer:?}")).to_owned()
}

async fn proof(app: &TestApp, id: &str) -> Answer {
    app.get(&format!("{PROOFS}/{id}")).await
}

/// The published share of a user's total, as everyone sees it, in sats.
async fn published_sats(app: &TestApp, person: &Person<'_>) -> Value {
    let path = format!(
        "/api/rest/v1/profiles?id=eq.{}&select=published_sats",
        person.id
    );
    app.get(&path).await.body[0]["published_sats"].take()
}

on_both!(a_proof_is_published_at_upload_with_all_that_its_check_takes);

async fn a_proof_is_published_at_upload_with_all_that_its_check_takes(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_with(database, node, &[]).await;
    let wallet = node.wallet().await;
    for kind in ["transaction", "message"] {
        let person = app.sign_in().await;
        let line = statement(&person).await;
        let coins = wallet
            .fund_all(&[(AddressType::Bech32, COIN), (AddressType::Bech32m, COIN)])
            .await;
        let file = match kind {
            "message" => message(&wallet, &line, &coins).await.serialize(),
            _ => bound(&app, &person, &wallet, &coins).await,
        };
        let id = published(node, &person, &file).await;
        let shown = proof(&app, &id).await;
        assert_eq!(shown.status, 200, "{shown:?}");
        let shown = shown.body;
        assert_eq!(shown["id"], id);
        assert_eq!(shown["binding"], kind);
        assert_eq!(shown["network"], "regtest");
        assert_eq!(shown["profile"]["id"], person.id);
        let said = &shown["statement"];
        assert_eq!(said["text"], line);
        assert_eq!(said["origin"], app.origin);
        assert_eq!(said["account_id"], person.id);
        assert_eq!(line_of(said), line, "anyone can build the line again");
        assert_eq!(said["block"]["height"], 0);
        let note = shown["note"].as_str().unwrap();
        let key = app.request(Method::GET, "/log/key").send().await.unwrap();
        let key = key.text().await.unwrap().parse().unwrap();
        let note = ProofNote::read(note, &[key]).unwrap();
        assert_eq!((&note.line, &note.account), (&line, &person.id));
        assert_eq!(note.subject, said["subject"].as_str().unwrap());
        assert_eq!(note.block.map(|block| block.height), Some(0));
        let hex = shown["transaction"].as_str().unwrap();
        let transaction: Transaction = deserialize_hex(hex).unwrap();
        let inputs = shown["inputs"].as_array().unwrap();
        assert_eq!(inputs.len(), transaction.input.len());
        for (input, signed) in inputs.iter().zip(&transaction.input) {
            assert_eq!(input["txid"], signed.previous_output.txid.to_string());
            assert!(!signed.witness.is_empty());
            let is_coin = coins.contains(&signed.previous_output);
            assert_eq!(
                input["counts"],
                is_coin.then_some(true).map_or(Value::Null, Value::from)
            );
            let worth = if is_coin { COIN.to_sat() } else { 0 };
            assert_eq!(input["value_sats"], worth);
        }
        assert_eq!(published_sats(&app, &person).await, 2 * COIN.to_sat());
        assert_eq!(person.proofs().await[0]["published"], true);
        let copy = person.get("/api/functions/v1/export-account").await.body;
        let publication = &copy["proofs"][0]["publication"];
        assert_eq!(publication["transaction"], hex);
        assert_eq!(publication["nonce"], said["nonce"]);
    }
}

/// A statement, recomputed from the published data.
fn line_of(said: &Value) -> String {
    let text = |name: &str| said[name].as_str().unwrap();
    let person = statement::Person {
        origin: text("origin"),
        provider: text("provider"),
        subject: text("subject"),
        account: text("account_id"),
    };
    let nonce: [u8; 16] = hex::decode(text("nonce")).unwrap().try_into().unwrap();
    let header: Header = deserialize_hex(said["block"]["header"].as_str().unwrap()).unwrap();
    let hash = header.block_hash();
    person
        .statement(text("name"), &nonce, hash.as_ref())
        .unwrap()
}

#[tokio::test]
async fn a_file_that_says_nothing_is_not_published_and_not_recorded() {
    let node = Node::shared().await;
    let app = optional_app(node).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = transfer(&app, &wallet, &[coin], bitcoin::Amount::from_sat(1_000)).await;
    let answer = upload(node, &person, &file, true).await;
    let sentence = refused(&answer, 422, "not-bound");
    assert!(sentence.contains("published"), "{sentence}");
    assert_eq!(person.proofs().await, json!([]));
    // Nor later.
    assert_eq!(upload(node, &person, &file, false).await.status, 200);
    refused(&upload(node, &person, &file, true).await, 422, "not-bound");
    assert_eq!(published_sats(&app, &person).await, Value::Null);
}

#[tokio::test]
async fn a_conflict_publishes_nothing() {
    let node = Node::shared().await;
    let app = app_with(TestDatabase::sqlite().await, node, &[]).await;
    let shown = Shown::new(&app, 1).await;
    let eve = app.sign_in().await;
    let second = bound(&app, &eve, &shown.wallet, &shown.coins).await;
    assert_eq!(upload(node, &eve, &second, true).await.status, 409);
    let list = app.get(PROOFS).await.body;
    assert_eq!(list["proofs"].as_array().map(Vec::len), Some(1));
    assert_eq!(list["proofs"][0]["id"], shown.id);
    assert_eq!(published_sats(&app, &eve).await, Value::Null);
}

#[tokio::test]
async fn pages_of_any_origin_read_what_is_published_and_change_nothing() {
    let node = Node::shared().await;
    let app = app_with(TestDatabase::sqlite().await, node, &[]).await;
    let path = format!("{PROOFS}/{}", Shown::new(&app, 1).await.id);
    for path in [PROOFS, &path] {
        let request = || {
            app.request(Method::GET, path)
                .header("origin", "https://elsewhere.example")
        };
        let response = request().send().await.unwrap();
        let headers = response.headers();
        assert_eq!(headers["access-control-allow-origin"], "*");
        assert!(!headers.contains_key("access-control-allow-credentials"));
        let tag = headers["etag"].clone();
        let again = request().header("if-none-match", tag).send().await.unwrap();
        assert_eq!(again.status(), 304);
    }
    let asked = app
        .request(Method::OPTIONS, &path)
        .header("origin", "https://elsewhere.example")
        .header("access-control-request-method", "DELETE")
        .send();
    let headers = asked.await.unwrap().headers().clone();
    assert!(!headers.contains_key("access-control-allow-origin"));
    let other = app.sign_in().await;
    let withdrawn = answer(other.request(Method::DELETE, &path)).await;
    assert_eq!(withdrawn.status, 404);
    assert_eq!(answer(app.request(Method::DELETE, &path)).await.status, 401);
    assert_eq!(app.get(&path).await.status, 200);
}

/// In development mode new users can try it with their samples.
#[tokio::test]
async fn samples_of_development_mode_are_published_like_any_file() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let samples = person.get("/api/functions/v1/development-samples").await;
    let samples = samples.body.as_array().cloned().unwrap();
    let mut published = 0;
    for sample in &samples {
        let body = json!({"psbtBase64": sample["psbt_base64"], "file_name": sample["file_name"], "publish": true});
        let submit = "/api/functions/v1/submit-proof";
        let answer = answer(person.request(Method::POST, submit).json(&body)).await;
        if answer.status == 200 {
            assert_eq!(proof(&app, &id_of(&answer)).await.status, 200);
            published += 1;
        }
    }
    assert!(published >= 2, "{samples:?}");
}
