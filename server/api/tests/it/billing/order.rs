//! Events that arrive late, out of order, or all at once.

use super::*;

on_both!(
    older_events_do_not_replace_newer_states,
    many_events_at_once_on_two_replicas,
    of_two_subscriptions_the_newer_is_canceled,
);

async fn older_events_do_not_replace_newer_states(database: TestDatabase) {
    let fixture = Fixture::open(database, &[]).await;
    let (person, subscription) = fixture.premium().await;
    // One event is in progress: Stripe has responded 'active', and the response is on its way.
    let gate = Gate::default();
    fixture.stripe.world().gate = Some(("/subscriptions", gate.clone()));
    let slow = fixture.tell(UPDATED, &subscription);
    let quick = async {
        gate.arrived.notified().await;
        fixture.set(&subscription, "canceled");
        fixture.tell(DELETED, &subscription).await;
        assert_eq!(tier(&person).await, "free");
        gate.open.notify_one();
    };
    let (slow, ()) = tokio::join!(slow, quick);
    assert_eq!(slow.status, 200);
    assert_eq!(tier(&person).await, "free");
}

async fn many_events_at_once_on_two_replicas(database: TestDatabase) {
    let fixture = Fixture::open(database, &[]).await;
    let (person, subscription) = fixture.subscriber().await;
    let state = &fixture.app.state;
    let other = api::App::start((*state.config).clone(), state.clock.clone(), false);
    let other = other.await.unwrap();
    for (status, expected) in [("active", "premium"), ("canceled", "free")] {
        fixture.set(&subscription, status);
        let object = fixture.subscription(&subscription);
        let customer = object["customer"].as_str().unwrap();
        let events = (0..3).map(|number| {
            let event = stripe::event(&format!("evt_{status}_{number}"), UPDATED, &object);
            let fixture = &fixture;
            async move { fixture.send(&event).await.status.as_u16() }
        });
        let on_the_other = (0..2).map(|_| other.billing.refresh(customer));
        let (here, there) = tokio::join!(join_all(events), join_all(on_the_other));
        // A request that cannot get a consistent reading returns 503; one that succeeds records the right tier.
        assert!(here.iter().all(|it| matches!(it, 200 | 503)), "{here:?}");
        assert!(here.contains(&200) || there.iter().any(Result::is_ok));
        assert_eq!(tier(&person).await, expected);
    }
}

/// A second subscription of a customer, in Stripe's format.
fn second_of(fixture: &Fixture, first: &str, price: &str, status: &str) -> String {
    let mut world = fixture.stripe.world();
    let customer = world.subscriptions[first]["customer"].clone();
    let second = world.subscribe(customer.as_str().unwrap(), price);
    world.set_status(&second, status);
    second
}

async fn of_two_subscriptions_the_newer_is_canceled(database: TestDatabase) {
    let fixture = Fixture::open(database, &[]).await;
    for status in ["active", "trialing", "past_due", "incomplete"] {
        let (person, first) = fixture.premium().await;
        let second = second_of(&fixture, &first, PRICE, status);
        fixture.created(&second).await;
        assert_eq!(fixture.status(&first), "active", "{status}");
        assert_eq!(fixture.status(&second), "canceled", "{status}");
        assert_eq!(tier(&person).await, "premium");
        let running = fixture.count("subscriptions where running").await;
        assert_eq!(running, 1, "{status}");
        // Its event was lost: the daily check notices it.
        let third = second_of(&fixture, &first, PRICE, status);
        fixture.step_after(DAY).await;
        assert_eq!(fixture.status(&third), "canceled", "{status}");
        fixture.set(&first, "canceled");
        fixture.tell(DELETED, &first).await;
        assert_eq!(
            tier(&fixture.app.still_signed_in(&person).await).await,
            "free"
        );
    }
}

/// When the first payment failed and the second subscription is paid, the second stays. Subscriptions to other products stay too.
#[tokio::test]
async fn what_is_paid_for_stays() {
    let fixture = Fixture::on_sqlite().await;
    for (status, price, stays) in [
        ("incomplete", PRICE, "canceled"),
        ("unpaid", PRICE, "canceled"),
        ("paused", PRICE, "canceled"),
        ("active", "price_of_a_mug", "active"),
    ] {
        let (person, first) = fixture.premium().await;
        fixture.set(&first, status);
        fixture.tell(UPDATED, &first).await;
        let before = ["free", "premium"][usize::from(status == "active")];
        assert_eq!(tier(&person).await, before);
        let second = second_of(&fixture, &first, price, "active");
        fixture.created(&second).await;
        assert_eq!(tier(&person).await, "premium", "{status}");
        assert_eq!(fixture.status(&first), stays, "{status}");
        assert_eq!(fixture.status(&second), "active", "{status}");
    }
}
