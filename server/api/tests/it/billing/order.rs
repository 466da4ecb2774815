//! Events that arrive late, out of order, or all at once.

use super::*;

on_both!(
    older_news_gives_way_to_newer,
    many_events_at_once_on_two_replicas,
    of_two_subscriptions_the_younger_is_cancelled,
);

async fn older_news_gives_way_to_newer(database: TestDatabase) {
    let shop = Shop::open(database, &[]).await;
    let (person, subscription) = shop.premium().await;
    // One event is in progress: Stripe has responded 'active', and the response is on its way.
    let gate = Gate::default();
    shop.stripe.world().gate = Some(("/subscriptions", gate.clone()));
    let slow = shop.tell(UPDATED, &subscription);
    let quick = async {
        gate.arrived.notified().await;
        shop.set(&subscription, "canceled");
        shop.tell(DELETED, &subscription).await;
        assert_eq!(tier(&person).await, "free");
        gate.open.notify_one();
    };
    let (slow, ()) = tokio::join!(slow, quick);
    assert_eq!(slow.status, 200);
    assert_eq!(tier(&person).await, "free");
}

async fn many_events_at_once_on_two_replicas(database: TestDatabase) {
    let shop = Shop::open(database, &[]).await;
    let (person, subscription) = shop.subscriber().await;
    let state = &shop.app.state;
    let other = api::App::start((*state.config).clone(), state.clock.clone(), false);
    let other = other.await.unwrap();
    for (status, expected) in [("active", "premium"), ("canceled", "free")] {
        shop.set(&subscription, status);
        let object = shop.subscription(&subscription);
        let customer = object["customer"].as_str().unwrap();
        let events = (0..3).map(|number| {
            let event = stripe::event(&format!("evt_{status}_{number}"), UPDATED, &object);
            let shop = &shop;
            async move { shop.send(&event).await.status.as_u16() }
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
fn second_of(shop: &Shop, first: &str, price: &str, status: &str) -> String {
    let mut world = shop.stripe.world();
    let customer = world.subscriptions[first]["customer"].clone();
    let second = world.subscribe(customer.as_str().unwrap(), price);
    world.set_status(&second, status);
    second
}

async fn of_two_subscriptions_the_younger_is_cancelled(database: TestDatabase) {
    let shop = Shop::open(database, &[]).await;
    for status in ["active", "trialing", "past_due", "incomplete"] {
        let (person, first) = shop.premium().await;
        let second = second_of(&shop, &first, PRICE, status);
        shop.created(&second).await;
        assert_eq!(shop.status(&first), "active", "{status}");
        assert_eq!(shop.status(&second), "canceled", "{status}");
        assert_eq!(tier(&person).await, "premium");
        let running = shop.count("subscriptions where running").await;
        assert_eq!(running, 1, "{status}");
        // Its event was lost: the daily check notices it.
        let third = second_of(&shop, &first, PRICE, status);
        shop.step_after(DAY).await;
        assert_eq!(shop.status(&third), "canceled", "{status}");
        shop.set(&first, "canceled");
        shop.tell(DELETED, &first).await;
        assert_eq!(tier(&shop.app.still_signed_in(&person).await).await, "free");
    }
}

/// When the first payment failed and the second subscription is paid, the second stays. Subscriptions to other products stay too.
#[tokio::test]
async fn what_is_paid_for_stays() {
    let shop = Shop::on_sqlite().await;
    for (status, price, stays) in [
        ("incomplete", PRICE, "canceled"),
        ("unpaid", PRICE, "canceled"),
        ("paused", PRICE, "canceled"),
        ("active", "price_of_a_mug", "active"),
    ] {
        let (person, first) = shop.premium().await;
        shop.set(&first, status);
        shop.tell(UPDATED, &first).await;
        let before = ["free", "premium"][usize::from(status == "active")];
        assert_eq!(tier(&person).await, before);
        let second = second_of(&shop, &first, price, "active");
        shop.created(&second).await;
        assert_eq!(tier(&person).await, "premium", "{status}");
        assert_eq!(shop.status(&first), stays, "{status}");
        assert_eq!(shop.status(&second), "active", "{status}");
    }
}
