//! Published proofs, over HTTP and the coins of a real node (proofs, section 4).

use bitcoin::block::Header;
use bitcoin::consensus::encode::deserialize_hex;
use board_log::proof_note::ProofNote;
use psbt_wasm::statement;

use crate::binding::files::{COIN, statement};
use crate::binding::{Scene, refused};
use crate::support::prelude::*;

mod ends;
mod later;
mod lists;
mod ranges;
mod undated;

const PROOFS: &str = "/api/functions/v1/proofs";

/// Uploads a file, with or without publishing it.
pub(crate) async fn upload(node: &Node, person: &Person<'_>, file: &[u8], publish: bool) -> Answer {
    let _still = node.still().await;
    person.upload(file, publish).await
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

/// A board over the shared node's coins, in this database.
async fn scene(database: TestDatabase) -> Scene<'static> {
    Scene::on(Node::shared().await, database, &[]).await
}

/// A user with a published proof over new coins.
struct Shown<'a> {
    person: Person<'a>,
    coins: Vec<OutPoint>,
    file: Vec<u8>,
    id: String,
}

impl<'a> Shown<'a> {
    async fn new(scene: &'a Scene<'static>, coins: usize) -> Self {
        let person = scene.app.sign_in().await;
        let coins = scene.coins(coins).await;
        let file = scene.bound(&person, &coins).await;
        let id = published(scene.node, &person, &file).await;
        Self {
            person,
            coins,
            file,
            id,
        }
    }
}

fn id_of(answer: &Answer) -> String {
    text(&answer.body["proof_id"])
}

async fn proof(app: &TestApp, id: &str) -> Answer {
    app.get(&format!("{PROOFS}/{id}")).await
}

/// The published share of a user's total, as everyone sees it, in sats.
async fn published_sats(app: &TestApp, person: &Person<'_>) -> Value {
    app.get(&person.row()).await.body[0]["published_sats"].take()
}

on_both!(a_proof_is_published_at_upload_with_all_that_its_check_takes);

async fn a_proof_is_published_at_upload_with_all_that_its_check_takes(database: TestDatabase) {
    let scene = scene(database).await;
    let app = &scene.app;
    for kind in ["transaction", "message"] {
        let person = app.sign_in().await;
        let line = statement(&person).await;
        let kinds = [AddressType::Bech32, AddressType::Bech32m].map(|kind| (kind, COIN));
        let coins = scene.wallet.fund_all(&kinds).await;
        let file = scene.bound_by(kind, &person, &coins).await;
        let id = published(scene.node, &person, &file).await;
        let shown = proof(app, &id).await;
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
            let (counts, worth) = match coins.contains(&signed.previous_output) {
                true => (json!(true), COIN.to_sat()),
                false => (Value::Null, 0),
            };
            assert_eq!(
                (&input["counts"], &input["value_sats"]),
                (&counts, &json!(worth))
            );
        }
        assert_eq!(published_sats(app, &person).await, 2 * COIN.to_sat());
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
    let scene = Scene::optional().await;
    let (node, person) = (scene.node, scene.app.sign_in().await);
    let file = scene.transfer(&[scene.coin().await], 1_000).await;
    let answer = upload(node, &person, &file, true).await;
    let sentence = refused(&answer, 422, "not-bound");
    assert!(sentence.contains("published"), "{sentence}");
    assert_eq!(person.proofs().await, json!([]));
    // Nor later.
    assert_eq!(upload(node, &person, &file, false).await.status, 200);
    refused(&upload(node, &person, &file, true).await, 422, "not-bound");
    assert_eq!(published_sats(&scene.app, &person).await, Value::Null);
}

#[tokio::test]
async fn others_read_what_is_published_and_change_nothing() {
    let scene = Scene::new().await;
    let app = &scene.app;
    let shown = Shown::new(&scene, 1).await;
    let path = format!("{PROOFS}/{}", shown.id);
    // A conflict publishes nothing.
    let eve = app.sign_in().await;
    let second = scene.bound(&eve, &shown.coins).await;
    let conflict = upload(scene.node, &eve, &second, true).await;
    assert_eq!(conflict.status, 409);
    let list = app.get(PROOFS).await;
    assert_eq!(list.body["proofs"].as_array().map(Vec::len), Some(1));
    assert_eq!(list.body["proofs"][0]["id"], shown.id);
    assert_eq!(published_sats(app, &eve).await, Value::Null);

    for (path, tag) in [
        (PROOFS, list.header("etag")),
        (&path, app.get(&path).await.header("etag")),
    ] {
        let again = app.get_with(path, &[("if-none-match", tag)]).await;
        assert_eq!(again.status, 304);
    }
    assert_eq!(eve.delete(&path).await.status, 404);
    let withdrawn = answer(app.request(Method::DELETE, &path)).await;
    assert_eq!(withdrawn.status, 401);
    assert_eq!(app.get(&path).await.status, 200);
}
