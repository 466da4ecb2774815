//! What an event changes, and what it cannot change.

use api::billing::Billing;
use api::config::StripeSettings;

use super::*;

on_both!(an_event_is_dealt_with_once);

#[tokio::test]
async fn the_provider_decides_the_tier() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.subscriber().await;
    for (kind, status, expected) in [
        ("customer.subscription.created", "incomplete", "none"),
        ("customer.subscription.updated", "trialing", "premium"),
        ("customer.subscription.updated", "active", "premium"),
        // The payment is late, and Stripe tries again.
        ("customer.subscription.updated", "past_due", "premium"),
        ("customer.subscription.updated", "unpaid", "free"),
        ("customer.subscription.updated", "active", "premium"),
        ("customer.subscription.paused", "paused", "free"),
        ("customer.subscription.resumed", "active", "premium"),
        ("customer.subscription.deleted", "canceled", "free"),
    ] {
        shop.stripe.world().set_status(&subscription, status);
        assert_eq!(shop.tell(kind, &subscription).await.status, 200);
        assert_eq!(tier(&person).await, expected, "{status}");
    }
    // An earlier event arrives later, with the state of its time.
    let mut object = shop.stripe.world().subscriptions[&subscription].clone();
    object["status"] = json!("active");
    let late = stripe::event("evt_1", "customer.subscription.updated", &object);
    assert_eq!(shop.send(&late).await.status, 200);
    assert_eq!(tier(&person).await, "free");
}

async fn an_event_is_dealt_with_once(database: TestDatabase) {
    let shop = Shop::open(database, &[]).await;
    let (person, subscription) = shop.subscriber().await;
    let customer = &shop.stripe.world().subscriptions[&subscription]["customer"].clone();
    for (number, kind, of) in [
        (1, "invoice.paid", customer),
        (2, "invoice.payment_failed", customer),
        (3, "checkout.session.completed", customer),
        // Of no interest, and about an unknown customer.
        (4, "charge.succeeded", customer),
        (5, "invoice.paid", &Value::Null),
    ] {
        let object = json!({ "id": format!("object_{number}"), "customer": of });
        let event = stripe::event(&format!("evt_{number}"), kind, &object);
        let calls = shop.calls();
        assert_eq!(shop.send(&event).await.status, 200);
        assert_eq!(shop.calls() > calls, number < 4, "{kind}");
        let calls = shop.calls();
        for _ in 0..3 {
            assert_eq!(shop.send(&event).await.status, 200);
        }
        assert_eq!(shop.calls(), calls);
        assert_eq!(tier(&person).await, "premium");
    }
    let events = "select count(*) from billing_events";
    assert_eq!(shop.count(events).await, 5);
}

#[tokio::test]
async fn what_is_not_signed_now_is_refused() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.subscriber().await;
    let (calls, now) = (shop.calls(), shop.app.state.clock.now());
    let object = shop.stripe.world().subscriptions[&subscription].clone();
    let body = stripe::event("evt_1", "customer.subscription.created", &object).to_string();
    // More forgeries in the unit tests of signatures.
    let other = stripe::sign("whsec_of_somebody", now, &body);
    for signature in [None, Some(other)] {
        let refused = shop.post(body.clone(), signature.as_deref()).await;
        assert_eq!(refused.problem(), (400, "invalid-signature"));
    }
    let garbage = "no event".to_owned();
    let signature = stripe::sign(SECRET, now, &garbage);
    let refused = shop.post(garbage, Some(&signature)).await;
    assert_eq!(refused.problem(), (400, "invalid-body"));
    let long = " ".repeat(256 * 1024 + 1);
    assert_eq!(shop.post(long, None).await.status, 413);
    assert_eq!(
        (shop.calls(), tier(&person).await.as_str()),
        (calls, "none")
    );
    // Either secret is valid while one is being replaced.
    let signature = stripe::sign("whsec_before", now, &body);
    assert_eq!(shop.post(body, Some(&signature)).await.status, 200);
    assert_eq!(tier(&person).await, "premium");
}

