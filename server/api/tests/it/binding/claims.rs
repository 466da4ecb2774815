//! Replay, conflict and repeated failures (rules C3, C6, C7 and C8; decisions, D3).

use verify::binding::NotBound;

use super::*;
use crate::forge::{Lock, Single, signed, spend};
use crate::funding::coins_with;
use crate::support::rooms::submit_as;

/// Rule C3, and {A}, {A, B}, {A}: the same line over the same coins makes the same transaction.
#[tokio::test]
async fn one_signature_cannot_be_renewed_forever() {
    let fixture = Fixture::optional().await;
    let (person, other) = (fixture.app.sign_in().await, fixture.app.sign_in().await);
    let coins = fixture.coins(2).await;
    let one = fixture.bound(&person, &coins[..1]).await;
    let both = fixture.bound(&person, &coins).await;
    let plain = fixture.transfer(&coins[..1]).await;
    for (file, status, binding, active) in [
        (&one, "success", "transaction", 1),
        (&plain, "reverified", "unbound", 1),
        (&plain, "already-verified", "unbound", 1),
        // Its line is still valid, and only the same user's newer proof took its coin. The other one has no line.
        (&one, "reverified", "transaction", 1),
        (&both, "success", "transaction", 1),
        (&one, "reverified", "transaction", 2),
        (&one, "already-verified", "transaction", 2),
        // The first coin has moved to the newer proof, the second one still counts in this one: it is active.
        (&both, "already-verified", "transaction", 2),
    ] {
        fixture.takes(&person, file, status, binding).await;
        let proofs = person.proofs().await;
        let proofs = proofs.as_array().unwrap().iter();
        let count = proofs.filter(|it| it["active"] == true).count();
        assert_eq!(count, active, "{status} {binding}");
    }
    fixture.refuses(&person, &plain, "already-used").await;
    assert_eq!(person.profile().await["bitcoin_holdings"], 0.6);
    // Another user's file.
    fixture.refuses(&other, &one, "other-statement").await;

    // After their end these files prove nothing again.
    fixture.app.state.clock.advance(VALIDITY);
    for file in [&plain, &one, &both] {
        let _still = fixture.node.still().await;
        let outcome = submit_as(&fixture.app.state.proving, &person.id, file).await;
        assert_eq!(outcome.unwrap().recorded, Recorded::Replayed);
    }
    let row = fixture.app.get(&person.row()).await.body[0].take();
    let said = ["verified", "bitcoin_holdings", "rank"].map(|name| &row[name]);
    assert_eq!(json!(said), json!([false, null, null]));
    assert!(row["last_verified"].is_string());
}

/// Rule C3. A file without a statement would fit the next account; one with a statement names its account.
#[tokio::test]
async fn a_file_stays_used_after_its_account_is_deleted() {
    let fixture = Fixture::optional().await;
    let app = &fixture.app;
    let coin = [fixture.coin().await];
    let identity = identity("github", "42");
    let (store, now) = (&app.state.store, app.state.clock.now());
    let for_nobody = fixture.transfer(&coin).await;
    let first = store.sign_in(&identity, now).await.unwrap();
    let proving = &app.state.proving;
    let line = proving.statement(&first.id).await.unwrap();
    let for_first = fixture.still(&coin, line.line()).await;
    let _still = fixture.node.still().await;
    let total_sats = COIN.to_sat().cast_signed();
    for (file, expected) in [
        (&for_nobody, Recorded::Verified { total_sats }),
        (&for_first, Recorded::Reverified { total_sats }),
    ] {
        let outcome = submit_as(proving, &first.id, file).await.unwrap();
        assert_eq!(outcome.recorded, expected);
    }
    store.delete_profile(&first.id, NOW).await.unwrap();
    let gone = submit_as(proving, &first.id, &for_first).await;
    assert_matches!(gone, Err(SubmitError::NoAccount));

    let second = store.sign_in(&identity, now).await.unwrap();
    assert_ne!(second.id, first.id, "a new account");
    let outcome = submit_as(proving, &second.id, &for_nobody).await.unwrap();
    assert_eq!(outcome.recorded, Recorded::Replayed);
    let refused = submit_as(proving, &second.id, &for_first).await;
    let other = SubmitError::NotBound(NotBound::OtherStatement).to_string();
    assert_eq!(refused.unwrap_err().to_string(), other);
}

