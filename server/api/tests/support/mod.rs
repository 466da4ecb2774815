//! Shared by all tests: a real node, its wallets, and servers that work or fail.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Fails, with the value, unless it has this form.
macro_rules! assert_matches {
    ($value:expr, $form:pat $(if $guard:expr)?) => {
        match &$value {
            $form $(if $guard)? => {}
            value => panic!("{value:?} is not {}", stringify!($form)),
        }
    };
}

pub(crate) mod app;
pub(crate) mod cut_off;
pub(crate) mod database;
pub(crate) mod document;
pub(crate) mod electrum_lies;
pub(crate) mod electrumx;
pub(crate) mod esplora;
pub(crate) mod faults;
pub(crate) mod keeper;
pub(crate) mod node;
pub(crate) mod oracle;
pub(crate) mod process;
pub(crate) mod providers;
pub(crate) mod rooms;
pub(crate) mod rpc_proxy;
pub(crate) mod session;
pub(crate) mod sign_in;
pub(crate) mod signers;
pub(crate) mod stand_in;
pub(crate) mod stripe;
pub(crate) mod tunnel;
pub(crate) mod witness;

/// What most tests use.
pub(crate) mod prelude {
    pub(crate) use base64::Engine;
    pub(crate) use base64::engine::general_purpose::STANDARD;
    pub(crate) use futures_util::future::join_all;
    pub(crate) use reqwest::{Method, StatusCode};
    pub(crate) use serde_json::{Value, json};

    pub(crate) use super::app::{Answer, Person, TestApp, answer};
    pub(crate) use super::database::{TestDatabase, on_both};
    pub(crate) use super::node::{AddressType, Node};
    pub(crate) use super::{text, until};
    pub(crate) use crate::people::{identity, prove, sign_in};
}

/// The next event of a stream, without keep-alive lines.
pub(crate) async fn event(stream: &mut reqwest::Response) -> String {
    let event = async {
        loop {
            let part = stream.chunk().await.expect("a stream").expect("an event");
            let part = String::from_utf8_lossy(&part);
            if part.contains("event: ") {
                return part.into_owned();
            }
        }
    };
    let event = tokio::time::timeout(Duration::from_secs(60), event).await;
    event.expect("an event within a minute")
}

/// A client for tests. It keeps no connections: a connection belongs to the runtime of the test
/// that made it, and the client is shared by all of them. It never uses a proxy.
pub(crate) fn http_client() -> reqwest::Client {
    static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
    CLIENT
        .get_or_init(|| {
            reqwest::Client::builder()
                .no_proxy()
                .pool_max_idle_per_host(0)
                .build()
                .expect("a client without special wishes")
        })
        .clone()
}

/// The same, which follows no redirects.
pub(crate) fn direct_client() -> reqwest::Client {
    static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
    CLIENT
        .get_or_init(|| {
            let client = reqwest::Client::builder().no_proxy();
            let client = client.redirect(reqwest::redirect::Policy::none());
            let client = client.pool_max_idle_per_host(0).build();
            client.expect("a client without special wishes")
        })
        .clone()
}

/// A text in a JSON value.
pub(crate) fn text(value: &serde_json::Value) -> String {
    let text = value.as_str();
    text.unwrap_or_else(|| panic!("not a text: {value}"))
        .to_owned()
}

/// The size of a run: `./test all` takes the long one.
pub(crate) fn size<T>(short: T, long: T) -> T {
    match std::env::var_os("LONG_RUNS") {
        Some(_) => long,
        None => short,
    }
}

/// Waits until `done` has a value, and fails after a while.
pub(crate) async fn until<T>(what: &str, mut done: impl AsyncFnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(value) = done().await {
            return value;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{what} took too long"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
