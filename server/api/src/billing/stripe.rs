//! The calls of Stripe's API that this server needs, and the shapes of its responses.

use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::form_urlencoded::Serializer;

use crate::config::StripeSettings;
use outbound::{BodyError, fetch};

/// The API version whose shapes are read below, whatever the account's default is.
const VERSION: &str = "2026-02-25.clover";

/// The longest that a call may take. Stripe gives up on an event after 20 seconds.
const TIMEOUT: Duration = Duration::from_secs(8);

/// The largest response that is read, in bytes.
const MAX_RESPONSE: usize = 1024 * 1024;

/// Stripe's API, with this server's account.
#[derive(Debug)]
pub(super) struct Stripe {
    pub(super) settings: StripeSettings,
    pub(super) http: reqwest::Client,
}

/// Why a call failed. No message contains the key.
#[derive(Debug, thiserror::Error)]
pub enum StripeError {
    #[error("Stripe does not respond: {0}")]
    Unreachable(#[from] BodyError),
    /// There is no such object, or none in the mode of our key.
    #[error("Stripe has no such object")]
    Missing,
    #[error("Stripe responded {status}: {code}")]
    Refused { status: StatusCode, code: String },
    #[error("cannot read Stripe's response: {0}")]
    Unreadable(String),
}

#[derive(Clone, Debug, Deserialize)]
pub struct Subscription {
    pub(super) id: String,
    /// Unix seconds.
    pub(super) created: i64,
    /// `active`, `past_due` and so on.
    pub(super) status: String,
    pub(super) items: List<Item>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Item {
    pub(super) price: Object,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct List<T> {
    pub(super) data: Vec<T>,
}

/// Any object of which only the id matters.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Object {
    pub(super) id: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct CheckoutSession {
    /// The payment page.
    pub(super) url: Option<String>,
}

impl Stripe {
    /// The premium plan's price that a subscription is for; none when it is for another product.
    pub(super) fn premium_price<'s>(&self, subscription: &'s Subscription) -> Option<&'s str> {
        let mut prices = subscription.items.data.iter().map(|item| &item.price.id);
        prices
            .find(|price| self.settings.price_ids.contains(price))
            .map(String::as_str)
    }

    /// The subscriptions of a customer that are not canceled.
    pub(super) async fn subscriptions(
        &self,
        customer_id: &str,
    ) -> Result<Vec<Subscription>, StripeError> {
        self.list(&["subscriptions"], &[("customer", customer_id)])
            .await
    }

    /// The payment pages on which a customer can still pay.
    pub(super) async fn open_checkouts(
        &self,
        customer_id: &str,
    ) -> Result<Vec<Object>, StripeError> {
        let query = [("customer", customer_id), ("status", "open")];
        self.list(&["checkout", "sessions"], &query).await
    }

    /// The objects that the query selects; none for a customer who is missing.
    async fn list<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<Vec<T>, StripeError> {
        let query = [query, &[("limit", "100")]].concat();
        match self.get::<List<T>>(path, &query).await {
            Ok(list) => Ok(list.data),
            Err(StripeError::Missing) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<T, StripeError> {
        send(self.request(Method::GET, path).query(query)).await
    }

    /// Makes an object. Requests with the same key within a day make it once.
    pub(super) async fn create<T: DeserializeOwned>(
        &self,
        path: &[&str],
        form: &[(&str, &str)],
        idempotency_key: &str,
    ) -> Result<T, StripeError> {
        let body = Serializer::new(String::new()).extend_pairs(form).finish();
        let request = self
            .request(Method::POST, path)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header("idempotency-key", idempotency_key)
            .body(body);
        send(request).await
    }

    /// Closes a payment page.
    pub(super) async fn expire_checkout(&self, id: &str) -> Result<(), StripeError> {
        let path = ["checkout", "sessions", id, "expire"];
        let _: Object = self.create(&path, &[], &format!("expire-{id}")).await?;
        Ok(())
    }

    /// Deletes a customer or cancels a subscription. It is no error when that has been done before.
    pub(super) async fn delete(&self, path: &[&str]) -> Result<(), StripeError> {
        let deleted: Result<Object, _> = send(self.request(Method::DELETE, path)).await;
        match deleted {
            Ok(_) | Err(StripeError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Each part of the path is escaped, so that no id can lead elsewhere.
    fn request(&self, method: Method, path: &[&str]) -> RequestBuilder {
        let mut url = self.settings.api_url.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("v1").extend(path);
        }
        self.http
            .request(method, url)
            .bearer_auth(self.settings.secret_key.expose())
            .header("stripe-version", VERSION)
            .timeout(TIMEOUT)
    }
}

async fn send<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, StripeError> {
    let response = fetch(request, MAX_RESPONSE).await?;
    let (status, body) = (response.status(), response.body());
    if status.is_success() {
        return serde_json::from_slice(body)
            .map_err(|error| StripeError::Unreadable(error.to_string()));
    }
    let failure: Value = serde_json::from_slice(body).unwrap_or_default();
    let error = &failure["error"];
    let code = error["code"].as_str().or(error["type"].as_str());
    if code == Some("resource_missing") {
        return Err(StripeError::Missing);
    }
    Err(StripeError::Refused {
        status,
        code: code.unwrap_or("no reason given").to_owned(),
    })
}