#[tokio::test]
async fn other_prices_customers_and_modes_make_nobody_premium() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.subscriber().await;
    let created = "customer.subscription.created";
    let alter = |part: &str, value: Value| {
        let mut world = shop.stripe.world();
        let object = world.subscriptions.get_mut(&subscription).unwrap();
        *object.pointer_mut(part).unwrap() = value;
    };
    alter("/items/data/0/price/id", json!("price_of_a_mug"));
    shop.created(&subscription).await;
    assert_eq!(tier(&person).await, "none");
    alter("/items/data/0/price/id", json!("price_of_last_year"));
    alter("/livemode", json!(true));
    shop.created(&subscription).await;
    assert_eq!(tier(&person).await, "none");
    alter("/livemode", json!(false));

    // The event names our customer; Stripe's API decides whose subscription it is.
    let customer = shop.stripe.world().subscriptions[&subscription]["customer"].clone();
    alter("/customer", json!("cus_of_another_shop"));
    let mut object = shop.stripe.world().subscriptions[&subscription].clone();
    object["customer"] = customer.clone();
    let event = stripe::event("evt_1", created, &object);
    assert_eq!(shop.send(&event).await.status, 200);
    assert_eq!(tier(&person).await, "none");
    alter("/customer", customer);

    let mut live = stripe::event("evt_2", created, &object);
    live["livemode"] = json!(true);
    assert_eq!(shop.send(&live).await.body["code"], "wrong-mode");
    let nothing = json!({"id": "sub_that_never_was", "customer": "cus_1"});
    let nothing = stripe::event("evt_3", created, &nothing);
    assert_eq!(shop.send(&nothing).await.status, 200);
    assert_eq!(tier(&person).await, "none");

    shop.created(&subscription).await;
    // Last year's price still counts.
    assert_eq!(tier(&person).await, "premium");
}

#[tokio::test]
async fn a_failure_is_sent_again() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.subscriber().await;
    let object = shop.stripe.world().subscriptions[&subscription].clone();
    let event = stripe::event("evt_1", "customer.subscription.created", &object);
    for status in [
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::INTERNAL_SERVER_ERROR,
    ] {
        shop.stripe.world().failing = Some(status);
        assert_eq!(shop.send(&event).await.status, 503);
        assert_eq!(tier(&person).await, "none");
    }
    shop.stripe.world().failing = None;
    assert_eq!(shop.send(&event).await.status, 200);
    assert_eq!(tier(&person).await, "premium");
}

#[tokio::test]
async fn a_lost_event_is_made_up_for_within_a_day() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.premium().await;
    shop.stripe.world().set_status(&subscription, "canceled");
    shop.step().await;
    assert_eq!(tier(&person).await, "premium", "nobody has been asked yet");
    shop.app.state.clock.advance(DAY);
    let person = shop.app.still_signed_in(&person).await;
    shop.stripe.world().failing = Some(StatusCode::INTERNAL_SERVER_ERROR);
    shop.step().await;
    assert_eq!(tier(&person).await, "premium", "no answer changes nothing");
    shop.stripe.world().failing = None;
    let calls = shop.calls();
    shop.step().await;
    assert_eq!(shop.calls(), calls, "it waits an hour after a failure");
    shop.app.state.clock.advance(60 * 60);
    shop.step().await;
    let person = shop.app.still_signed_in(&person).await;
    assert_eq!(tier(&person).await, "free");
    let calls = shop.calls();
    shop.next_day().await;
    assert_eq!(shop.calls(), calls, "what has ended is not asked about");
}

#[tokio::test]
async fn what_test_cards_have_bought_ends_with_real_keys() {
    let shop = Shop::on_sqlite().await;
    let (person, _) = shop.premium().await;
    let (other, _) = shop.subscriber().await;
    let state = &shop.app.state;
    let test = state.config.billing.settings(true).unwrap().unwrap();
    let real = StripeSettings {
        secret_key: LIVE_KEY.to_owned().into(),
        live: true,
        ..test.clone()
    };
    let started_with = async |settings: StripeSettings| {
        let (store, clock, client) = (&state.store, &state.clock, http_client());
        let billing = Billing::new(store, clock, &shop.app.origin, Some(settings), &client);
        billing.step().await.unwrap();
    };
    started_with(test).await;
    assert_eq!(tier(&person).await, "premium", "the same keys");
    started_with(real).await;
    assert_eq!(tier(&person).await, "free");
    assert_eq!(tier(&other).await, "none", "nobody else loses anything");
}
