//! Published proofs, over HTTP and the coins of a real node (proofs, section 4).

use bitcoin::block::Header;
use bitcoin::consensus::encode::deserialize_hex;
use board_log::proof_note::ProofNote;
use psbt_wasm::statement;

use crate::binding::files::{COIN, statement};
use crate::binding::{Fixture, refused};
use crate::support::prelude::*;

mod ends;
mod later;

const PROOFS: &str = "/api/functions/v1/proofs";

/// Uploads a file, with or without publishing it.
pub(crate) async fn upload(node: &Node, person: &Person<'_>, file: &[u8], publish: bool) -> Answer {
    let _still = node.still().await;
    person.upload(file, publish).await
}

/// The id of a proof that was published at upload.
pub(crate) async fn published(node: &Node, person: &Person<'_>, file: &[u8]) -> String {
    let answer = upload(node, person, file, true).await;
    assert_eq!(answer.body["published"], true, "{answer:?}");
    id_of(&answer)
}

/// A board over the shared node's coins, in this database.
async fn fixture(database: TestDatabase) -> Fixture<'static> {
    Fixture::on(Node::shared().await, database, &[]).await
}

/// A user, the id of a published proof, its coins and its file.
type Shown<'a> = (Person<'a>, String, Vec<OutPoint>, Vec<u8>);

