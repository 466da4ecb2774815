//! A stand-in for Stripe, which works or fails.

use std::sync::MutexGuard;

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::response::{Json, Response};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tokio::sync::Notify;

use crate::support::prelude::*;

/// The key that it accepts.
pub(crate) const KEY: &str = "sk_test_of_the_tests";
/// The secret that it signs with.
pub(crate) const SECRET: &str = "whsec_of_the_tests";
/// The price that is sold.
pub(crate) const PRICE: &str = "price_premium";

/// The stand-in, on its own port.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stripe {
    /// Its address.
    pub(crate) url: String,
    world: Arc<Mutex<World>>,
}

/// Everything it stores.
#[derive(Debug, Default)]
pub(crate) struct World {
    /// Customers by id.
    pub(crate) customers: BTreeMap<String, Value>,
    /// Subscriptions by id.
    pub(crate) subscriptions: BTreeMap<String, Value>,
    /// Checkouts by id.
    pub(crate) checkouts: BTreeMap<String, Value>,
    /// Method and path of every call.
    pub(crate) calls: Vec<String>,
    /// While set, every call gets this status.
    pub(crate) failing: Option<StatusCode>,
    /// Holds back the next response about a path that contains this text.
    pub(crate) gate: Option<(&'static str, Gate)>,
    /// The responses by idempotency key, and the form of each.
    answered: HashMap<String, (String, Outcome)>,
    made: u32,
}

/// Holds back a response that is already decided.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gate {
    /// Notified when the response is held.
    pub(crate) arrived: Arc<Notify>,
    /// Lets the held response go.
    pub(crate) open: Arc<Notify>,
}

type Outcome = (StatusCode, Value);

impl Stripe {
    pub(crate) async fn start() -> Self {
        let mut stripe = Self::default();
        stripe.url = serve(Router::new().fallback(answer).with_state(stripe.clone())).await;
        stripe
    }

    /// A server that uses it, with more arguments.
    pub(crate) async fn sold_at(&self, database: TestDatabase, more: &[&str]) -> TestApp {
        let own = [
            format!("--stripe-secret-key={KEY}"),
            format!("--stripe-webhook-secret=whsec_before,{SECRET}"),
            format!("--stripe-price-id={PRICE},price_of_last_year"),
            format!("--stripe-api-url={}", self.url),
        ];
        let arguments = [&own.each_ref().map(String::as_str)[..], more].concat();
        TestApp::start(database, &arguments).await
    }

    /// Its state, to read and to change.
    pub(crate) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().expect("nobody panicked")
    }

    /// A buyer pays: the checkout is complete and has a subscription; returns its id.
    pub(crate) fn pay(&self, checkout_id: &str) -> String {
        let mut world = self.world();
        let checkout = world.checkouts[checkout_id].clone();
        let id = world.subscribe(&text(&checkout["customer"]), &text(&checkout["price"]));
        let checkout = world.checkouts.get_mut(checkout_id).expect("a checkout");
        checkout["status"] = json!("complete");
        checkout["url"] = Value::Null;
        checkout["subscription"] = json!(id);
        id
    }
}

impl World {
    /// A subscription that is paid for.
    pub(crate) fn subscribe(&mut self, customer: &str, price: &str) -> String {
        let id = self.id("sub");
        let subscription = json!({
            "id": id, "object": "subscription", "customer": customer, "status": "active", "livemode": false,
            "created": self.made, "cancel_at_period_end": false, "metadata": {},
            "items": {"object": "list", "has_more": false, "data": [
                {"id": "si_1", "object": "subscription_item", "quantity": 1,
                 "price": {"id": price, "object": "price", "livemode": false}},
            ]},
        });
        self.subscriptions.insert(id.clone(), subscription);
        id
    }

    /// Sets a subscription's status.
    pub(crate) fn set_status(&mut self, subscription: &str, status: &str) {
        let subscription = self.subscriptions.get_mut(subscription);
        subscription.expect("a subscription")["status"] = json!(status);
    }

    fn id(&mut self, kind: &str) -> String {
        self.made += 1;
        format!("{kind}_{:08}", self.made)
    }

    fn call(&mut self, method: &Method, path: &str, query: &str, form: &str) -> Outcome {
        let parsed = |text: &str| -> HashMap<String, String> {
            let fields = url::form_urlencoded::parse(text.as_bytes());
            fields.into_owned().collect()
        };
        let (fields, asked) = (parsed(form), parsed(query));
        let of_customer = |it: &&Value| it["customer"] == json!(asked.get("customer"));
        let parts: Vec<&str> = path.trim_matches('/').split('/').skip(1).collect();
        match (method.as_str(), parts.as_slice()) {
            ("POST", ["customers"]) => {
                let id = self.id("cus");
                let made = json!({"id": id, "object": "customer", "livemode": false, "email": fields.get("email"),
                    "metadata": {"billing_account": fields.get("metadata[billing_account]")}});
                self.customers.insert(id, made.clone());
                (StatusCode::OK, made)
            }
            ("GET", ["customers", id]) => found(self.customers.get(*id)),
            ("DELETE", ["customers", id]) => self.delete_customer(id),
            ("POST", ["checkout", "sessions"]) => self.check_out(&fields),
            ("POST", ["checkout", "sessions", id, "expire"]) => self.expire(id),
            ("GET", ["checkout", "sessions"]) => {
                let with_status = |it: &&Value| it["status"] == asked["status"];
                let checkouts = self.checkouts.values();
                list(checkouts.filter(of_customer).filter(with_status))
            }
            ("GET", ["subscriptions"]) => {
                let running = |it: &&Value| it["status"] != "canceled";
                // The newest first.
                let all = self.subscriptions.values().rev();
                list(all.filter(of_customer).filter(running))
            }
            ("GET", ["subscriptions", id]) => found(self.subscriptions.get(*id)),
            ("DELETE", ["subscriptions", id]) => match self.subscriptions.get_mut(*id) {
                Some(subscription) if subscription["status"] != "canceled" => {
                    subscription["status"] = json!("canceled");
                    found(Some(subscription))
                }
                _ => found(None),
            },
            _ => found(None),
        }
    }

