//! Replay and conflict (rules C3, C6 and C7; decisions, D3).

use api::proof::{Outcome, Sender, Submission};
use verify::binding::NotBound;

use super::*;

/// Rule C3.
#[tokio::test]
async fn one_signature_does_not_renew_for_ever() {
    let scene = Scene::optional().await;
    let app = &scene.app;
    let person = app.sign_in().await;
    let coin = [scene.coin().await];
    let file = scene.bound(&person, &coin).await;
    let second = scene.transfer(&coin, 1_000).await;
    for (file, status, binding) in [
        (&file, "success", "transaction"),
        (&second, "reverified", "unbound"),
        (&second, "already-verified", "unbound"),
        // Its line is still valid, and only the same user's newer proof took its coin. The other one has no line.
        (&file, "reverified", "transaction"),
    ] {
        scene.takes(&person, file, status, binding).await;
        let proofs = person.proofs().await;
        let proofs = proofs.as_array().unwrap();
        let active = proofs.iter().filter(|it| it["active"] == true);
        assert_eq!(active.count(), 1, "{proofs:?}");
    }
    scene.refuses(&person, &second, "already-used").await;

    // Not after its end.
    scene.used_up(&person, &[&second, &file]).await;
    let row = &app.get("/api/rest/v1/profiles").await.body[0];
    assert_eq!(
        (&row["verified"], &row["bitcoin_holdings"], &row["rank"]),
        (&json!(false), &Value::Null, &Value::Null)
    );
    assert!(row["last_verified"].is_string());
}

/// {A}, {A, B}, {A}: the same line over the same coins makes the same transaction.
#[tokio::test]
async fn coins_are_proven_again_without_another_within_one_period() {
    let scene = Scene::new().await;
    let (person, other) = (scene.app.sign_in().await, scene.app.sign_in().await);
    let coins = scene.coins(2).await;
    let one = scene.bound(&person, &coins[..1]).await;
    let both = scene.bound(&person, &coins).await;
    for (file, status) in [
        (&one, "success"),
        (&both, "success"),
        (&one, "reverified"),
        (&one, "already-verified"),
        // The first coin has moved to the newer proof, the second one still counts in this one: it is active.
        (&both, "already-verified"),
    ] {
        scene.takes(&person, file, status, "transaction").await;
    }
    assert_eq!(person.profile().await["bitcoin_holdings"], 0.6);
    // Another user's file.
    scene.refuses(&other, &one, "other-statement").await;
    scene.used_up(&person, &[&one, &both]).await;
}

impl Scene<'_> {
    /// After their end these files prove nothing again.
    async fn used_up(&self, person: &Person<'_>, files: &[&[u8]]) {
        self.app.state.clock.advance(VALIDITY);
        let _still = self.node.still().await;
        for file in files {
            let outcome = submit_as(&self.app, &person.id, file).await.unwrap();
            assert_eq!(outcome.recorded, Recorded::Replayed);
        }
    }
}

/// A request's effect for users without a session.
async fn submit_as(app: &TestApp, user_id: &str, file: &[u8]) -> Result<Outcome, SubmitError> {
    let sender = Sender {
        user_id: user_id.to_owned(),
        address: None,
    };
    let submission = Submission {
        psbt_base64: STANDARD.encode(file),
        hints: Vec::new(),
        file_name: "a.psbt".to_owned(),
        publish: false,
    };
    app.state.proving.submit(&sender, submission).await
}

