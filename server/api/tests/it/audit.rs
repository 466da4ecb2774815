//! Audits of a board (proofs, section 5): an honest board passes, and every change by its operator is found.

#![allow(
    clippy::unwrap_used,
    reason = "a scenario reports failures by panicking, as the tests do that clippy.toml spares"
)]

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use audit::{Audit, Report, Site};
use bitcoin::OutPoint;
use chain::clock::Clock;
use reqwest::Client;
use serde_json::{Value, json};

use crate::binding::app_with;
use crate::binding::files::{COIN, bound, message, statement};
use crate::jobs::execute;
use crate::published::{published, upload};
use crate::support::app::{NOW, Person, TestApp};
use crate::support::database::{TestDatabase, on_both};
use crate::support::node::{AddressType, Node, Wallet};
use crate::support::process::audit_program;

mod lies;
mod lists;
mod log;
mod mutated;
mod snapshots;
mod tampered;

/// A board that uses the system's clock, as the command does.
async fn board(node: &Node, database: TestDatabase) -> TestApp {
    let app = app_with(database, node, &[]).await;
    app.state.clock.advance(Clock::System.now() - NOW);
    app
}

/// A user who has published a proof of two coins, in this carrier.
async fn publisher<'a>(
    app: &'a TestApp,
    node: &Node,
    wallet: &Wallet<'_>,
    carrier: &str,
) -> (Person<'a>, String, Vec<OutPoint>) {
    let person = app.sign_in().await;
    let coins = wallet
        .fund_all(&[(AddressType::Bech32, COIN), (AddressType::Bech32m, COIN)])
        .await;
    let file = match carrier {
        "message" => {
            let line = statement(&person).await;
            message(wallet, &line, &coins).await.serialize()
        }
        _ => bound(app, &person, wallet, &coins).await,
    };
    let id = published(node, &person, &file).await;
    (person, id, coins)
}

/// The findings of an audit with this client.
async fn audit_with(app: &TestApp, node: &Node, client: Client) -> Report {
    audit_at(&app.origin, app, node, client).await
}

/// The findings of an audit of this address.
async fn audit_at(origin: &str, app: &TestApp, node: &Node, client: Client) -> Report {
    app.state.store.notify();
    app.caught_up().await;
    let _still = node.still().await;
    let url = origin.parse().unwrap();
    let audit = Audit {
        site: Site::new(&url, client, Duration::ZERO).unwrap(),
        chain: (*app.state.chain).clone(),
        clock: app.state.clock.clone(),
        patience: Duration::ZERO,
        progress: &|_| {},
    };
    audit.run().await.unwrap()
}

pub(crate) async fn audit(app: &TestApp, node: &Node) -> Report {
    audit_with(app, node, crate::support::http_client()).await
}

/// The command, run by a user with this home folder.
async fn command(app: &TestApp, node: &Node, home: &Path, more: &[&str]) -> Output {
    command_at(&app.origin, app, node, home, more).await
}

/// The same for the board at this address.
async fn command_at(
    origin: &str,
    app: &TestApp,
    node: &Node,
    home: &Path,
    more: &[&str],
) -> Output {
    app.state.store.notify();
    app.caught_up().await;
    let chain = format!("--chain=bitcoind:{}", node.url());
    let arguments = [origin, &chain, "--network=regtest", "--patience=0"];
    let mut program = audit_program();
    program.env("HOME", home).args(arguments).args(more);
    let _still = node.still().await;
    // The board runs in this thread, and must answer in between.
    tokio::task::spawn_blocking(move || program.output().unwrap())
        .await
        .unwrap()
}

/// The codes of the findings.
pub(crate) fn codes(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|it| it.code).collect()
}
