//! This release continues with a board of the previous release.

use super::*;
use crate::store::migrations::{at_version, close, run, texts};

on_both!(a_board_that_was_written_before_this_release_goes_on);

/// A complete database of commit 6749a28, which had the schema of 0021.
const WRITTEN: &str = include_str!("written_by_6749a28.sql");

/// The time after all of that.
const LATER: i64 = 1_795_500_000;

const HAL: &str = "abf2d01b-c75f-4da4-aacb-b938dffbc9fe";
const ADA: &str = "36acc8ba-57bc-49e2-849c-648d12a921e8";
const ZOE: &str = "1ddf1f9c-349e-421a-b611-8dfa4d236c01";
const KAY: &str = "1daa70e8-95eb-4404-bf10-1275128945bc";
const LOU: &str = "33b83f2a-11d7-4e9f-a8d2-1051779d38ea";

async fn a_board_that_was_written_before_this_release_goes_on(database: TestDatabase) {
    let before = at_version(21, &database).await;
    run(&before, WRITTEN).await.unwrap();
    let entries = "select entry from log_entries order by number";
    let logged = texts(&before, entries).await;
    let published = "select final_transaction || statement || nonce from published_proofs where user_id = 'abf2d01b-c75f-4da4-aacb-b938dffbc9fe'";
    let proof = texts(&before, published).await;
    close(before).await;

    let app = TestApp::start(database, &["--public-url=http://127.0.0.1:8471"]).await;
    app.state.clock.advance(LATER - NOW);
    let store = &app.state.store;
    let hold = async |id: &str, btc: Value, published_sats: Value| {
        let row = app.person(id, "").row();
        let row = app.get(&row).await.body[0].take();
        let sums = (&row["bitcoin_holdings"], &row["published_sats"]);
        assert_eq!(sums, (&btc, &published_sats), "{id}");
    };
    hold(HAL, json!(3.5), json!(225_000_000)).await;
    hold(ADA, json!(1.0), Value::Null).await;
    // Zoe published 0 and 5,000 sats, Kay renewed all but a coin of 0 sats, and Lou has only a coin of 0 sats left.
    hold(ZOE, json!(0.00005), Value::Null).await;
    hold(KAY, json!(0.000_007), Value::Null).await;
    hold(LOU, Value::Null, Value::Null).await;
    let living = "select cast(value_sats as text) from claims where ended_at is null and value_sats < 10000 order by claims.value_sats";
    assert_eq!(texts(store.database(), living).await, ["700", "5000"]);
    for (id, expected) in [(KAY, &[None, Some("renewed")][..]), (LOU, &[Some("spent")])] {
        let proofs = store.proofs(id, 10, 0).await.unwrap();
        let reasons = proofs.iter().map(|it| it.ended_reason.as_deref());
        assert_eq!(reasons.collect::<Vec<_>>(), expected);
    }

    // Published proofs are unchanged and still public.
    assert_eq!(texts(store.database(), published).await, proof);
    let list = app.get("/api/functions/v1/proofs").await.body["proofs"].take();
    assert_eq!(list.as_array().map(Vec::len), Some(1), "{list}");
    let id = list[0]["id"].as_str().unwrap();
    let shown = app.get(&format!("/api/functions/v1/proofs/{id}")).await;
    assert_eq!(shown.body["profile"]["id"], HAL, "{shown:?}");

    // Zoe's last coin is spent, which blocks nothing.
    let at = store.cursor("regtest").await.unwrap().unwrap().block;
    let claims = store.live_claims_of("regtest", &[ZOE.to_owned()]).await;
    let changes = ClaimChanges {
        spent: claims.unwrap().into_iter().map(|claim| claim.id).collect(),
        ..ClaimChanges::default()
    };
    let changed = store.change_claims("regtest", &at, &changes, LATER).await;
    assert_eq!(changed.unwrap(), Some(1));
    hold(ZOE, Value::Null, Value::Null).await;
    assert_eq!(store.set_aside().await.unwrap(), 0);

    // The previous log has ended, stays readable, and a new one has begun.
    let (size, ended) = whole_log(&app.origin).await;
    assert_eq!((size, &ended[2]["kind"]), (3, &json!("end")));
    let first = "select entry from log_entries where log = 1 order by number";
    let first = texts(store.database(), first).await;
    assert_eq!((first.len(), &first[..2]), (3, &logged[..]));
    let (size, second) = whole_log_at(&app.origin, "2/").await;
    assert_eq!((size, &second[0]["log"]), (1, &json!(2)));
    let last = text(&app.origin, "checkpoint").await;
    assert_eq!(second[0]["before"], json!(last));
    let config = app.get("/api/functions/v1/app-config").await.body;
    assert_eq!(config["log"], "/log/2");
    // Users can prove.
    let person = app.sign_in().await;
    person.proves("self-transfer.psbt").await;
    log(&app).await;
    let (size, second) = whole_log_at(&app.origin, "2/").await;
    assert_eq!((size, &second[2]["kind"]), (3, &json!("board")));
}