/// Rule C6: two users can sign for one coin; the second learns only that there is a conflict.
#[tokio::test]
async fn a_conflict_names_nothing() {
    let fixture = Fixture::new().await;
    let (hal, eve) = (fixture.app.sign_in().await, fixture.app.sign_in().await);
    let (shared, own) = (fixture.coin().await, fixture.coin().await);
    let first = fixture.bound(&hal, &[shared]).await;
    fixture.takes(&hal, &first, "success", "transaction").await;
    let second = fixture.bound(&eve, &[own, shared]).await;
    let answer = fixture.submit(&eve, &second).await;
    assert_eq!(answer.status, 409);
    // What to do if she was tricked into signing for the other account (rule C9).
    let message = "Conflict detected. If that account is yours, use it or delete it. If not, move these coins to a new address of yours: the other proof ends with the block that has the payment, and then you can verify them here.";
    let expected = json!({"status": "conflict", "code": "conflict", "message": message});
    assert_eq!(answer.body, expected);
    nothing_recorded(&eve).await;

    // An unsigned file is refused earlier, even when another account claims the coin.
    for coin in [shared, own] {
        let file = fixture.bound(&eve, &[coin]).await;
        let mut unsigned = Psbt::deserialize(&file).unwrap();
        unsigned.inputs[0].final_script_witness = None;
        let unsigned = unsigned.serialize();
        fixture.refuses(&eve, &unsigned, "not-signed").await;
    }
}

/// Decisions, D4: the account that loses a coin learns what happened, but not which account took it.
#[tokio::test]
async fn a_bound_file_takes_over_an_unbound_claim() {
    let fixture = Fixture::optional().await;
    let (hal, eve) = (fixture.app.sign_in().await, fixture.app.sign_in().await);
    let coins = fixture.coins(2).await;
    let unbound = fixture.transfer(&coins).await;
    fixture.takes(&eve, &unbound, "success", "unbound").await;
    // Another unbound file takes nothing from it.
    let other = fixture.transfer(&coins[..1]).await;
    assert_eq!(fixture.submit(&hal, &other).await.status, 409);
    for (coin, active, reason) in [
        (&coins[..1], true, Value::Null),
        (&coins[1..], false, json!("taken-over")),
    ] {
        let file = fixture.bound(&hal, coin).await;
        fixture.takes(&hal, &file, "success", "transaction").await;
        let row = &eve.proofs().await[0];
        let said = (&row["active"], &row["ended_reason"]);
        assert_eq!(said, (&json!(active), &reason));
        if active {
            assert_eq!(row["taken_over_sats"], COIN.to_sat());
        }
        assert!(!row.to_string().contains(&hal.id));
        assert_eq!(eve.profile().await["verified"], active);
    }
}

const GARBAGE: &[u8] = b"psbt\xffgarbage";

/// Rule C8; `store/attempts.rs` counts them. A file that is worth nothing is a failure too (rule A11).
#[tokio::test]
async fn ten_failures_an_hour() {
    let fixture = Fixture::optional().await;
    let (person, other) = (fixture.app.sign_in().await, fixture.app.sign_in().await);
    let owner = Single::new(Lock::Wpkh);
    let nothing = crate::forge::pay(0, owner.script_pubkey());
    let coins = coins_with(fixture.node, vec![nothing.clone()]).await;
    let mut transaction = spend(&coins);
    transaction.output = vec![nothing];
    let worthless = serialize(&signed(&owner, transaction, &coins));
    for _ in 0..5 {
        refused(&person.submit(GARBAGE).await, 400, "could-not-parse");
        let answer = fixture.submit(&person, &worthless).await;
        let said = refused(&answer, 422, "coin-zero-value");
        let part = "Input 1 spends a coin of 0 sats";
        assert!(said.starts_with(part), "{said}");
        assert_eq!(answer.body["input"], 0);
    }
    nothing_recorded(&person).await;
    let file = fixture.bound(&person, &[fixture.coin().await]).await;
    let answer = fixture.submit(&person, &file).await;
    let said = refused(&answer, 429, "too-many-attempts");
    assert!(said.contains("minutes"), "{said}");
    // The limit is for this account only.
    refused(&other.submit(GARBAGE).await, 400, "could-not-parse");
    let wait: i64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=60 * 60).contains(&wait));
    fixture.app.state.clock.advance(wait);
    // Successes do not count, however many.
    fixture
        .takes(&person, &file, "success", "transaction")
        .await;
    let again = "already-verified";
    for _ in 0..15 {
        fixture.takes(&person, &file, again, "transaction").await;
    }
}
