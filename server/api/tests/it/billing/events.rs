//! What an event changes, and what it cannot change.

use super::*;

on_both!(an_event_triggers_a_request_to_stripe);

#[tokio::test]
async fn the_provider_decides_the_tier() {
    let fixture = Fixture::on_sqlite().await;
    let (person, subscription) = fixture.subscriber().await;
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
        fixture.set(&subscription, status);
        fixture.tell(kind, &subscription).await.ok();
        assert_eq!(tier(&person).await, expected, "{status}");
    }
    // An earlier event arrives later, with the state of its time.
    let mut object = fixture.subscription(&subscription);
    object["status"] = json!("active");
    let late = stripe::event("evt_1", UPDATED, &object);
    fixture.send(&late).await.ok();
    assert_eq!(tier(&person).await, "free");
}

async fn an_event_triggers_a_request_to_stripe(database: TestDatabase) {
    let fixture = Fixture::open(database, &[]).await;
    let (person, subscription) = fixture.subscriber().await;
    let customer = &fixture.subscription(&subscription)["customer"];
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
        let calls = fixture.calls();
        fixture.send(&event).await.ok();
        assert_eq!(fixture.calls() > calls, number < 4, "{kind}");
        // Repeating the event changes nothing.
        fixture.send(&event).await.ok();
        assert_eq!(tier(&person).await, "premium");
    }
}

#[tokio::test]
async fn events_without_a_current_signature_are_refused() {
    let fixture = Fixture::on_sqlite().await;
    let (person, subscription) = fixture.subscriber().await;
    let (calls, now) = (fixture.calls(), fixture.app.state.clock.now());
    let body = stripe::event("evt_1", CREATED, &fixture.subscription(&subscription)).to_string();
    // More forgeries in the unit tests of signatures.
    for signature in [None, Some(stripe::sign("whsec_of_somebody", now, &body))] {
        let refused = fixture.post(body.clone(), signature.as_deref()).await;
        assert_eq!(refused.problem(), (400, "invalid-event"));
    }
    let garbage = "no event".to_owned();
    let signature = stripe::sign(SECRET, now, &garbage);
    let refused = fixture.post(garbage, Some(&signature)).await;
    assert_eq!(refused.problem(), (400, "invalid-event"));
    let long = " ".repeat(256 * 1024 + 1);
    assert_eq!(fixture.post(long, None).await.status, 413);
    assert_eq!(fixture.calls(), calls);
    assert_eq!(tier(&person).await, "none");
    // Either secret is valid while one is being replaced.
    let signature = stripe::sign("whsec_before", now, &body);
    fixture.post(body, Some(&signature)).await.ok();
    assert_eq!(tier(&person).await, "premium");
}

#[tokio::test]
async fn events_of_other_prices_and_customers_make_nobody_premium() {
    let fixture = Fixture::on_sqlite().await;
    let (person, subscription) = fixture.subscriber().await;
    let alter = |part: &str, value: Value| {
        let mut world = fixture.stripe.world();
        let object = world.subscriptions.get_mut(&subscription).unwrap();
        *object.pointer_mut(part).unwrap() = value;
    };
    let price = "/items/data/0/price/id";
    alter(price, json!("price_of_a_mug"));
    fixture.created(&subscription).await;
    assert_eq!(tier(&person).await, "none");
    alter(price, json!("price_of_last_year"));

    // The event names our customer; Stripe's API decides whose subscription it is.
    let object = fixture.subscription(&subscription);
    alter("/customer", json!("cus_of_another_shop"));
    let event = stripe::event("evt_1", CREATED, &object);
    fixture.send(&event).await.ok();
    assert_eq!(tier(&person).await, "none");
    alter("/customer", object["customer"].clone());

    let nothing = json!({"id": "sub_that_never_was", "customer": "cus_1"});
    let nothing = stripe::event("evt_3", CREATED, &nothing);
    fixture.send(&nothing).await.ok();
    assert_eq!(tier(&person).await, "none");

    fixture.created(&subscription).await;
    // Last year's price still counts.
    assert_eq!(tier(&person).await, "premium");
}

#[tokio::test]
async fn a_failure_is_sent_again() {
    let fixture = Fixture::on_sqlite().await;
    let (person, subscription) = fixture.subscriber().await;
    let event = stripe::event("evt_1", CREATED, &fixture.subscription(&subscription));
    for status in [429, 500] {
        fixture.fail(Some(status));
        assert_eq!(fixture.send(&event).await.status, 503);
        assert_eq!(tier(&person).await, "none");
    }
    fixture.fail(None);
    fixture.send(&event).await.ok();
    assert_eq!(tier(&person).await, "premium");
}

#[tokio::test]
async fn the_daily_refresh_replaces_a_lost_event() {
    let fixture = Fixture::on_sqlite().await;
    let (person, subscription) = fixture.premium().await;
    fixture.set(&subscription, "canceled");
    fixture.step().await;
    assert_eq!(tier(&person).await, "premium", "nobody has been asked yet");
    fixture.fail(Some(500));
    fixture.step_after(DAY).await;
    let person = fixture.app.still_signed_in(&person).await;
    assert_eq!(tier(&person).await, "premium", "no answer changes nothing");
    fixture.fail(None);
    let calls = fixture.calls();
    fixture.step().await;
    assert_eq!(
        fixture.calls(),
        calls,
        "it waits ten minutes after a failure"
    );
    fixture.step_after(600).await;
    assert_eq!(
        tier(&fixture.app.still_signed_in(&person).await).await,
        "free"
    );

    // A lost event of a first payment is found the same way.
    let (person, _) = fixture.subscriber().await;
    assert_eq!(tier(&person).await, "none");
    fixture.step_after(DAY).await;
    let person = fixture.app.still_signed_in(&person).await;
    assert_eq!(tier(&person).await, "premium");
}
