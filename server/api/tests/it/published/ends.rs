//! When a proof is published no more: what was published is deleted.

use chain::clock::DAY;
use store::claims::change::{ClaimChanges, Funding};

use super::*;
use crate::jobs::set_tier;

on_both!(
    when_it_is_withdrawn_or_the_account_is_deleted,
    when_its_time_is_over,
    with_its_last_coin_and_not_before,
    when_a_newer_proof_takes_its_place,
    not_when_premium_renews_it,
    and_does_not_come_back_with_a_reorganisation,
);

/// Nothing is left of it, here and for others.
async fn gone(app: &TestApp, id: &str) {
    assert_eq!(proof(app, id).await.status, 404);
    let list = app.get(PROOFS).await.body;
    assert!(!list.to_string().contains(id), "{list}");
    let kept = app.state.store.published_proof(id).await.unwrap();
    assert_eq!(kept, None);
}

async fn is_kept(app: &TestApp, person: &Person<'_>) -> usize {
    let kept = app.state.store.recorded_publications(&person.id);
    kept.await.unwrap().len()
}

async fn when_it_is_withdrawn_or_the_account_is_deleted(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_with(database, node, &[]).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = bound(&app, &person, &wallet, &[coin]).await;
    let id = published(node, &person, &file).await;
    let before = app.state.live.sequence();
    let path = format!("{PROOFS}/{id}");
    let withdrawn = answer(person.request(Method::DELETE, &path)).await;
    assert_eq!(withdrawn.status, 204);
    // Open pages learn of it.
    until("telling", async || {
        (app.state.live.sequence() > before).then_some(())
    })
    .await;
    gone(&app, &id).await;
    assert_eq!(is_kept(&app, &person).await, 0);
    assert_eq!(published_sats(&app, &person).await, Value::Null);
    assert_eq!(person.proofs().await[0]["published"], false);
    assert_eq!(
        person.profile().await["bitcoin_holdings"],
        0.3,
        "it counts all the same"
    );
    let again = answer(person.request(Method::DELETE, &path)).await;
    assert_eq!(again.status, 404);

    let id = published(node, &person, &file).await;
    let delete = "/api/functions/v1/delete-account";
    assert_eq!(
        answer(person.request(Method::POST, delete)).await.status,
        200
    );
    gone(&app, &id).await;
    assert_eq!(is_kept(&app, &person).await, 0);
}

async fn when_its_time_is_over(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_with(database, node, &[]).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = bound(&app, &person, &wallet, &[coin]).await;
    let id = published(node, &person, &file).await;
    app.state.clock.advance(VALIDITY - 1);
    assert_eq!(proof(&app, &id).await.status, 200);
    app.state.clock.advance(1);
    gone(&app, &id).await;
    assert_eq!(is_kept(&app, &person).await, 0);
    assert_eq!(published_sats(&app, &person).await, Value::Null);
}

/// The coins of an input list that count.
fn counting(proof: &Value) -> Vec<bool> {
    let inputs = proof["inputs"].as_array().unwrap().iter();
    inputs
        .filter_map(|input| input["counts"].as_bool())
        .collect()
}

async fn with_its_last_coin_and_not_before(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_with(database, node, &[]).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_all(&[(AddressType::Bech32, COIN), (AddressType::Bech32m, COIN)])
        .await;
    let file = bound(&app, &person, &wallet, &coins).await;
    let id = published(node, &person, &file).await;
    spend(node, &app, &wallet, coins[0]).await;
    let shown = proof(&app, &id).await.body;
    let which = |coin: OutPoint| coin != coins[0];
    let inputs = shown["inputs"].as_array().unwrap().len();
    assert_eq!(counting(&shown).len(), inputs);
    for input in shown["inputs"].as_array().unwrap() {
        let txid = input["txid"].as_str().unwrap().parse().unwrap();
        let vout = u32::try_from(input["vout"].as_u64().unwrap()).unwrap();
        assert_eq!(input["counts"], which(OutPoint::new(txid, vout)));
    }
    assert_eq!(published_sats(&app, &person).await, COIN.to_sat());
    let listed = &app.get(PROOFS).await.body["proofs"][0];
    assert_eq!(listed["amount_sats"], COIN.to_sat());
    spend(node, &app, &wallet, coins[1]).await;
    gone(&app, &id).await;
    assert_eq!(is_kept(&app, &person).await, 0);
    assert_eq!(published_sats(&app, &person).await, Value::Null);
}

