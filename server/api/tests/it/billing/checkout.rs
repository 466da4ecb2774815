//! From the plan page to Stripe's payment page.

use super::*;

on_both!(two_clicks_lead_to_one_page);

#[tokio::test]
async fn a_purchase_makes_its_buyer_premium() {
    let shop = Shop::on_sqlite().await;
    let config = shop.app.get("/api/functions/v1/app-config").await;
    assert_eq!(config.body["premium"], true);
    let buyer = shop.app.sign_in().await;
    let page = buy(&buyer).await;
    assert_eq!(page.status, 200, "{page:?}");
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
    let told = shop
        .tell("customer.subscription.created", &subscription)
        .await;
    assert_eq!(
        (told.status.as_u16(), &told.body["received"]),
        (200, &json!(true))
    );
    assert_eq!(tier(&buyer).await, "premium");

    let again = buy(&buyer).await;
    assert_eq!(again.problem(), (409, "already-premium"));
    assert_eq!(again.body["error"], "You already have the premium plan.");
}

async fn two_clicks_lead_to_one_page(database: TestDatabase) {
    let shop = Shop::open(database).await;
    let buyer = shop.app.sign_in().await;
    let pages = futures_util::future::join_all((0..4).map(|_| buy(&buyer))).await;
    let later = buy(&buyer).await;
    for page in &pages {
        assert_eq!(page.body["url"], later.body["url"], "{page:?}");
    }
    let world = shop.stripe.world();
    assert_eq!((world.customers.len(), world.checkouts.len()), (1, 1));
}

/// Two clicks, the second one a minute later, while Stripe has not answered the first click's request to `path`.
async fn buy_across_a_minute(
    shop: &Shop,
    buyer: &Person<'_>,
    path: &'static str,
) -> (Answer, Answer) {
    let gate = Gate::default();
    shop.stripe.world().gate = Some((path, gate.clone()));
    let later = async {
        gate.arrived.notified().await;
        shop.app.state.clock.advance(60);
        let page = buy(buyer).await;
        gate.open.notify_one();
        page
    };
    tokio::join!(buy(buyer), later)
}

/// Stripe treats calls of two minutes as two calls, and answers the first one late.
#[tokio::test]
async fn two_clicks_across_a_minute_make_one_customer() {
    let shop = Shop::on_sqlite().await;
    let buyer = shop.app.sign_in().await;
    let (first, second) = buy_across_a_minute(&shop, &buyer, "/customers").await;
    let customers: Vec<Value> = {
        let world = shop.stripe.world();
        let pages = [&first, &second].map(|page| &world.checkouts[checkout_of(page)]);
        pages.map(|checkout| checkout["customer"].clone()).into()
    };
    assert_eq!(customers[0], customers[1]);
    let kept = count(
        &shop.app.state.store,
        "select count(*) from billing_accounts where customer_id is not null",
    );
    assert_eq!(kept.await, 1);
    {
        let world = shop.stripe.world();
        let there = world.customers.values().filter(|it| it["deleted"] != true);
        assert_eq!(there.count(), 1, "the other is not left behind");
    }
    // The user becomes premium whichever page the payment is made at.
    let subscription = shop.stripe.pay(checkout_of(&first));
    shop.created(&subscription).await;
    assert_eq!(tier(&buyer).await, "premium");
}

/// The response with the first page is late: by then the user has opened the second one to pay.
#[tokio::test]
async fn two_clicks_across_a_minute_leave_one_page_open() {
    let shop = Shop::on_sqlite().await;
    let buyer = shop.app.sign_in().await;
    let (first, second) = buy_across_a_minute(&shop, &buyer, "/checkout/sessions").await;
    assert_eq!(first.body["url"], second.body["url"]);
    {
        let world = shop.stripe.world();
        assert_eq!(world.checkouts.len(), 2);
        let open: Vec<_> = world
            .checkouts
            .values()
            .filter(|it| it["status"] == "open")
            .collect();
        assert_eq!(open.len(), 1, "{open:?}");
        assert_eq!(open[0]["id"], checkout_of(&second));
    }
    let subscription = shop.stripe.pay(checkout_of(&second));
    shop.created(&subscription).await;
    assert_eq!(tier(&buyer).await, "premium");
    assert_eq!(buy(&buyer).await.body["code"], "already-premium");
}

#[tokio::test]
async fn a_payment_whose_event_is_late_is_noticed() {
    let shop = Shop::on_sqlite().await;
    let (buyer, _) = shop.subscriber().await;
    assert_eq!(tier(&buyer).await, "none");
    assert_eq!(buy(&buyer).await.body["code"], "already-premium");
    assert_eq!(tier(&buyer).await, "premium");
    assert_eq!(shop.stripe.world().checkouts.len(), 1);
}

/// The bank is slow: the subscription exists, but is not paid for yet.
#[tokio::test]
async fn while_a_payment_is_under_way_nobody_begins_another() {
    let shop = Shop::on_sqlite().await;
    let (buyer, subscription) = shop.subscriber().await;
    shop.stripe.world().set_status(&subscription, "incomplete");
    for told in [false, true] {
        if told {
            shop.created(&subscription).await;
        }
        assert_eq!(buy(&buyer).await.problem(), (409, "payment-pending"));
    }
    assert_eq!(shop.stripe.world().checkouts.len(), 1);
    shop.stripe
        .world()
        .set_status(&subscription, "incomplete_expired");
    shop.app.state.clock.advance(60);
    assert_eq!(buy(&buyer).await.status, 200);
}

#[tokio::test]
async fn a_customer_deleted_at_the_provider_is_replaced() {
    let shop = Shop::on_sqlite().await;
    let buyer = shop.app.sign_in().await;
    let page = buy(&buyer).await;
    {
        let mut world = shop.stripe.world();
        let checkout = world.checkouts.get_mut(checkout_of(&page)).unwrap();
        checkout["status"] = json!("expired");
        checkout["url"] = Value::Null;
        for customer in world.customers.values_mut() {
            customer["deleted"] = json!(true);
        }
    }
    shop.app.state.clock.advance(60);
    assert_eq!(buy(&buyer).await.status, 503);
    assert_eq!(buy(&buyer).await.status, 200);
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
    for status in [
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::INTERNAL_SERVER_ERROR,
    ] {
        shop.stripe.world().failing = Some(status);
        let refused = buy(&buyer).await;
        assert_eq!(refused.status, 503);
        assert_eq!(refused.body["error"], "Stripe session error");
        shop.stripe.world().failing = None;
        // Stripe repeats its own failure as long as the same key is used.
        shop.app.state.clock.advance(60);
    }
    assert_eq!(buy(&buyer).await.status, 200);
}

#[tokio::test]
async fn purchases_are_begun_twenty_times_an_hour() {
    let shop = Shop::on_sqlite().await;
    let buyer = shop.app.sign_in().await;
    for _ in 0..20 {
        assert_eq!(buy(&buyer).await.status, 200);
    }
    assert_eq!(buy(&buyer).await.problem(), (429, "too-many-requests"));
}
