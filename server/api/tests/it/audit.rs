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

/// A board that uses the system's clock, behind a proxy that answers its visitors, and someone who audits it with the command,
/// and keeps what it saw in a home folder.
struct Fixture<'n> {
    node: &'n Node,
    proxy: Arc<Proxy>,
    app: TestApp,
    home: TempDir,
}

impl Fixture<'static> {
    async fn new() -> Self {
        Self::on(Node::shared().await, &[]).await
    }

    /// A board with ten holders and two other users, all of them in its log.
    async fn logged() -> Self {
        let fixture = Self::new().await;
        lists::people(&fixture.app, 10, 2).await;
        fixture.node.mine(1).await;
        fixture.log_newest().await;
        fixture
    }
}

impl<'n> Fixture<'n> {
    async fn on(node: &'n Node, settings: &[&str]) -> Self {
        let proxy = Proxy::start().await;
        let app = board(node, &proxy, TestDatabase::sqlite().await, settings).await;
        proxy.stand_before(&app.origin);
        Self {
            node,
            proxy,
            app,
            home: tempfile::tempdir().unwrap(),
        }
    }

    /// From now on visitors get what a board would answer after this change to its database. The log is the honest one.
    async fn pretend(&self, change: &str) -> TestApp {
        let twin = TestDatabase::sqlite().await;
        let copy = format!("vacuum into '{}'", twin.files()[0].display());
        execute(&self.app.state.store, copy).await;
        let twin = board(self.node, &self.proxy, twin, &[]).await;
        execute(&twin.state.store, change).await;
        twin.state.store.notify();
        twin.caught_up().await;
        let other = |path: &str| !path.starts_with("/log");
        self.proxy.tell_like(&twin.origin, other);
        twin
    }

    /// A user who has published a proof of two coins, in this carrier.
    async fn publisher(&self, wallet: &Wallet<'_>, carrier: &str) -> Publisher<'_> {
        let person = self.app.sign_in().await;
        let kinds = [AddressType::Bech32, AddressType::Bech32m].map(|kind| (kind, COIN));
        let coins = wallet.fund_all(&kinds).await;
        let file = match carrier {
            "message" => {
                let line = statement(&person).await;
                message(wallet, &line, &coins).await.serialize()
            }
            _ => bound(&self.app, &person, wallet, &coins).await,
        };
        let id = published(self.node, &person, &file).await;
        (person, id, coins)
    }

    /// Follows the chain to its newest block, and adds the entries of the log that are due.
    async fn log_newest(&self) {
        let _still = self.node.still().await;
        crate::board_log::log(&self.app).await;
    }

    /// Adds a user, then a block at which the log records it.
    async fn grow(&self) {
        self.app.sign_in().await;
        self.node.mine(1).await;
        self.log_newest().await;
    }

    /// The findings of an audit.
    async fn report(&self) -> Report {
        self.report_with(http_client()).await
    }

    /// The same with this client.
    async fn report_with(&self, client: Client) -> Report {
        let _still = self.node.still().await;
        audit_at(&self.proxy.url, &self.app, client, Duration::ZERO).await
    }

    /// Forgets what an audit has kept.
    fn forget(&mut self) {
        self.home = tempfile::tempdir().unwrap();
    }

    /// Runs the command, while no test mines.
    async fn run(&self, more: &[&str]) -> Ended {
        let _still = self.node.still().await;
        self.run_anyway(more).await
    }

    /// Runs the command.
    async fn run_anyway(&self, more: &[&str]) -> Ended {
        self.app.state.store.notify();
        self.app.caught_up().await;
        let chain = format!("--chain=bitcoind:{}", self.node.url());
        let mut program = audit_program();
        program.env("HOME", self.home.path());
        program.args([&self.proxy.url, "--network=regtest", "--patience=0"]);
        if !more.iter().any(|it| it.starts_with("--chain=")) {
            program.arg(chain);
        }
        program.args(more);
        // The board runs in this thread, and must answer in between.
        let ended = tokio::task::spawn_blocking(move || ended(&mut program));
        ended.await.unwrap()
    }

    /// The audit passes. Returns what it says.
    async fn expect_pass(&self, more: &[&str]) -> String {
        self.run(more).await.done()
    }

    /// The audit fails, and this is part of what it says. Returns all of that.
    async fn expect_failure(&self, part: &str) -> String {
        let ended = self.run(&[]).await;
        let found = !ended.status.success() && ended.out.contains(part);
        assert!(found, "{part}: {ended:?}");
        ended.out
    }

    /// The audit fails, and this is part of what it calls false. Returns all of that.
    async fn expect_false(&self, part: &str) -> String {
        let said = self.expect_failure(part).await;
        let (_, of_false) = said.split_once("\nFalse\n").unwrap_or_default();
        assert!(of_false.contains(part), "{part}: {said}");
        of_false.to_owned()
    }
}

/// A board at the proxy's address.
async fn board(node: &Node, at: &Proxy, database: TestDatabase, settings: &[&str]) -> TestApp {
    let public = format!("--public-url={}", at.url);
    let app = app_with(database, node, &[&[&*public], settings].concat()).await;
    app.state.clock.advance(Clock::System.now() - NOW);
    app
}

/// A user, a proof and its coins.
type Publisher<'a> = (Person<'a>, String, Vec<OutPoint>);

/// The findings that stay for so long.
async fn audit_at(origin: &str, app: &TestApp, client: Client, patience: Duration) -> Report {
    app.state.store.notify();
    app.caught_up().await;
    let url = origin.parse().unwrap();
    let audit = Audit {
        site: Site::new(&url, client, patience).unwrap(),
        chain: (*app.state.chain).clone(),
        clock: app.state.clock.clone(),
        progress: &|_| {},
    };
    audit.run().await.unwrap()
}

/// Fails unless nothing was found.
#[track_caller]
pub(crate) fn nothing(report: &Report) {
    assert_eq!(codes(report), [""; 0], "{report:?}");
}

/// The codes of the findings.
fn codes(report: &Report) -> Vec<&'static str> {
    report.findings.iter().map(|it| it.code).collect()
}
