//! From the plan page to Stripe's payment page.

use super::*;

on_both!(two_clicks_make_one_customer);

#[tokio::test]
async fn a_purchase_makes_its_buyer_premium() {
    let shop = Shop::on_sqlite().await;
    let config = shop.app.get("/api/functions/v1/app-config").await;
    assert_eq!(config.body["premium"], true);
    let buyer = shop.app.sign_in().await;
    let page = buy(&buyer).await.ok();
    {
        let world = shop.stripe.world();
        let checkout = &world.checkouts[checkout_of(&page)];
        let origin = &shop.app.origin;
        assert_eq!(checkout["success_url"], format!("{origin}/profile"));
        assert_eq!(checkout["cancel_url"], format!("{origin}/choose-plan"));
        assert_eq!(checkout["price"], PRICE);
        // No id at Stripe leads to the account.
        let known = format!("{:?}{:?}", world.customers, world.checkouts);
        assert!(!known.contains(&buyer.id), "{known}");
    }
    assert_eq!(tier(&buyer).await, "none", "nothing has been paid");

    let subscription = shop.stripe.pay(checkout_of(&page));
    let told = shop.tell(CREATED, &subscription).await;
    assert_eq!(told.body["received"], true);
    assert_eq!(tier(&buyer).await, "premium");

    let again = buy(&buyer).await;
    assert_eq!(again.problem(), (409, "already-premium"));
    assert_eq!(again.body["error"], "You already have the premium plan.");
}

/// Two clicks, the second one a minute later, while Stripe has not answered the first click's request. Stripe treats calls of
/// two minutes as two calls, and answers the first one late.
async fn two_clicks_make_one_customer(database: TestDatabase) {
    let shop = Shop::open(database, &[]).await;
    let buyer = shop.app.sign_in().await;
    let gate = Gate::default();
    shop.stripe.world().gate = Some(("/customers", gate.clone()));
    let later = async {
        gate.arrived.notified().await;
        shop.advance(60);
        let page = buy(&buyer).await;
        gate.open.notify_one();
        page
    };
    let (first, second) = tokio::join!(buy(&buyer), later);
    {
        let world = shop.stripe.world();
        let [first, second] = [&first, &second].map(|page| &world.checkouts[checkout_of(page)]);
        assert_eq!(first["customer"], second["customer"]);
        let there = world.customers.values().filter(|it| it["deleted"] != true);
        assert_eq!(there.count(), 1, "the other is not left behind");
    }
    let kept = "billing_accounts where customer_id is not null";
    assert_eq!(shop.count(kept).await, 1);
    // The user becomes premium whichever page the payment is made at.
    shop.created(&shop.stripe.pay(checkout_of(&first))).await;
    assert_eq!(tier(&buyer).await, "premium");
    assert_eq!(buy(&buyer).await.body["code"], "already-premium");
}

/// An event is late, or the bank is slow: the subscription exists, but is not paid for yet.
#[tokio::test]
async fn a_payment_whose_event_is_late_or_that_is_under_way_is_noticed() {
    let shop = Shop::on_sqlite().await;
    let (buyer, _) = shop.subscriber().await;
    assert_eq!(tier(&buyer).await, "none");
    assert_eq!(buy(&buyer).await.body["code"], "already-premium");
    assert_eq!(tier(&buyer).await, "premium");

    let (buyer, subscription) = shop.subscriber().await;
    shop.set(&subscription, "incomplete");
    assert_eq!(buy(&buyer).await.problem(), (409, "payment-pending"));
    shop.created(&subscription).await;
    assert_eq!(buy(&buyer).await.problem(), (409, "payment-pending"));
    assert_eq!(shop.stripe.world().checkouts.len(), 2);
    shop.set(&subscription, "incomplete_expired");
    shop.advance(60);
    buy(&buyer).await.ok();
}

#[tokio::test]
async fn a_customer_deleted_at_the_provider_is_replaced() {
    let shop = Shop::on_sqlite().await;
    let buyer = shop.app.sign_in().await;
    buy(&buyer).await.ok();
    for customer in shop.stripe.world().customers.values_mut() {
        customer["deleted"] = json!(true);
    }
    assert_eq!(buy(&buyer).await.status, 503);
    buy(&buyer).await.ok();
    assert_eq!(shop.stripe.world().customers.len(), 2);
}

#[tokio::test]
async fn the_session_decides_who_buys() {
    let shop = Shop::on_sqlite().await;
    let (hal, eve) = (shop.app.sign_in().await, shop.app.sign_in().await);
    let body = json!({"user_id": hal.id, "email": null});
    assert_eq!(shop.app.post(CHECKOUT, body.clone()).await.status, 401);
    let as_eve = eve.post(CHECKOUT, body).await;
    assert_eq!(as_eve.status, 403);
    assert!(as_eve.body["error"].is_string());
    assert_eq!(shop.calls(), 0);
    assert_eq!(hal.post(CHECKOUT, json!({})).await.status, 200);
}

#[tokio::test]
async fn trouble_at_the_provider_is_an_error_that_passes() {
    let shop = Shop::on_sqlite().await;
    let buyer = shop.app.sign_in().await;
    for status in [429, 500] {
        shop.fail(Some(status));
        let refused = buy(&buyer).await;
        assert_eq!(refused.status, 503);
        assert_eq!(refused.body["error"], "Stripe session error");
        shop.fail(None);
        // Stripe repeats its own failure as long as the same key is used.
        shop.advance(60);
    }
    // Purchases are begun twenty times an hour.
    shop.advance(60 * 60);
    let buyer = shop.app.still_signed_in(&buyer).await;
    for _ in 0..20 {
        buy(&buyer).await.ok();
    }
    assert_eq!(buy(&buyer).await.problem(), (429, "too-many-requests"));
}
