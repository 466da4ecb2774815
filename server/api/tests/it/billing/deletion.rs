//! What happens at Stripe when an account is deleted, and which records stay.

use super::*;

on_both!(
    deleting_the_account_cancels_the_subscription,
    only_one_replica_cancels,
);

impl Shop {
    async fn is_closed(&self) -> bool {
        let query =
            "select count(*) from billing_accounts where user_id is null and closed_at is not null";
        self.count(query).await == 1
    }

    /// Deletes the account, and waits until its billing account is closed.
    async fn close(&self, person: &Person<'_>) {
        assert_eq!(person.delete_account().await.status, 200);
        until("closing", async || self.is_closed().await.then_some(())).await;
    }
}

async fn deleting_the_account_cancels_the_subscription(database: TestDatabase) {
    let shop = Shop::open(database, &[]).await;
    let (person, subscription) = shop.premium().await;
    shop.close(&person).await;
    {
        let world = shop.stripe.world();
        assert_eq!(world.status(&subscription), "canceled");
        let mut customers = world.customers.values();
        assert!(customers.all(|customer| customer["deleted"] == true));
    }
    // Its event finds no account, and nothing to cancel.
    let told = shop.tell("customer.subscription.deleted", &subscription);
    assert_eq!(told.await.status, 200);
    assert!(shop.is_closed().await);

    // The records stay for seven years, without a name.
    let records = "select count(*) from subscriptions";
    let linked = "select count(*) from billing_accounts where user_id is not null";
    assert_eq!(shop.count(linked).await, 0);
    shop.app.state.clock.advance(7 * 365 * DAY);
    shop.step().await;
    assert_eq!(shop.count(records).await, 1);
    shop.app.state.clock.advance(3 * DAY);
    shop.step().await;
    for gone in [
        records,
        "select count(*) from billing_accounts",
        "select count(*) from billing_events",
    ] {
        assert_eq!(shop.count(gone).await, 0, "{gone}");
    }
}

#[tokio::test]
async fn deleting_works_while_the_provider_is_down() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.premium().await;
    shop.stripe.world().failing = Some(StatusCode::SERVICE_UNAVAILABLE);
    let calls = shop.calls();
    assert_eq!(person.delete_account().await.status, 200);
    assert_eq!(person.get("/api/auth/v1/user").await.status, 401);
    until("the first attempt", async || {
        (shop.calls() > calls).then_some(())
    })
    .await;
    assert_eq!(shop.stripe.world().status(&subscription), "active");
    // Each failure doubles the pause, up to six hours; no request is sent before it is over.
    for wait in [
        60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360, 21_600, 21_600,
    ] {
        let calls = shop.calls();
        shop.app.state.clock.advance(wait - 1);
        shop.step().await;
        assert_eq!(shop.calls(), calls);
        shop.app.state.clock.advance(1);
        shop.step().await;
        assert_eq!(shop.calls(), calls + 1);
        assert!(!shop.is_closed().await);
    }
    shop.stripe.world().failing = None;
    shop.app.state.clock.advance(21_600);
    shop.step().await;
    assert_eq!(shop.stripe.world().status(&subscription), "canceled");
    assert!(shop.is_closed().await);
}

/// A deleted account causes no more payments.
#[tokio::test]
async fn deleting_the_account_closes_its_payment_page() {
    let shop = Shop::on_sqlite().await;
    let (person, other) = (shop.app.sign_in().await, shop.app.sign_in().await);
    let (page, stays) = (buy(&person).await, buy(&other).await);
    shop.close(&person).await;
    let world = shop.stripe.world();
    assert_eq!(world.checkouts[checkout_of(&page)]["status"], "expired");
    assert_eq!(world.checkouts[checkout_of(&stays)]["status"], "open");
}

#[tokio::test]
async fn a_payment_after_the_deletion_is_cancelled() {
    let shop = Shop::on_sqlite().await;
    let (person, _) = shop.subscriber().await;
    shop.close(&person).await;
    // A subscription still appears, and the provider sends its event.
    let late = {
        let mut world = shop.stripe.world();
        let customer = world.customers.keys().next().unwrap().clone();
        world.subscribe(&customer, PRICE)
    };
    shop.created(&late).await;
    assert!(!shop.is_closed().await);
    shop.step().await;
    assert_eq!(shop.stripe.world().status(&late), "canceled");
    assert!(shop.is_closed().await);
}

async fn only_one_replica_cancels(database: TestDatabase) {
    let shop = Shop::open(database, &[]).await;
    let state = &shop.app.state;
    let (person, _) = shop.premium().await;
    state.store.delete_profile(&person.id).await.unwrap();
    let calls = shop.calls();
    let other = api::App::start((*state.config).clone(), state.clock.clone())
        .await
        .unwrap();
    let steps = (0..10).map(|number| [state, &other][number % 2].billing.step());
    for step in join_all(steps).await {
        step.unwrap();
    }
    // Two lists, the subscription, the customer.
    assert_eq!(shop.calls(), calls + 4);
    assert!(shop.is_closed().await);
}

#[tokio::test]
async fn a_customer_deleted_by_the_provider_is_free_and_can_buy_again() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.premium().await;
    let customer = shop.stripe.world().subscriptions[&subscription]["customer"].clone();
    let event = |id: &str| stripe::event(id, "customer.deleted", &json!({"id": customer}));
    // Stripe does not confirm the cancellation.
    assert_eq!(shop.send(&event("evt_1")).await.status, 200);
    assert_eq!(tier(&person).await, "premium");
    {
        let mut world = shop.stripe.world();
        world.set_status(&subscription, "canceled");
        world.customers.get_mut(customer.as_str().unwrap()).unwrap()["deleted"] = json!(true);
    }
    assert_eq!(shop.send(&event("evt_2")).await.status, 200);
    assert_eq!(tier(&person).await, "free");
    assert_eq!(buy(&person).await.status, 200);
    assert_eq!(shop.stripe.world().customers.len(), 2);
}