/// Rule C3. A file without a statement would fit the next account; one with a statement names its account.
#[tokio::test]
async fn deleting_the_account_does_not_make_a_file_new() {
    let scene = Scene::optional().await;
    let app = &scene.app;
    let coin = [scene.coin().await];
    let identity = identity("github", "42");
    let (store, now) = (&app.state.store, app.state.clock.now());
    let for_nobody = scene.transfer(&coin, 1_000).await;
    let first = store.sign_in(&identity, now).await.unwrap();
    let line = app.state.proving.statement(&first).await.unwrap();
    let for_first = scene.still(&coin, line.line()).await;
    let _still = scene.node.still().await;
    let total_sats = i64::try_from(COIN.to_sat()).unwrap();
    for (file, expected) in [
        (&for_nobody, Recorded::Verified { total_sats }),
        (&for_first, Recorded::Reverified { total_sats }),
    ] {
        let outcome = submit_as(app, &first.id, file).await.unwrap();
        assert_eq!(outcome.recorded, expected);
    }
    store.delete_profile(&first.id).await.unwrap();
    let gone = submit_as(app, &first.id, &for_first).await;
    assert_matches!(gone, Err(SubmitError::NoAccount));

    let second = store.sign_in(&identity, now).await.unwrap();
    assert_ne!(second.id, first.id, "a new account");
    let outcome = submit_as(app, &second.id, &for_nobody).await.unwrap();
    assert_eq!(outcome.recorded, Recorded::Replayed);
    let refused = submit_as(app, &second.id, &for_first).await;
    let other = SubmitError::NotBound(NotBound::OtherStatement).to_string();
    assert_eq!(refused.unwrap_err().to_string(), other);
}

/// Rule C6: two users can sign for one coin; the second learns only that there is a conflict.
#[tokio::test]
async fn a_conflict_names_nothing() {
    let scene = Scene::new().await;
    let (hal, eve) = (scene.app.sign_in().await, scene.app.sign_in().await);
    let (shared, own) = (scene.coin().await, scene.coin().await);
    let first = scene.bound(&hal, &[shared]).await;
    scene.takes(&hal, &first, "success", "transaction").await;
    let second = scene.bound(&eve, &[own, shared]).await;
    let answer = scene.submit(&eve, &second).await;
    assert_eq!(answer.status, 409);
    // What to do if she was tricked into signing for the other account (rule C9).
    let message = "Conflict detected. If the other account is yours too, go on there. If you did not sign for another account, move these coins to a new address of yours: the other proof ends with the block that has the payment, and then you can prove them here.";
    let expected = json!({"status": "conflict", "code": "conflict", "message": message});
    assert_eq!(answer.body, expected);
    nothing_recorded(&eve).await;

    // An unsigned file is refused earlier, even when another account claims the coin.
    for coin in [shared, own] {
        let file = scene.bound(&eve, &[coin]).await;
        let mut unsigned = bitcoin::Psbt::deserialize(&file).unwrap();
        unsigned.inputs[0].final_script_witness = None;
        let unsigned = unsigned.serialize();
        scene.refuses(&eve, &unsigned, "not-signed").await;
    }
}

/// Decisions, D4: the account that loses a coin learns what happened, but not which account took it.
#[tokio::test]
async fn a_bound_file_takes_over_what_an_unbound_one_claimed() {
    let scene = Scene::optional().await;
    let (hal, eve) = (scene.app.sign_in().await, scene.app.sign_in().await);
    let coins = scene.coins(2).await;
    let unbound = scene.transfer(&coins, 1_000).await;
    scene.takes(&eve, &unbound, "success", "unbound").await;
    // Another unbound file takes nothing from it.
    let other = scene.transfer(&coins[..1], 1_000).await;
    assert_eq!(scene.submit(&hal, &other).await.status, 409);
    for (coin, active, reason) in [
        (&coins[..1], true, Value::Null),
        (&coins[1..], false, json!("taken-over")),
    ] {
        let file = scene.bound(&hal, coin).await;
        scene.takes(&hal, &file, "success", "transaction").await;
        let row = &eve.proofs().await[0];
        assert_eq!(
            (&row["active"], &row["ended_reason"]),
            (&json!(active), &reason)
        );
        if active {
            assert_eq!(row["taken_over_sats"], COIN.to_sat());
        }
        assert!(!row.to_string().contains(&hal.id));
        assert_eq!(eve.profile().await["verified"], active);
    }
}