/// A user with a published proof over new coins.
async fn shown<'a>(fixture: &'a Fixture<'static>, coins: usize) -> Shown<'a> {
    let person = fixture.app.sign_in().await;
    let coins = fixture.coins(coins).await;
    let file = fixture.bound(&person, &coins).await;
    let id = published(fixture.node, &person, &file).await;
    (person, id, coins, file)
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

/// Chooses how the total is shown: the status of the response, and the code of a refusal.
async fn show_as(person: &Person<'_>, shown_as: &str) -> (u16, Value) {
    let mut answer = person.change(json!({ "shown_as": shown_as })).await;
    (answer.status.as_u16(), answer.body["code"].take())
}

on_both!(
    a_proof_published_at_upload_has_everything_to_check_it,
    lists_come_by_page_and_by_person,
);

async fn a_proof_published_at_upload_has_everything_to_check_it(database: TestDatabase) {
    let fixture = fixture(database).await;
    let app = &fixture.app;
    for kind in ["transaction", "message"] {
        let person = app.sign_in().await;
        let line = statement(&person).await;
        let kinds = [AddressType::Bech32, AddressType::Bech32m].map(|kind| (kind, COIN));
        let coins = fixture.wallet.fund_all(&kinds).await;
        let file = fixture.bound_by(kind, &person, &coins).await;
        let id = published(fixture.node, &person, &file).await;
        let shown = proof(app, &id).await.body;
        let said = &shown["statement"];
        for (value, expected) in [
            (&shown["id"], &id[..]),
            (&shown["binding"], kind),
            (&shown["network"], "regtest"),
            (&shown["profile"]["id"], &person.id),
            (&said["text"], &line),
            (&said["origin"], &app.origin),
            (&said["account_id"], &person.id),
        ] {
            assert_eq!(value, expected, "{shown}");
        }
        assert_eq!(line_of(said), line, "anyone can build the line again");
        assert_eq!(said["block"]["height"], 0);
        let key = crate::board_log::key(&app.origin).await;
        let note = ProofNote::read(shown["note"].as_str().unwrap(), &[key]).unwrap();
        assert_eq!((&note.line, &note.account), (&line, &person.id));
        assert_eq!(note.subject, text(&said["subject"]));
        assert_eq!(note.block.height, 0);
        let hex = shown["transaction"].as_str().unwrap();
        let transaction: Transaction = deserialize_hex(hex).unwrap();
        let inputs = shown["inputs"].as_array().unwrap();
        assert_eq!(inputs.len(), transaction.input.len());
        for (input, signed) in inputs.iter().zip(&transaction.input) {
            assert_eq!(input["txid"], signed.previous_output.txid.to_string());
            assert!(!signed.witness.is_empty());
            let expected = match coins.contains(&signed.previous_output) {
                true => json!([true, COIN.to_sat()]),
                false => json!([null, 0]),
            };
            assert_eq!(json!([input["counts"], input["value_sats"]]), expected);
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
        network: statement::CoinNetwork::Regtest,
        origin: text("origin"),
        provider: text("provider"),
        subject: text("subject"),
        account: text("account_id"),
    };
    let nonce: [u8; 16] = hex::decode(text("nonce")).unwrap().try_into().unwrap();
    let header: Header = deserialize_hex(said["block"]["header"].as_str().unwrap()).unwrap();
    let hash = header.block_hash();
    let line = person.statement(text("name"), &nonce, hash.as_ref());
    line.unwrap()
}

#[tokio::test]
async fn a_file_without_a_statement_is_not_published() {
    let fixture = Fixture::optional().await;
    let (node, person) = (fixture.node, fixture.app.sign_in().await);
    let file = fixture.transfer(&[fixture.coin().await]).await;
    let answer = upload(node, &person, &file, true).await;
    let sentence = refused(&answer, 422, "not-bound");
    assert!(sentence.contains("published"), "{sentence}");
    assert_eq!(person.proofs().await, json!([]));
    // It cannot be published later either.
    assert_eq!(upload(node, &person, &file, false).await.status, 200);
    refused(&upload(node, &person, &file, true).await, 422, "not-bound");
    assert_eq!(published_sats(&fixture.app, &person).await, Value::Null);
}

#[tokio::test]
async fn other_users_read_published_proofs_and_change_nothing() {
    let fixture = Fixture::new().await;
    let app = &fixture.app;
    let (_hal, id, coins, _) = shown(&fixture, 1).await;
    let path = format!("{PROOFS}/{id}");
    // A conflict publishes nothing.
    let eve = app.sign_in().await;
    let second = fixture.bound(&eve, &coins).await;
    let conflict = upload(fixture.node, &eve, &second, true).await;
    assert_eq!(conflict.status, 409);
    let list = app.get(PROOFS).await;
    assert_eq!(list.body["proofs"].as_array().map(Vec::len), Some(1));
    assert_eq!(list.body["proofs"][0]["id"], id);
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

async fn lists_come_by_page_and_by_person(database: TestDatabase) {
    let fixture = fixture(database).await;
    let (app, node) = (&fixture.app, fixture.node);
    let (hal, eve) = (app.sign_in().await, app.sign_in().await);
    let mut ids = Vec::new();
    for person in [&hal, &eve, &hal] {
        let file = fixture.bound(person, &[fixture.coin().await]).await;
        ids.push(published(node, person, &file).await);
        // A proof that is not public.
        let file = fixture.bound(person, &[fixture.coin().await]).await;
        let hidden = upload(node, person, &file, false).await;
        assert_eq!(hidden.body["published"], false);
    }
    for query in ["limit=2", "limit=1", ""] {
        assert_eq!(walk(app, query).await, ids);
    }
    let of_hal = format!("limit=1&profile_id={}", hal.id);
    assert_eq!(walk(app, &of_hal).await, [ids[0].as_str(), &ids[2]]);
    let first = &app.get(PROOFS).await.body["proofs"][0];
    assert_eq!(first["profile_id"], hal.id);
    assert_eq!(first["amount_sats"], COIN.to_sat());
    let profile = hal.profile().await;
    for shown in ["username", "provider", "named"] {
        assert_eq!(first[shown], profile[shown], "{shown}");
    }
    let wrong = "limit=0 limit=1001 after=x profile_id=1 order=id after=%00";
    for wrong in wrong.split(' ') {
        let refused = app.get(&format!("{PROOFS}?{wrong}")).await;
        assert_eq!(refused.status, 400, "{wrong}");
    }
    for nothing in ["x", "%00", "0190d0c2-0000-7000-8000-000000000001"] {
        assert_eq!(proof(app, nothing).await.status, 404, "{nothing}");
    }
}

/// The ids of all pages.
async fn walk(app: &TestApp, query: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut after = String::new();
    loop {
        let page = app.get(&format!("{PROOFS}?{query}{after}")).await.body;
        let proofs = page["proofs"].as_array().unwrap().iter();
        ids.extend(proofs.map(|it| text(&it["id"])));
        let Some(next) = page["next"].as_str() else {
            return ids;
        };
        after = format!("&after={next}");
    }
}

/// A published proof shows its coins, and a range hides them: users must choose (decisions, D17). The database has its own test.
#[tokio::test]
async fn a_range_and_a_published_proof_exclude_each_other() {
    let fixture = Fixture::new().await;
    let (node, person) = (fixture.node, fixture.app.sign_in().await);
    let file = fixture.bound(&person, &[fixture.coin().await]).await;

    assert_eq!(show_as(&person, "range").await, (204, Value::Null));
    let refused = upload(node, &person, &file, true).await;
    assert_eq!(refused.problem(), (422, "range-shown"));
    assert_eq!(person.proofs().await, json!([]));
    // It cannot be published later either while a range is shown.
    let id = id_of(&upload(node, &person, &file, false).await);
    let refused = upload(node, &person, &file, true).await;
    assert_eq!(refused.problem(), (422, "range-shown"));
    assert_eq!(proof(&fixture.app, &id).await.status, 404);

    assert_eq!(show_as(&person, "exact").await.0, 204);
    assert_eq!(published(node, &person, &file).await, id);
    let refused = show_as(&person, "range").await;
    assert_eq!(refused, (409, json!("proofs-published")));
    assert_eq!(person.profile().await["shown_as"], "exact");
    let withdrawn = person.delete(&format!("{PROOFS}/{id}")).await;
    assert_eq!(withdrawn.status, 204);
    assert_eq!(show_as(&person, "range").await.0, 204);
}
