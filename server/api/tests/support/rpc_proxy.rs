//! A proxy in front of a node's RPC: it can fail, lie, or run code at the moment
//! at which a request is answered.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use serde_json::Value;
use url::Url;

use super::faults::serve;
use super::http_client;

/// Runs once, before the response to a call of this method goes out.
type Interruption = (
    &'static str,
    Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send>,
);

/// Changes the result of a call.
type Lie = Box<dyn Fn(&Value, &mut Value) + Send + Sync>;

pub(crate) struct RpcProxy {
    node: Url,
    /// Its address for `CHAIN`, after `bitcoind:`.
    pub(crate) url: String,
    down: AtomicBool,
    interruption: Mutex<Option<Interruption>>,
    lie: Mutex<Option<Lie>>,
}

impl RpcProxy {
    /// Starts it in front of the node at `url`.
    pub(crate) async fn start(url: &str) -> Arc<Self> {
        let node: Url = url.parse().expect("a URL");
        let slot: Arc<Mutex<Option<Arc<Self>>>> = Arc::default();
        let router = Router::new().fallback(forward).with_state(slot.clone());
        let address = serve(router).await;
        let mut own = node.clone();
        own.set_port(Some(address.port()))
            .expect("an address with a port");
        let proxy = Arc::new(Self {
            node,
            url: own.to_string(),
            down: AtomicBool::new(false),
            interruption: Mutex::default(),
            lie: Mutex::default(),
        });
        *slot.lock().expect("no panic") = Some(proxy.clone());
        proxy
    }

    /// Whether it answers every call with an error.
    pub(crate) fn set_down(&self, down: bool) {
        self.down.store(down, Ordering::SeqCst);
    }

    /// Runs `interruption` once, before the next response to `method` goes out.
    pub(crate) fn interrupt(
        &self,
        method: &'static str,
        what: impl FnOnce() -> BoxFuture<'static, ()> + Send + 'static,
    ) {
        *self.interruption.lock().expect("no panic") = Some((method, Box::new(what)));
    }

    /// Changes the results of calls from now on: gets the call and its result.
    pub(crate) fn lie(&self, lie: impl Fn(&Value, &mut Value) + Send + Sync + 'static) {
        *self.lie.lock().expect("no panic") = Some(Box::new(lie));
    }

    /// Forwards honestly again.
    pub(crate) fn be_honest(&self) {
        *self.lie.lock().expect("no panic") = None;
    }

    async fn answer(&self, headers: &HeaderMap, body: Bytes) -> Response {
        if self.down.load(Ordering::SeqCst) {
            return StatusCode::BAD_GATEWAY.into_response();
        }
        let calls: Value = serde_json::from_slice(&body).expect("a batch of calls");
        let mut request = http_client().post(self.node.clone()).body(body);
        for name in ["authorization", "content-type"] {
            if let Some(value) = headers.get(name) {
                request = request.header(name, value);
            }
        }
        let answer = request.send().await.expect("the node answers");
        let status = answer.status();
        let mut results: Value = answer.json().await.expect("JSON");
        if let Some(lie) = &*self.lie.lock().expect("no panic") {
            let calls = calls.as_array().into_iter().flatten();
            let results = results.as_array_mut().into_iter().flatten();
            for (call, result) in calls.zip(results) {
                lie(call, &mut result["result"]);
            }
        }
        let asked = |method: &str| {
            let mut calls = calls.as_array().into_iter().flatten();
            calls.any(|call| call["method"] == method)
        };
        let interruption = {
            let mut armed = self.interruption.lock().expect("no panic");
            match &*armed {
                Some((method, _)) if asked(method) => armed.take(),
                _ => None,
            }
        };
        if let Some((_, what)) = interruption {
            what().await;
        }
        (status, results.to_string()).into_response()
    }
}

async fn forward(
    State(slot): State<Arc<Mutex<Option<Arc<RpcProxy>>>>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let proxy = slot.lock().expect("no panic").clone();
    proxy
        .expect("set at the start")
        .answer(&headers, body)
        .await
}
