//! The few calls of the Stripe API that are needed, over the server's own HTTP client.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::Url;
use url::form_urlencoded::Serializer;

use crate::config::Secret;
use crate::outbound::body::{BodyError, read_at_most};

/// The version whose shapes are read below, whatever the account's default is.
const VERSION: &str = "2026-02-25.clover";

/// The longest that a call may take. The provider gives up on an event after 20 seconds.
const TIMEOUT: Duration = Duration::from_secs(8);

/// The largest answer that is read, in bytes.
const MAX_ANSWER: usize = 1024 * 1024;

/// The API, with the key of this server.
#[derive(Debug)]
pub(super) struct Stripe {
    api: Url,
    authorization: HeaderValue,
    http: reqwest::Client,
}

/// Why a call failed. No message holds the key.
#[derive(Debug, thiserror::Error)]
pub enum StripeError {
    /// The key has characters that no header can carry.
    #[error("STRIPE_SECRET_KEY is not a key")]
    Key,
    #[error("the payment provider does not answer: {0}")]
    Unreachable(String),
    /// There is no such object, or none in the mode of our key.
    #[error("the payment provider knows no such object")]
    Missing,
    #[error("the payment provider answered {status}: {code}")]
    Refused { status: StatusCode, code: String },
    #[error("the payment provider gave an answer that cannot be read: {0}")]
    Unreadable(String),
}

/// A subscription, as far as it matters here.
#[derive(Debug, Deserialize)]
pub(super) struct Subscription {
    pub(super) id: String,
    pub(super) customer: String,
    /// Unix seconds.
    pub(super) created: i64,
    /// `active`, `past_due` and so on.
    pub(super) status: String,
    pub(super) livemode: bool,
    /// What is paid for.
    pub(super) items: List<Item>,
}

/// A line of a subscription.
#[derive(Debug, Deserialize)]
pub(super) struct Item {
    pub(super) price: Object,
}

#[derive(Debug, Deserialize)]
pub(super) struct List<T> {
    pub(super) data: Vec<T>,
}

/// Anything of which only the id matters.
#[derive(Debug, Deserialize)]
pub(super) struct Object {
    pub(super) id: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Customer {
    #[serde(default)]
    pub(super) deleted: bool,
}

/// A visit to the provider's payment page.
#[derive(Debug, Deserialize)]
pub(super) struct CheckoutSession {
    pub(super) id: String,
    /// `open`, `complete` or `expired`.
    pub(super) status: Option<String>,
    /// Where the buyer goes, while it is open.
    pub(super) url: Option<String>,
}

#[derive(Deserialize)]
struct Failure {
    error: FailureDetails,
}

#[derive(Deserialize)]
struct FailureDetails {
    #[serde(rename = "type")]
    kind: Option<String>,
    code: Option<String>,
}

impl Stripe {
    pub(super) fn new(api: Url, key: &Secret, http: reqwest::Client) -> Result<Self, StripeError> {
        let bearer = format!("Bearer {}", key.expose());
        let mut authorization = HeaderValue::try_from(bearer).map_err(|_| StripeError::Key)?;
        authorization.set_sensitive(true);
        Ok(Self {
            api,
            authorization,
            http,
        })
    }

    /// Reads an object, `["subscriptions", id]` for example.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &[&str]) -> Result<T, StripeError> {
        send(self.request(Method::GET, path)).await
    }

    /// The subscriptions of a customer that have not ended.
    pub(super) async fn running_subscriptions(
        &self,
        customer_id: &str,
    ) -> Result<Vec<Subscription>, StripeError> {
        self.list(&["subscriptions"], &[("customer", customer_id)])
            .await
    }

    /// The payment pages at which a customer can still pay.
    pub(super) async fn open_checkouts(
        &self,
        customer_id: &str,
    ) -> Result<Vec<Object>, StripeError> {
        let which = [("customer", customer_id), ("status", "open")];
        self.list(&["checkout", "sessions"], &which).await
    }

    /// What there is of these for a customer; none for a customer that is missing.
    async fn list<T: DeserializeOwned>(
        &self,
        path: &[&str],
        which: &[(&str, &str)],
    ) -> Result<Vec<T>, StripeError> {
        let request = self.request(Method::GET, path).query(which);
        match send::<List<T>>(request.query(&[("limit", "100")])).await {
            Ok(list) => Ok(list.data),
            Err(StripeError::Missing) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Makes an object. The same key within a day makes it once, however often it is sent.
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

    /// Closes a payment page at which nobody has paid.
    pub(super) async fn expire_checkout(&self, id: &str) -> Result<(), StripeError> {
        let path = ["checkout", "sessions", id, "expire"];
        let key = format!("expire-{id}");
        let _: Object = self.create(&path, &[], &key).await?;
        Ok(())
    }

    /// Ends an object for good. One that is gone already is as good.
    pub(super) async fn delete(&self, path: &[&str]) -> Result<(), StripeError> {
        let ended: Result<Object, _> = send(self.request(Method::DELETE, path)).await;
        match ended {
            Ok(_) | Err(StripeError::Missing) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Each part of the path is escaped, so that no id can lead elsewhere.
    fn request(&self, method: Method, path: &[&str]) -> RequestBuilder {
        let mut url = self.api.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("v1").extend(path);
        }
        self.http
            .request(method, url)
            .header(AUTHORIZATION, self.authorization.clone())
            .header("stripe-version", VERSION)
            .timeout(TIMEOUT)
    }
}

async fn send<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, StripeError> {
    let failed = |error: reqwest::Error| StripeError::Unreachable(error.without_url().to_string());
    let response = request.send().await.map_err(failed)?;
    let status = response.status();
    let body = read_at_most(response, MAX_ANSWER)
        .await
        .map_err(|error| match error {
            BodyError::TooLong => StripeError::Unreadable("it is too long".to_owned()),
            BodyError::Http(error) => failed(error),
        })?;
    if status.is_success() {
        return serde_json::from_slice(&body)
            .map_err(|error| StripeError::Unreadable(error.to_string()));
    }
    let details = serde_json::from_slice(&body).map(|failure: Failure| failure.error);
    let code = details
        .ok()
        .and_then(|details| details.code.or(details.kind));
    if code.as_deref() == Some("resource_missing") {
        return Err(StripeError::Missing);
    }
    Err(StripeError::Refused {
        status,
        code: code.unwrap_or_else(|| "no reason given".to_owned()),
    })
}
