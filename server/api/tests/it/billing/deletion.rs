//! What happens at Stripe when an account is deleted, and which records stay.

use super::*;

on_both!(
    deleting_the_account_cancels_the_subscription,
    only_one_replica_cancels,
);

impl Shop {
    async fn is_closed(&self) -> bool {
        let closed = "billing_accounts where user_id is null and closed_at is not null";
        self.count(closed).await == 1
    }

    /// Deletes the account, and closes its billing account.
    async fn close(&self, person: &Person<'_>) {
        person.delete_account().await.ok();
        self.step().await;
    }
}

async fn deleting_the_account_cancels_the_subscription(database: TestDatabase) {
    let shop = Shop::open(database, &[]).await;
    let (person, subscription) = shop.premium().await;
    shop.close(&person).await;
    assert_eq!(shop.status(&subscription), "canceled");
    let gone = |customer: &Value| customer["deleted"] == true;
    assert!(shop.stripe.world().customers.values().all(gone));
    // Its event finds no account, and nothing to cancel.
    shop.tell(DELETED, &subscription).await.ok();
    assert!(shop.is_closed().await);

    // The records stay for seven years, without a name.
    let linked = "billing_accounts where user_id is not null";
    assert_eq!(shop.count(linked).await, 0);
    shop.step_after(7 * 365 * DAY).await;
    assert_eq!(shop.count("subscriptions").await, 1);
    shop.step_after(3 * DAY).await;
    for gone in ["subscriptions", "billing_accounts"] {
        assert_eq!(shop.count(gone).await, 0, "{gone}");
    }
}

#[tokio::test]
async fn deleting_works_while_the_provider_is_down() {
    let shop = Shop::on_sqlite().await;
    let (person, subscription) = shop.premium().await;
    shop.fail(Some(503));
    person.delete_account().await.ok();
    assert_eq!(person.get("/api/auth/v1/user").await.status, 401);
    shop.step().await;
    assert_eq!(shop.status(&subscription), "active");
    // It is tried every ten minutes.
    for _ in 0..3 {
        let calls = shop.calls();
        shop.step_after(599).await;
        assert_eq!(shop.calls(), calls);
        shop.step_after(1).await;
        assert_eq!(shop.calls(), calls + 1);
        assert!(!shop.is_closed().await);
    }
    shop.fail(None);
    shop.step_after(600).await;
    assert_eq!(shop.status(&subscription), "canceled");
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
    assert_eq!(shop.status(&late), "canceled");
    assert!(shop.is_closed().await);
}

async fn only_one_replica_cancels(database: TestDatabase) {
    let shop = Shop::open(database, &[]).await;
    let state = &shop.app.state;
    let (person, _) = shop.premium().await;
    state.store.delete_profile(&person.id, NOW).await.unwrap();
    let calls = shop.calls();
    let other = api::App::start((*state.config).clone(), state.clock.clone(), false).await;
    let other = other.unwrap();
    for step in join_all((0..10).map(|number| [state, &other][number % 2].billing.step())).await {
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
    let customer = text(&shop.subscription(&subscription)["customer"]);
    let event = |id: &str| stripe::event(id, "customer.deleted", &json!({"id": customer}));
    // Stripe does not confirm the cancellation.
    shop.send(&event("evt_1")).await.ok();
    assert_eq!(tier(&person).await, "premium");
    shop.stripe.world().delete_customer(&customer);
    shop.send(&event("evt_2")).await.ok();
    assert_eq!(tier(&person).await, "free");
    buy(&person).await.ok();
    assert_eq!(shop.stripe.world().customers.len(), 2);
}