async fn spend(
    node: &Node,
    app: &TestApp,
    wallet: &crate::support::node::Wallet<'_>,
    coin: OutPoint,
) {
    let spender = wallet.spend(&[coin]).await;
    node.confirm(&[spender.compute_txid()]).await;
    let _still = node.still().await;
    app.state.follower.advance(api::follow::ALL).await.unwrap();
}

async fn when_a_newer_proof_takes_its_place(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_with(database, node, &[]).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_all(&[(AddressType::Bech32, COIN), (AddressType::Bech32m, COIN)])
        .await;
    let old = bound(&app, &person, &wallet, &coins).await;
    let id = published(node, &person, &old).await;
    // A part of it: what is left stays published.
    let part = bound(&app, &person, &wallet, &coins[..1]).await;
    let answer = upload(node, &person, &part, false).await;
    assert_eq!(answer.body["status"], "reverified", "{answer:?}");
    let shown = proof(&app, &id).await.body;
    assert_eq!(counting(&shown).iter().filter(|it| **it).count(), 1);
    assert_eq!(published_sats(&app, &person).await, COIN.to_sat());
    let rest = bound(&app, &person, &wallet, &coins[1..]).await;
    let newer = published(node, &person, &rest).await;
    gone(&app, &id).await;
    assert_eq!(is_kept(&app, &person).await, 1);
    assert_eq!(proof(&app, &newer).await.status, 200);
    assert_eq!(published_sats(&app, &person).await, COIN.to_sat());
    // While its line is open it may count again, as another proof.
    let again = published(node, &person, &old).await;
    assert_ne!(again, id);
    gone(&app, &id).await;
    gone(&app, &newer).await;
    assert_eq!(published_sats(&app, &person).await, 2 * COIN.to_sat());
}

async fn not_when_premium_renews_it(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_with(database, node, &[]).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = bound(&app, &person, &wallet, &[coin]).await;
    let id = published(node, &person, &file).await;
    let before = proof(&app, &id).await.body;
    set_tier(&app.state.store, &person.id, "premium").await;
    app.state.clock.advance(2 * DAY);
    {
        let _still = node.still().await;
        assert_eq!(app.state.proving.reverify_some().await.unwrap(), 1);
    }
    let after = proof(&app, &id).await.body;
    assert_ne!(after["expires_at"], before["expires_at"]);
    for same in [
        "created_at",
        "published_at",
        "statement",
        "transaction",
        "inputs",
    ] {
        assert_eq!(after[same], before[same], "{same}");
    }
}

/// The board says what is proven; what is published is its owner's to say again.
async fn and_does_not_come_back_with_a_reorganisation(database: TestDatabase) {
    let node = Node::shared().await;
    let app = app_with(database, node, &[]).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    let file = bound(&app, &person, &wallet, &[coin]).await;
    let id = published(node, &person, &file).await;
    let (store, now) = (&app.state.store, app.state.clock.now());
    let still = node.still().await;
    app.state.follower.advance(api::follow::ALL).await.unwrap();
    let at = store.cursor("regtest").await.unwrap().unwrap().block;
    let all = store.live_claims_after("regtest", "", 10).await.unwrap();
    let undone = ClaimChanges {
        undone: all.iter().map(|claim| claim.id.clone()).collect(),
        ..ClaimChanges::default()
    };
    store
        .change_claims("regtest", &at, &undone, now)
        .await
        .unwrap();
    gone(&app, &id).await;
    let back = all.iter().map(|claim| Funding {
        claim: claim.id.clone(),
        height: Some(at.height),
        block: at.hash.clone(),
    });
    let back = ClaimChanges {
        back: back.collect(),
        ..ClaimChanges::default()
    };
    store
        .change_claims("regtest", &at, &back, now)
        .await
        .unwrap();
    assert_eq!(person.profile().await["verified"], true);
    gone(&app, &id).await;
    drop(still);
    let again = published(node, &person, &file).await;
    assert_eq!(again, id);
    assert_eq!(proof(&app, &id).await.status, 200);
}
