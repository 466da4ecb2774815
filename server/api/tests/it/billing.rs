//! Plans and payment, against a stand-in with Stripe's shapes and failures.

use crate::support::prelude::*;
use crate::support::stripe::{self, Gate, PRICE, SECRET, Stripe};

mod checkout;
mod deletion;
mod events;
mod order;

const CREATED: &str = "customer.subscription.created";
const UPDATED: &str = "customer.subscription.updated";
const DELETED: &str = "customer.subscription.deleted";
const CHECKOUT: &str = "/api/functions/v1/create-stripe-session";

/// A server that sells the premium plan, and the stand-in.
pub(crate) struct Fixture {
    pub(crate) app: TestApp,
    pub(crate) stripe: Stripe,
}

impl Fixture {
    pub(crate) async fn open(database: TestDatabase, more: &[&str]) -> Self {
        let stripe = Stripe::start().await;
        let app = stripe.sold_at(database, more).await;
        Self { app, stripe }
    }

    /// The same, for tests that do not depend on the database.
    async fn on_sqlite() -> Self {
        Self::open(TestDatabase::sqlite().await, &[]).await
    }

    /// A user with a paid subscription, and the subscription's id. No event has arrived yet.
    async fn subscriber(&self) -> (Person<'_>, String) {
        let person = self.app.sign_in().await;
        let subscription = self.stripe.pay(checkout_of(&buy(&person).await));
        (person, subscription)
    }

    /// A premium user, and the subscription's id.
    async fn premium(&self) -> (Person<'_>, String) {
        let (person, subscription) = self.subscriber().await;
        self.created(&subscription).await;
        assert_eq!(tier(&person).await, "premium");
        (person, subscription)
    }

    /// Sends an event about a change of a subscription.
    async fn tell(&self, kind: &str, subscription: &str) -> Answer {
        let object = self.subscription(subscription);
        let id = format!("evt_{}", Uuid::new_v4().simple());
        self.send(&stripe::event(&id, kind, &object)).await
    }

    /// The provider sends an event, signed now.
    async fn send(&self, event: &Value) -> Answer {
        let body = event.to_string();
        let signature = stripe::sign(SECRET, self.app.state.clock.now(), &body);
        self.post(body, Some(&signature)).await
    }

    /// Sends `body` to the webhook.
    async fn post(&self, body: String, signature: Option<&str>) -> Answer {
        let path = "/api/functions/v1/stripe-webhook";
        let mut request = self.app.request(Method::POST, path).body(body);
        if let Some(signature) = signature {
            request = request.header("stripe-signature", signature);
        }
        answer(request.header("content-type", "application/json")).await
    }

    /// Sends the event of a new subscription, which must be accepted.
    pub(crate) async fn created(&self, subscription: &str) {
        self.tell(CREATED, subscription).await.ok();
    }

    /// A subscription, as the stand-in has it.
    fn subscription(&self, id: &str) -> Value {
        self.stripe.world().subscriptions[id].clone()
    }

    /// A subscription's status.
    fn status(&self, id: &str) -> String {
        text(&self.subscription(id)["status"])
    }

    /// Sets a subscription's status.
    fn set(&self, id: &str, status: &str) {
        self.stripe.world().set_status(id, status);
    }

    /// From now on every call fails with this status, or none does.
    fn fail(&self, status: Option<u16>) {
        self.stripe.world().failing = status.map(|it| StatusCode::from_u16(it).unwrap());
    }

    fn advance(&self, seconds: i64) {
        self.app.state.clock.advance(seconds);
    }

    /// One step of the billing job.
    async fn step(&self) {
        self.app.state.billing.step().await.unwrap();
    }

    /// Takes a step after this many seconds.
    async fn step_after(&self, seconds: i64) {
        self.advance(seconds);
        self.step().await;
    }

    /// How many calls the stand-in has received.
    fn calls(&self) -> usize {
        self.stripe.world().calls.len()
    }

    /// How many rows there are of a table, or of a part of it.
    async fn count(&self, rows: &str) -> i64 {
        let query = format!("select count(*) from {rows}");
        number(self.app.state.store.database(), query).await
    }
}

/// Begins a purchase.
pub(crate) async fn buy(person: &Person<'_>) -> Answer {
    let body = json!({"user_id": person.id, "email": "user@example.com"});
    person.post(CHECKOUT, body).await
}

/// The id of the checkout behind a payment page.
pub(crate) fn checkout_of(page: &Answer) -> &str {
    let url = page.body["url"].as_str().expect("an address");
    let id = url.strip_prefix("https://checkout.stripe.com/c/pay/");
    id.expect("the provider's page")
}

async fn tier(person: &Person<'_>) -> String {
    let tier = person.profile().await["tier"].take();
    tier.as_str().unwrap_or("none").to_owned()
}
