//! Shared by all tests: a real node, its wallets, and servers that work or fail.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use reqwest::redirect::Policy;

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
pub(crate) mod child_process;
pub(crate) mod database;
pub(crate) mod document;
pub(crate) mod double;
pub(crate) mod esplora;
pub(crate) mod exchanges;
pub(crate) mod faults;
pub(crate) mod node;
pub(crate) mod oracle;
pub(crate) mod process;
pub(crate) mod providers;
pub(crate) mod proxy;
pub(crate) mod rooms;
pub(crate) mod sign_in;
pub(crate) mod signers;
pub(crate) mod small_disk;
pub(crate) mod stripe;
pub(crate) mod tunnel;
pub(crate) mod witness;

/// What most tests use.
pub(crate) mod prelude {
    pub(crate) use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
    pub(crate) use std::path::Path;
    pub(crate) use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    pub(crate) use std::sync::{Arc, Mutex};
    pub(crate) use std::time::{Duration, Instant};

    pub(crate) use api::jobs::Next;
    pub(crate) use api::proof::{SubmitError, VALIDITY};
    pub(crate) use axum::Router;
    pub(crate) use axum::response::IntoResponse;
    pub(crate) use axum::routing::get;
    pub(crate) use base64::Engine;
    pub(crate) use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
    pub(crate) use bitcoin::absolute::LockTime;
    pub(crate) use bitcoin::consensus::encode::{serialize, serialize_hex};
    pub(crate) use bitcoin::constants::genesis_block;
    pub(crate) use bitcoin::hashes::Hash;
    pub(crate) use bitcoin::{Amount, BlockHash, Network, OutPoint, Psbt, ScriptBuf};
    pub(crate) use bitcoin::{Sequence, Transaction, TxOut, Txid, Witness};
    pub(crate) use chain::clock::{Clock, DAY};
    pub(crate) use chain::{Chain, ChainError, ChainSource};
    pub(crate) use futures_util::future::join_all;
    pub(crate) use futures_util::{FutureExt, StreamExt};
    pub(crate) use reqwest::{Client, Method, RequestBuilder, StatusCode};
    pub(crate) use serde_json::{Value, json};
    pub(crate) use sqlx::{Connection, PgConnection};
    pub(crate) use store::binding::Binding;
    pub(crate) use store::chain_cursor::Block;
    pub(crate) use store::claims::change::ClaimChanges;
    pub(crate) use store::claims::{NewClaim, NewProof, Recorded};
    pub(crate) use store::profiles::{Identity, Profile};
    pub(crate) use store::sessions::AuthCode;
    pub(crate) use store::shown_as::ShownAs;
    pub(crate) use store::{Database, Store};
    pub(crate) use tempfile::TempDir;
    pub(crate) use url::Url;
    pub(crate) use uuid::Uuid;

    pub(crate) use super::app::{
        Answer, NOW, Person, SUBMIT, TestApp, answer, port, session_id, with_headers,
    };
    pub(crate) use super::database::{
        TestDatabase, columns, contents, number, on_both, run, texts,
    };
    pub(crate) use super::esplora::EsploraServer;
    pub(crate) use super::faults::serve;
    pub(crate) use super::node::{AddressType, Node, SomePsbt, Terms, Wallet, script_of};
    pub(crate) use super::process::{ServerProcess, operate, program};
    pub(crate) use super::proxy::Proxy;
    pub(crate) use super::rooms::{Member, Rooms};
    pub(crate) use super::sign_in::{challenge, location, sign_in_at, sign_in_from, verifier};
    pub(crate) use super::{direct_client, has, http_client, lasting_client, size, table, text};
    pub(crate) use super::{until, wait_until};
    pub(crate) use crate::jobs::{execute, set_tier};
    pub(crate) use crate::people::{called, claim, identity, nameless, proof_at, prove, sign_in};
}

/// A client for tests. It keeps no connections: a connection belongs to the runtime of the test
/// that made it, and the client is shared by all of them. It never uses a proxy.
pub(crate) fn http_client() -> reqwest::Client {
    static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
    CLIENT.get_or_init(|| client(Policy::default(), 0)).clone()
}

/// The same, which follows no redirects.
pub(crate) fn direct_client() -> reqwest::Client {
    static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
    CLIENT.get_or_init(|| client(Policy::none(), 0)).clone()
}

/// A client of one test, which keeps its connections.
pub(crate) fn lasting_client() -> reqwest::Client {
    client(Policy::default(), usize::MAX)
}

fn client(redirects: Policy, idle: usize) -> reqwest::Client {
    let client = reqwest::Client::builder().no_proxy().redirect(redirects);
    client.pool_max_idle_per_host(idle).build().unwrap()
}

/// A text in a JSON value.
pub(crate) fn text(value: &serde_json::Value) -> String {
    let text = value.as_str().map(str::to_owned);
    text.unwrap_or_else(|| panic!("not a text: {value}"))
}

/// Fails unless the text has all these parts.
#[track_caller]
pub(crate) fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

/// The rows of a table in text: one in each line, with `|` between its cells.
pub(crate) fn table<const CELLS: usize>(text: &str) -> impl Iterator<Item = [&str; CELLS]> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        cells.try_into().expect(line)
    })
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
        assert!(begin.elapsed().as_secs() < 60, "{what} took too long");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The same for a condition.
pub(crate) async fn wait_until(what: &str, mut done: impl AsyncFnMut() -> bool) {
    until(what, async || done().await.then_some(())).await;
}
