//! What happens at Stripe when an account is deleted, and which records stay.

use super::*;

on_both!(
    deleting_the_account_cancels_the_subscription,
    only_one_replica_cancels,
);

impl Fixture {
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
    let fixture = Fixture::open(database, &[]).await;
    let (person, subscription) = fixture.premium().await;
    fixture.close(&person).await;
    assert_eq!(fixture.status(&subscription), "canceled");
    let gone = |customer: &Value| customer["deleted"] == true;
    assert!(fixture.stripe.world().customers.values().all(gone));
    // Its event finds no account, and nothing to cancel.
    fixture.tell(DELETED, &subscription).await.ok();
    assert!(fixture.is_closed().await);

    // The records stay for seven years, without a name.
    let linked = "billing_accounts where user_id is not null";
    assert_eq!(fixture.count(linked).await, 0);
    fixture.step_after(7 * 365 * DAY).await;
    assert_eq!(fixture.count("subscriptions").await, 1);
    fixture.step_after(3 * DAY).await;
    for gone in ["subscriptions", "billing_accounts"] {
        assert_eq!(fixture.count(gone).await, 0, "{gone}");
    }
}

#[tokio::test]
async fn deleting_works_while_the_provider_is_down() {
    let fixture = Fixture::on_sqlite().await;
    let (person, subscription) = fixture.premium().await;
    fixture.fail(Some(503));
    person.delete_account().await.ok();
    assert_eq!(person.get("/api/auth/v1/user").await.status, 401);
    fixture.step().await;
    assert_eq!(fixture.status(&subscription), "active");
    // The job retries every ten minutes.
    for _ in 0..3 {
        let calls = fixture.calls();
        fixture.step_after(599).await;
        assert_eq!(fixture.calls(), calls);
        fixture.step_after(1).await;
        assert_eq!(fixture.calls(), calls + 1);
        assert!(!fixture.is_closed().await);
    }
    fixture.fail(None);
    fixture.step_after(600).await;
    assert_eq!(fixture.status(&subscription), "canceled");
    assert!(fixture.is_closed().await);
}

/// A deleted account causes no more payments.
#[tokio::test]
async fn deleting_the_account_closes_its_payment_page() {
    let fixture = Fixture::on_sqlite().await;
    let (person, other) = (fixture.app.sign_in().await, fixture.app.sign_in().await);
    let (page, stays) = (buy(&person).await, buy(&other).await);
    fixture.close(&person).await;
    let world = fixture.stripe.world();
    assert_eq!(world.checkouts[checkout_of(&page)]["status"], "expired");
    assert_eq!(world.checkouts[checkout_of(&stays)]["status"], "open");
}

#[tokio::test]
async fn a_payment_after_the_deletion_is_canceled() {
    let fixture = Fixture::on_sqlite().await;
    let (person, _) = fixture.subscriber().await;
    fixture.close(&person).await;
    // A subscription still appears, and the provider sends its event.
    let late = {
        let mut world = fixture.stripe.world();
        let customer = world.customers.keys().next().unwrap().clone();
        world.subscribe(&customer, PRICE)
    };
    fixture.created(&late).await;
    assert!(!fixture.is_closed().await);
    fixture.step().await;
    assert_eq!(fixture.status(&late), "canceled");
    assert!(fixture.is_closed().await);
}

async fn only_one_replica_cancels(database: TestDatabase) {
    let fixture = Fixture::open(database, &[]).await;
    let state = &fixture.app.state;
    let (person, _) = fixture.premium().await;
    state.store.delete_profile(&person.id, NOW).await.unwrap();
    let calls = fixture.calls();
    let other = api::App::start((*state.config).clone(), state.clock.clone(), false).await;
    let other = other.unwrap();
    for step in join_all((0..10).map(|number| [state, &other][number % 2].billing.step())).await {
        step.unwrap();
    }
    // Four calls: two lists, the subscription, the customer.
    assert_eq!(fixture.calls(), calls + 4);
    assert!(fixture.is_closed().await);
}

#[tokio::test]
async fn a_customer_deleted_at_stripe_is_free_and_can_buy_again() {
    let fixture = Fixture::on_sqlite().await;
    let (person, subscription) = fixture.premium().await;
    let customer = text(&fixture.subscription(&subscription)["customer"]);
    let event = |id: &str| stripe::event(id, "customer.deleted", &json!({"id": customer}));
    // Stripe does not confirm the cancellation.
    fixture.send(&event("evt_1")).await.ok();
    assert_eq!(tier(&person).await, "premium");
    fixture.stripe.world().delete_customer(&customer);
    fixture.send(&event("evt_2")).await.ok();
    assert_eq!(tier(&person).await, "free");
    buy(&person).await.ok();
    assert_eq!(fixture.stripe.world().customers.len(), 2);
}
