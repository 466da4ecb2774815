//! Plans and payment, against a provider with Stripe's shapes and failures.

#![allow(
    clippy::unwrap_used,
    reason = "a behaviour says what it expects by panicking, as the tests do that clippy.toml spares"
)]

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::{Database, Store};

use crate::support::app::{Answer, Person, TestApp, answer};
use crate::support::database::{TestDatabase, on_both};
use crate::support::stripe::{self, Gate, LIVE_KEY, PRICE, SECRET, Stripe};
use crate::support::until;

mod checkout;
mod deletion;
mod events;
mod order;

/// A server that sells the premium plan, and the provider.
struct Shop {
    app: TestApp,
    stripe: Stripe,
}

impl Shop {
    async fn open(database: TestDatabase) -> Self {
        let stripe = Stripe::start().await;
        let arguments = stripe.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let app = TestApp::start(database, &arguments).await;
        Self { app, stripe }
    }

    /// Somebody who has a subscription that is paid for, and its id. No event has arrived.
    async fn subscriber(&self) -> (Person<'_>, String) {
        let person = self.app.sign_in().await;
        let page = buy(&person).await;
        let subscription = self.stripe.pay(checkout_of(&page));
        (person, subscription)
    }

    /// Somebody who is premium, and the subscription.
    async fn premium(&self) -> (Person<'_>, String) {
        let (person, subscription) = self.subscriber().await;
        let told = self
            .tell("customer.subscription.created", &subscription)
            .await;
        assert_eq!(told.status, 200, "{told:?}");
        assert_eq!(tier(&person).await, "premium");
        (person, subscription)
    }

    /// The provider reports something new about a subscription.
    async fn tell(&self, kind: &str, subscription: &str) -> Answer {
        let object = self.stripe.world().subscriptions[subscription].clone();
        let id = format!("evt_{}", uuid::Uuid::new_v4().simple());
        self.send(&stripe::event(&id, kind, &object)).await
    }

    /// The provider sends an event, signed now.
    async fn send(&self, event: &Value) -> Answer {
        let body = event.to_string();
        let signature = stripe::sign(SECRET, self.app.state.clock.now(), &body);
        self.post(body, Some(&signature)).await
    }

    /// Somebody sends something to the webhook.
    async fn post(&self, body: String, signature: Option<&str>) -> Answer {
        let mut request = self
            .app
            .request(Method::POST, "/api/functions/v1/stripe-webhook");
        if let Some(signature) = signature {
            request = request.header("stripe-signature", signature);
        }
        answer(
            request
                .header("content-type", "application/json")
                .body(body),
        )
        .await
    }

    /// How many calls the provider has had.
    fn calls(&self) -> usize {
        self.stripe.world().calls.len()
    }
}

/// Begins a purchase.
async fn buy(person: &Person<'_>) -> Answer {
    let body = json!({"user_id": person.id, "email": "somebody@example.com"});
    let request = person.request(Method::POST, "/api/functions/v1/create-stripe-session");
    answer(request.json(&body)).await
}

/// The id of the checkout behind a payment page.
fn checkout_of(page: &Answer) -> &str {
    let url = page.body["url"]
        .as_str()
        .unwrap_or_else(|| panic!("no address: {page:?}"));
    url.strip_prefix("https://checkout.stripe.com/c/pay/")
        .expect("the provider's page")
}

async fn tier(person: &Person<'_>) -> String {
    let tier = person.profile().await["tier"].take();
    tier.as_str().unwrap_or("none").to_owned()
}

/// A number from the database.
async fn count(store: &Store, query: &'static str) -> i64 {
    let number: Result<i64, sqlx::Error> = match store.database() {
        Database::Sqlite(pool) => sqlx::query_scalar(query).fetch_one(pool).await,
        Database::Postgres(pool) => sqlx::query_scalar(query).fetch_one(pool).await,
    };
    number.expect("a number")
}
