//! Audits of a board (proofs, section 5): an honest board passes, and every change by its operator is found.

use audit::{Audit, Report, Site};

use crate::binding::app_with;
use crate::binding::files::{COIN, bound, message, statement};
use crate::published::{published, upload};
use crate::support::prelude::*;
use crate::support::process::{Ended, audit_program, ended};

mod busy;
mod lies;
mod lists;
mod log;
mod mutated;
mod snapshots;
mod tampered;

/// A board that uses the system's clock, as the command does.
async fn board(node: &Node) -> TestApp {
    board_with(node, &[]).await
}

async fn board_with(node: &Node, settings: &[&str]) -> TestApp {
    let app = app_with(TestDatabase::sqlite().await, node, settings).await;
    app.state.clock.advance(Clock::System.now() - NOW);
    app
}

/// A board behind a proxy that answers its visitors.
async fn board_behind(node: &Node) -> (Arc<Proxy>, TestApp) {
    let proxy = Proxy::start().await;
    let app = board_with(node, &[&format!("--public-url={}", proxy.url)]).await;
    proxy.stand_before(&app.origin);
    (proxy, app)
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
    patient_audit(origin, app, client, Duration::ZERO).await
}

/// The findings that stay for so long.
async fn patient_audit(origin: &str, app: &TestApp, client: Client, patience: Duration) -> Report {
    let url = origin.parse().unwrap();
    let audit = Audit {
        site: Site::new(&url, client, patience).unwrap(),
        chain: (*app.state.chain).clone(),
        clock: app.state.clock.clone(),
        progress: &|_| {},
    };
    audit.run().await.unwrap()
}

pub(crate) async fn audit(app: &TestApp, node: &Node) -> Report {
    audit_with(app, node, http_client()).await
}

/// Someone who audits a board with the command, and keeps what it saw in a home folder.
struct Auditor<'a> {
    origin: &'a str,
    app: &'a TestApp,
    node: &'a Node,
    home: TempDir,
}

impl<'a> Auditor<'a> {
    fn new(app: &'a TestApp, node: &'a Node) -> Self {
        Self::at(&app.origin, app, node)
    }

    /// The same for the board at this address.
    fn at(origin: &'a str, app: &'a TestApp, node: &'a Node) -> Self {
        let home = tempfile::tempdir().unwrap();
        Self {
            origin,
            app,
            node,
            home,
        }
    }

    async fn run(&self, more: &[&str]) -> Ended {
        self.app.state.store.notify();
        self.app.caught_up().await;
        let chain = format!("--chain=bitcoind:{}", self.node.url());
        let arguments = [self.origin, &chain, "--network=regtest", "--patience=0"];
        let mut program = audit_program();
        program.env("HOME", self.home.path());
        program.args(arguments).args(more);
        let _still = self.node.still().await;
        // The board runs in this thread, and must answer in between.
        let ended = tokio::task::spawn_blocking(move || ended(&mut program));
        ended.await.unwrap()
    }

    /// The audit passes. Returns what it says.
    async fn passes(&self, more: &[&str]) -> String {
        self.run(more).await.done()
    }

    /// The audit fails, and this is part of what it says. Returns all of that.
    async fn fails(&self, more: &[&str], part: &str) -> String {
        let ended = self.run(more).await;
        let said = &ended.out;
        assert!(
            !ended.status.success() && said.contains(part),
            "{part}: {ended:?}"
        );
        ended.out
    }

    /// The audit fails, and this is part of what it calls false. Returns all of that.
    async fn finds(&self, part: &str) -> String {
        let said = self.fails(&[], part).await;
        let (_, of_false) = said.split_once("\nFalse\n").unwrap_or_default();
        assert!(of_false.contains(part), "{part}: {said}");
        of_false.to_owned()
    }
}

/// Follows the chain to its newest block, and adds the entries of the log that are due.
async fn log_newest(app: &TestApp, node: &Node) {
    let _still = node.still().await;
    app.caught_up().await;
    let followed = app.state.follower.advance(api::follow::ALL);
    followed.await.unwrap();
    while app.state.history.step().await.unwrap() == Next::AtOnce {}
}

/// Adds a user, then a block at which the log records it.
async fn grow(app: &TestApp, node: &Node) {
    app.sign_in().await;
    node.mine(1).await;
    log_newest(app, node).await;
}

/// The codes of the findings.
pub(crate) fn codes(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|it| it.code).collect()
}
