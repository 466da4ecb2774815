//! What an event changes, and what it cannot change.

use super::*;

on_both!(an_event_about_a_customer_has_the_provider_asked);

#[tokio::test]
async fn the_provider_decides_the_tier() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.subscriber().await;
    for (kind, status, expected) in [
        (CREATED, "incomplete", "none"),
        (UPDATED, "trialing", "premium"),
        (UPDATED, "active", "premium"),
        // The payment is late, and Stripe tries again.
        (UPDATED, "past_due", "premium"),
        (UPDATED, "unpaid", "free"),
        (UPDATED, "active", "premium"),
        ("customer.subscription.paused", "paused", "free"),
        ("customer.subscription.resumed", "active", "premium"),
        (DELETED, "canceled", "free"),
    ] {
        shop.set(&subscription, status);
        shop.tell(kind, &subscription).await.ok();
        assert_eq!(tier(&person).await, expected, "{status}");
    }
    // An earlier event arrives later, with the state of its time.
    let mut object = shop.subscription(&subscription);
    object["status"] = json!("active");
    let late = stripe::event("evt_1", UPDATED, &object);
    shop.send(&late).await.ok();
    assert_eq!(tier(&person).await, "free");
}

async fn an_event_about_a_customer_has_the_provider_asked(database: TestDatabase) {
    let shop = Shop::open(database, &[]).await;
    let (person, subscription) = shop.subscriber().await;
    let customer = &shop.subscription(&subscription)["customer"];
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
        shop.send(&event).await.ok();
        assert_eq!(shop.calls() > calls, number < 4, "{kind}");
        // It may come again.
        shop.send(&event).await.ok();
        assert_eq!(tier(&person).await, "premium");
    }
}

#[tokio::test]
async fn what_is_not_signed_now_is_refused() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.subscriber().await;
    let (calls, now) = (shop.calls(), shop.app.state.clock.now());
    let body = stripe::event("evt_1", CREATED, &shop.subscription(&subscription)).to_string();
    // More forgeries in the unit tests of signatures.
    for signature in [None, Some(stripe::sign("whsec_of_somebody", now, &body))] {
        let refused = shop.post(body.clone(), signature.as_deref()).await;
        assert_eq!(refused.problem(), (400, "invalid-event"));
    }
    let garbage = "no event".to_owned();
    let signature = stripe::sign(SECRET, now, &garbage);
    let refused = shop.post(garbage, Some(&signature)).await;
    assert_eq!(refused.problem(), (400, "invalid-event"));
    let long = " ".repeat(256 * 1024 + 1);
    assert_eq!(shop.post(long, None).await.status, 413);
    assert_eq!(shop.calls(), calls);
    assert_eq!(tier(&person).await, "none");
    // Either secret is valid while one is being replaced.
    let signature = stripe::sign("whsec_before", now, &body);
    shop.post(body, Some(&signature)).await.ok();
    assert_eq!(tier(&person).await, "premium");
}

#[tokio::test]
async fn other_prices_and_customers_make_nobody_premium() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.subscriber().await;
    let alter = |part: &str, value: Value| {
        let mut world = shop.stripe.world();
        let object = world.subscriptions.get_mut(&subscription).unwrap();
        *object.pointer_mut(part).unwrap() = value;
    };
    let price = "/items/data/0/price/id";
    alter(price, json!("price_of_a_mug"));
    shop.created(&subscription).await;
    assert_eq!(tier(&person).await, "none");
    alter(price, json!("price_of_last_year"));

    // The event names our customer; Stripe's API decides whose subscription it is.
    let object = shop.subscription(&subscription);
    alter("/customer", json!("cus_of_another_shop"));
    let event = stripe::event("evt_1", CREATED, &object);
    shop.send(&event).await.ok();
    assert_eq!(tier(&person).await, "none");
    alter("/customer", object["customer"].clone());

    let nothing = json!({"id": "sub_that_never_was", "customer": "cus_1"});
    let nothing = stripe::event("evt_3", CREATED, &nothing);
    shop.send(&nothing).await.ok();
    assert_eq!(tier(&person).await, "none");

    shop.created(&subscription).await;
    // Last year's price still counts.
    assert_eq!(tier(&person).await, "premium");
}

#[tokio::test]
async fn a_failure_is_sent_again() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.subscriber().await;
    let event = stripe::event("evt_1", CREATED, &shop.subscription(&subscription));
    for status in [429, 500] {
        shop.fail(Some(status));
        assert_eq!(shop.send(&event).await.status, 503);
        assert_eq!(tier(&person).await, "none");
    }
    shop.fail(None);
    shop.send(&event).await.ok();
    assert_eq!(tier(&person).await, "premium");
}

#[tokio::test]
async fn a_lost_event_is_made_up_for_within_a_day() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.premium().await;
    shop.set(&subscription, "canceled");
    shop.step().await;
    assert_eq!(tier(&person).await, "premium", "nobody has been asked yet");
    shop.fail(Some(500));
    shop.step_after(DAY).await;
    let person = shop.app.still_signed_in(&person).await;
    assert_eq!(tier(&person).await, "premium", "no answer changes nothing");
    shop.fail(None);
    let calls = shop.calls();
    shop.step().await;
    assert_eq!(shop.calls(), calls, "it waits ten minutes after a failure");
    shop.step_after(600).await;
    assert_eq!(tier(&shop.app.still_signed_in(&person).await).await, "free");

    // So is a lost event of a first payment.
    let (person, _) = shop.subscriber().await;
    assert_eq!(tier(&person).await, "none");
    shop.step_after(DAY).await;
    let person = shop.app.still_signed_in(&person).await;
    assert_eq!(tier(&person).await, "premium");
}
