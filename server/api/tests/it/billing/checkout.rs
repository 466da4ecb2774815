//! From the plan page to Stripe's payment page.

use super::*;

on_both!(two_concurrent_checkouts_make_one_customer);

#[tokio::test]
async fn a_purchase_makes_its_buyer_premium() {
    let fixture = Fixture::on_sqlite().await;
    let config = fixture.app.get("/api/functions/v1/app-config").await;
    assert_eq!(config.body["premium"], true);
    let buyer = fixture.app.sign_in().await;
    let page = buy(&buyer).await.ok();
    {
        let world = fixture.stripe.world();
        let checkout = &world.checkouts[checkout_of(&page)];
        let origin = &fixture.app.origin;
        assert_eq!(checkout["success_url"], format!("{origin}/profile"));
        assert_eq!(checkout["cancel_url"], format!("{origin}/choose-plan"));
        assert_eq!(checkout["price"], PRICE);
        // No id at Stripe leads to the account.
        let known = format!("{:?}{:?}", world.customers, world.checkouts);
        assert!(!known.contains(&buyer.id), "{known}");
    }
    assert_eq!(tier(&buyer).await, "none", "nothing has been paid");

    let subscription = fixture.stripe.pay(checkout_of(&page));
    let response = fixture.tell(CREATED, &subscription).await;
    assert_eq!(response.body["received"], true);
    assert_eq!(tier(&buyer).await, "premium");

    let again = buy(&buyer).await;
    assert_eq!(again.problem(), (409, "already-premium"));
    assert_eq!(again.body["error"], "You already have the premium plan.");
}

/// Two clicks, the second one a minute later, while Stripe has not answered the first click's request. Stripe treats calls of
/// two minutes as two calls, and answers the first one late.
async fn two_concurrent_checkouts_make_one_customer(database: TestDatabase) {
    let fixture = Fixture::open(database, &[]).await;
    let buyer = fixture.app.sign_in().await;
    let gate = Gate::default();
    fixture.stripe.world().gate = Some(("/customers", gate.clone()));
    let later = async {
        gate.arrived.notified().await;
        fixture.advance(60);
        let page = buy(&buyer).await;
        gate.open.notify_one();
        page
    };
    let (first, second) = tokio::join!(buy(&buyer), later);
    {
        let world = fixture.stripe.world();
        let [first, second] = [&first, &second].map(|page| &world.checkouts[checkout_of(page)]);
        assert_eq!(first["customer"], second["customer"]);
        let there = world.customers.values().filter(|it| it["deleted"] != true);
        assert_eq!(there.count(), 1, "the other is not left behind");
    }
    let kept = "billing_accounts where customer_id is not null";
    assert_eq!(fixture.count(kept).await, 1);
    // The user becomes premium whichever page the payment is made at.
    fixture
        .created(&fixture.stripe.pay(checkout_of(&first)))
        .await;
    assert_eq!(tier(&buyer).await, "premium");
    assert_eq!(buy(&buyer).await.body["code"], "already-premium");
}

/// An event is late, or the bank is slow: the subscription exists, but is not paid for yet.
#[tokio::test]
async fn a_payment_whose_event_is_late_or_that_is_under_way_is_noticed() {
    let fixture = Fixture::on_sqlite().await;
    let (buyer, _) = fixture.subscriber().await;
    assert_eq!(tier(&buyer).await, "none");
    assert_eq!(buy(&buyer).await.body["code"], "already-premium");
    assert_eq!(tier(&buyer).await, "premium");

    let (buyer, subscription) = fixture.subscriber().await;
    fixture.set(&subscription, "incomplete");
    assert_eq!(buy(&buyer).await.problem(), (409, "payment-pending"));
    fixture.created(&subscription).await;
    assert_eq!(buy(&buyer).await.problem(), (409, "payment-pending"));
    assert_eq!(fixture.stripe.world().checkouts.len(), 2);
    fixture.set(&subscription, "incomplete_expired");
    fixture.advance(60);
    buy(&buyer).await.ok();
}

#[tokio::test]
async fn a_customer_deleted_at_the_provider_is_replaced() {
    let fixture = Fixture::on_sqlite().await;
    let buyer = fixture.app.sign_in().await;
    buy(&buyer).await.ok();
    for customer in fixture.stripe.world().customers.values_mut() {
        customer["deleted"] = json!(true);
    }
    assert_eq!(buy(&buyer).await.status, 503);
    buy(&buyer).await.ok();
    assert_eq!(fixture.stripe.world().customers.len(), 2);
}

#[tokio::test]
async fn the_session_decides_who_buys() {
    let fixture = Fixture::on_sqlite().await;
    let (hal, eve) = (fixture.app.sign_in().await, fixture.app.sign_in().await);
    let body = json!({"user_id": hal.id, "email": null});
    assert_eq!(fixture.app.post(CHECKOUT, body.clone()).await.status, 401);
    let as_eve = eve.post(CHECKOUT, body).await;
    assert_eq!(as_eve.status, 403);
    assert!(as_eve.body["error"].is_string());
    assert_eq!(fixture.calls(), 0);
    assert_eq!(hal.post(CHECKOUT, json!({})).await.status, 200);
}

#[tokio::test]
async fn stripe_errors_are_temporary() {
    let fixture = Fixture::on_sqlite().await;
    let buyer = fixture.app.sign_in().await;
    for status in [429, 500] {
        fixture.fail(Some(status));
        let refused = buy(&buyer).await;
        assert_eq!(refused.status, 503);
        assert_eq!(refused.body["error"], "Stripe session error");
        fixture.fail(None);
        // Stripe repeats its own failure as long as the same key is used.
        fixture.advance(60);
    }
    // Purchases are begun twenty times an hour.
    fixture.advance(60 * 60);
    let buyer = fixture.app.still_signed_in(&buyer).await;
    for _ in 0..20 {
        buy(&buyer).await.ok();
    }
    assert_eq!(buy(&buyer).await.problem(), (429, "too-many-requests"));
}