    pub(crate) fn delete_customer(&mut self, id: &str) -> Outcome {
        match self.customers.get_mut(id) {
            Some(customer) if customer["deleted"] != true => {
                *customer = json!({"id": id, "object": "customer", "deleted": true});
                for subscription in self.subscriptions.values_mut() {
                    if subscription["customer"] == id {
                        subscription["status"] = json!("canceled");
                    }
                }
                found(Some(customer))
            }
            _ => found(None),
        }
    }

    fn expire(&mut self, id: &str) -> Outcome {
        match self.checkouts.get_mut(id) {
            Some(checkout) if checkout["status"] == "open" => {
                checkout["status"] = json!("expired");
                checkout["url"] = Value::Null;
                found(Some(checkout))
            }
            Some(_) => problem(400, "invalid_request_error", ""),
            None => found(None),
        }
    }

    fn check_out(&mut self, fields: &HashMap<String, String>) -> Outcome {
        let field = |name: &str| fields.get(name).map_or("", String::as_str);
        let customer = self.customers.get(field("customer"));
        if customer.is_none_or(|customer| customer["deleted"] == true)
            || field("line_items[0][price]") != PRICE
        {
            return problem(400, "invalid_request_error", "resource_missing");
        }
        for (name, value) in [("mode", "subscription"), ("line_items[0][quantity]", "1")] {
            assert_eq!(field(name), value);
        }
        let id = self.id("cs_test");
        let made = json!({
            "id": id, "object": "checkout.session", "status": "open", "livemode": false,
            "url": format!("https://checkout.stripe.com/c/pay/{id}"), "subscription": null,
            "customer": field("customer"), "price": field("line_items[0][price]"),
            "client_reference_id": field("client_reference_id"),
            "success_url": field("success_url"), "cancel_url": field("cancel_url"),
        });
        self.checkouts.insert(id, made.clone());
        (StatusCode::OK, made)
    }
}

fn list<'a>(objects: impl Iterator<Item = &'a Value>) -> Outcome {
    let data: Vec<_> = objects.cloned().collect();
    let list = json!({"object": "list", "has_more": false, "data": data});
    (StatusCode::OK, list)
}

fn found(object: Option<&Value>) -> Outcome {
    let missing = || problem(404, "invalid_request_error", "resource_missing");
    object.map_or_else(missing, |object| (StatusCode::OK, object.clone()))
}

fn problem(status: u16, kind: &str, code: &str) -> Outcome {
    let status = StatusCode::from_u16(status).expect("a status");
    let error = json!({"type": kind, "code": code, "message": "Something is wrong."});
    (status, json!({ "error": error }))
}

async fn answer(State(stripe): State<Stripe>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let form = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let form = String::from_utf8(form.to_vec()).expect("a form");
    let path = parts.uri.path();
    let (outcome, gate) = {
        let mut world = stripe.world();
        world.calls.push(format!("{} {path}", parts.method));
        let outcome = decide(&mut world, &parts, form);
        let gate = world.gate.take_if(|(words, _)| path.contains(*words));
        (outcome, gate)
    };
    if let Some((_, gate)) = gate {
        gate.arrived.notify_one();
        gate.open.notified().await;
    }
    (outcome.0, Json(outcome.1)).into_response()
}

fn decide(world: &mut World, request: &Parts, form: String) -> Outcome {
    let header = |name: &str| request.headers.get(name).and_then(|it| it.to_str().ok());
    if header("authorization") != Some(&format!("Bearer {KEY}")) {
        return problem(401, "invalid_request_error", "");
    }
    assert!(header("stripe-version").is_some_and(|version| version.starts_with("20")));
    let key = header("idempotency-key");
    if let Some((before, outcome)) = key.and_then(|key| world.answered.get(key)) {
        return match *before == form {
            true => outcome.clone(),
            false => problem(400, "idempotency_error", ""),
        };
    }
    let outcome = match world.failing {
        // A refused call is not remembered.
        Some(StatusCode::TOO_MANY_REQUESTS) => {
            return problem(429, "invalid_request_error", "rate_limit");
        }
        Some(status) => problem(status.as_u16(), "api_error", ""),
        None => {
            let query = request.uri.query().unwrap_or_default();
            world.call(&request.method, request.uri.path(), query, &form)
        }
    };
    if let Some(key) = key {
        let answered = (form, outcome.clone());
        world.answered.insert(key.to_owned(), answered);
    }
    outcome
}

/// An event about an object, of test mode.
pub(crate) fn event(id: &str, kind: &str, object: &Value) -> Value {
    json!({
        "id": id, "object": "event", "api_version": "2026-02-25.clover", "type": kind, "livemode": false,
        "created": 1, "pending_webhooks": 1, "data": {"object": object},
    })
}

/// The header that signs a body at this time.
pub(crate) fn sign(secret: &str, time: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{time}.{body}").as_bytes());
    format!("t={time},v1={}", hex::encode(mac.finalize().into_bytes()))
}
