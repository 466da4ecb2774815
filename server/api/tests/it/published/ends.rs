//! When a publication ends, the published data is deleted.

use super::*;
use crate::store::aside::{back, undone};

on_both!(
    a_publication_ends_when_withdrawn_or_with_the_account,
    when_its_time_is_over,
    a_publication_ends_with_its_last_coin,
    a_publication_ends_when_a_newer_proof_replaces_it,
    not_when_premium_renews_it,
    a_publication_does_not_return_with_a_reorganization,
);

/// It is no longer public.
async fn unseen(app: &TestApp, id: &str) {
    assert_eq!(proof(app, id).await.status, 404);
    let list = app.get(PROOFS).await.body;
    assert!(!list.to_string().contains(id), "{list}");
    let kept = app.state.store.published_proof(id).await.unwrap();
    assert_eq!(kept, None);
}

/// None of its data is left, and nothing else of this user is published.
async fn gone(app: &TestApp, person: &Person<'_>, id: &str) {
    unseen(app, id).await;
    assert_eq!(is_kept(app, person).await, 0);
    assert_eq!(published_sats(app, person).await, Value::Null);
}

async fn is_kept(app: &TestApp, person: &Person<'_>) -> usize {
    let kept = app.state.store.published_proofs(Some(&person.id), "", 9);
    kept.await.unwrap().len()
}

async fn a_publication_ends_when_withdrawn_or_with_the_account(database: TestDatabase) {
    let fixture = fixture(database).await;
    let app = &fixture.app;
    let (person, id, _, file) = &shown(&fixture, 1).await;
    let before = app.state.live.sequence();
    let path = format!("{PROOFS}/{id}");
    let withdraw = async || person.delete(&path).await.status;
    assert_eq!(withdraw().await, 204);
    // Open pages are notified.
    wait_until("telling", async || app.state.live.sequence() > before).await;
    gone(app, person, id).await;
    assert_eq!(person.proofs().await[0]["published"], false);
    let holdings = &person.profile().await["bitcoin_holdings"];
    assert_eq!(*holdings, 0.3, "it still counts");
    assert_eq!(withdraw().await, 404);

    let id = published(fixture.node, person, file).await;
    assert_eq!(person.delete_account().await.status, 200);
    unseen(app, &id).await;
    assert_eq!(is_kept(app, person).await, 0);
}

async fn when_its_time_is_over(database: TestDatabase) {
    let fixture = fixture(database).await;
    let app = &fixture.app;
    let (person, id, ..) = shown(&fixture, 1).await;
    app.state.clock.advance(VALIDITY - 1);
    assert_eq!(proof(app, &id).await.status, 200);
    app.state.clock.advance(1);
    gone(app, &person, &id).await;
}

/// The published proof has these coins that count, and the board counts them.
async fn counts(app: &TestApp, person: &Person<'_>, id: &str, coins: &[OutPoint]) {
    let proof = proof(app, id).await.body;
    let inputs = proof["inputs"].as_array().unwrap().iter();
    let counting = inputs.filter(|input| input["counts"] == true);
    let counting = counting.map(|it| format!("{}:{}", text(&it["txid"]), it["vout"]));
    let coins = coins.iter().map(ToString::to_string);
    assert_eq!(counting.collect::<Vec<_>>(), coins.collect::<Vec<_>>());
    assert_eq!(published_sats(app, person).await, COIN.to_sat());
}

async fn a_publication_ends_with_its_last_coin(database: TestDatabase) {
    let fixture = fixture(database).await;
    let app = &fixture.app;
    let (person, id, coins, _) = &shown(&fixture, 2).await;
    let spend = async |coin: OutPoint| {
        fixture.wallet.spend_in_block(&[coin]).await;
        let _still = fixture.node.still().await;
        app.state
            .proving
            .follower
            .advance(api::chain_follower::ALL)
            .await
            .unwrap();
    };
    spend(coins[0]).await;
    counts(app, person, id, &coins[1..]).await;
    let listed = &app.get(PROOFS).await.body["proofs"][0];
    assert_eq!(listed["amount_sats"], COIN.to_sat());
    spend(coins[1]).await;
    gone(app, person, id).await;
}

async fn a_publication_ends_when_a_newer_proof_replaces_it(database: TestDatabase) {
    let fixture = fixture(database).await;
    let app = &fixture.app;
    let node = fixture.node;
    let (person, id, coins, file) = &shown(&fixture, 2).await;
    // Only some of its coins are spent: the rest stays published.
    let part = fixture.bound(person, &coins[..1]).await;
    let answer = upload(node, person, &part, false).await;
    assert_eq!(answer.body["status"], "reverified", "{answer:?}");
    counts(app, person, id, &coins[1..]).await;
    let rest = fixture.bound(person, &coins[1..]).await;
    let newer = published(node, person, &rest).await;
    unseen(app, id).await;
    assert_eq!(is_kept(app, person).await, 1);
    counts(app, person, &newer, &coins[1..]).await;
    // While its statement is valid, the file may count again as a new proof.
    let again = published(node, person, file).await;
    assert_ne!(again, *id);
    unseen(app, id).await;
    unseen(app, &newer).await;
    assert_eq!(published_sats(app, person).await, 2 * COIN.to_sat());
}

async fn not_when_premium_renews_it(database: TestDatabase) {
    let fixture = fixture(database).await;
    let app = &fixture.app;
    let (person, id, ..) = shown(&fixture, 1).await;
    let before = proof(app, &id).await.body;
    set_tier(&app.state.store, &person.id, "premium").await;
    app.state.clock.advance(2 * DAY);
    let still = fixture.node.still().await;
    let verified = app.state.proving.reverify_due().await.unwrap();
    assert_eq!(verified, Next::AtOnce);
    drop(still);
    let mut after = proof(app, &id).await.body;
    assert_ne!(after["expires_at"], before["expires_at"]);
    after["expires_at"] = before["expires_at"].clone();
    assert_eq!(after, before);
}

/// A reorganization restores what is proven, but not its publication: only the owner publishes.
async fn a_publication_does_not_return_with_a_reorganization(database: TestDatabase) {
    let fixture = fixture(database).await;
    let app = &fixture.app;
    let node = fixture.node;
    let (person, id, _, file) = &shown(&fixture, 1).await;
    let (store, now) = (&app.state.store, app.state.clock.now());
    let still = node.still().await;
    app.state
        .proving
        .follower
        .advance(api::chain_follower::ALL)
        .await
        .unwrap();
    let at = store.cursor("regtest").await.unwrap().unwrap().block;
    let all = store.live_claims_after("regtest", "", 10).await.unwrap();
    let all: Vec<String> = all.into_iter().map(|claim| claim.id).collect();
    for changes in [undone(&all), back(&all)] {
        let changed = store.change_claims("regtest", &at, &changes, now).await;
        changed.unwrap();
        unseen(app, id).await;
    }
    assert_eq!(person.profile().await["verified"], true);
    drop(still);
    assert_eq!(published(node, person, file).await, *id);
    assert_eq!(proof(app, id).await.status, 200);
}
