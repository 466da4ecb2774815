//! Live updates: every change reaches every open page on every replica, even when the replica that made it dies, and a
//! page that reconnects misses nothing.

use api::config::ConnectionLimits;
use reqwest::Response;

use crate::support::prelude::*;

mod panicking;

on_both!(
    changes_sends_an_unannounced_change_and_many_at_once_as_one_event,
    changes_sends_a_returning_page_what_it_missed,
    a_server_that_starts_knows_which_changes_were_sent,
);

/// A generous bound for "in time" on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

/// An open page.
struct Page {
    stream: Response,
    /// Bytes that have arrived and were not read.
    arrived: String,
}

const CHANGES: &str = "/api/rest/v1/profiles/changes";

impl Page {
    /// Opens the stream as a browser that reconnects: it has seen this number.
    async fn after(app: &TestApp, last: i64) -> Self {
        let request = app.request(Method::GET, CHANGES);
        Self::open(request.header("last-event-id", last)).await
    }

    /// Opens the stream for a page whose rows are from the board with this number.
    async fn with_rows(app: &TestApp, number: i64) -> Self {
        Self::open(app.request(Method::GET, &format!("{CHANGES}?seen={number}"))).await
    }

    async fn open(request: RequestBuilder) -> Self {
        // A compressor would hold events back until more arrive.
        let request = request.header("accept-encoding", "gzip, br");
        let stream = request.send().await.unwrap();
        assert_eq!(stream.status(), StatusCode::OK);
        assert_eq!(stream.headers()["content-type"], "text/event-stream");
        assert_eq!(stream.headers().get("content-encoding"), None);
        let arrived = String::new();
        let mut page = Self { stream, arrived };
        has(&page.block().await, &["retry: 2000"]);
        page
    }

    /// Reads lines up to the next empty one.
    async fn block(&mut self) -> String {
        loop {
            if let Some((block, rest)) = self.arrived.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.arrived = rest;
                return block;
            }
            let chunk = tokio::time::timeout(TIMEOUT, self.stream.chunk()).await;
            let chunk = chunk.expect("an event in time").unwrap().unwrap();
            self.arrived += std::str::from_utf8(&chunk).unwrap();
        }
    }

    /// The number of the next change, the only content of an event.
    async fn change(&mut self) -> i64 {
        loop {
            let block = self.block().await;
            // A line that keeps proxies from closing the connection.
            if block != ":" {
                let number = block.rsplit(' ').next().unwrap_or_default();
                let expected = format!("event: change\nid: {number}\ndata: {number}");
                assert_eq!(block, expected);
                return number.parse().unwrap();
            }
        }
    }
}

/// Changes a profile behind the server's back, like a process that dies right after the commit.
async fn change(store: &Store, id: &str, name: &str) {
    let update = format!("update profiles set username = '{name}' where id = '{id}'");
    execute(store, update).await;
}

/// Waits until all changes so far have been sent to the open pages.
async fn settled(app: &TestApp) -> i64 {
    until("sending changes", async || {
        let sent = app.state.store.pass_on_changes().await.unwrap();
        (sent > 0 && app.state.live.sequence() == Some(sent)).then_some(sent)
    })
    .await
}

async fn changes_sends_an_unannounced_change_and_many_at_once_as_one_event(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let person = app.sign_in().await;
    let before = settled(&app).await;
    let mut page = Page::open(app.request(Method::GET, CHANGES)).await;
    change(&app.state.store, &person.id, "alice").await;
    assert!(page.change().await > before);

    for number in 0..200 {
        change(&app.state.store, &person.id, &format!("name {number}")).await;
    }
    let (newest, mut events) = (settled(&app).await, 0);
    while page.change().await != newest {
        events += 1;
    }
    assert!(events < 100, "{events} events for 200 changes at once");

    person.delete_account().await.ok();
    assert!(page.change().await > newest);
}

async fn changes_sends_a_returning_page_what_it_missed(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let person = app.sign_in().await;
    let seen = settled(&app).await;
    change(&app.state.store, &person.id, "alice").await;
    let newest = settled(&app).await;
    assert!(newest > seen);
    // Numbers that are too old, from before a restored backup, or invalid.
    for last in [&*seen.to_string(), &*(newest + 7).to_string(), "x"] {
        let request = app.request(Method::GET, CHANGES);
        let mut page = Page::open(request.header("last-event-id", last)).await;
        assert_eq!(page.change().await, newest, "after {last}");
    }
    let mut page = Page::with_rows(&app, seen).await;
    assert_eq!(page.change().await, newest, "the rows are older");
    // A page that has seen everything gets only the next change.
    let mut page = Page::after(&app, newest).await;
    let mut other = Page::with_rows(&app, newest).await;
    change(&app.state.store, &person.id, "alice2").await;
    assert!(page.change().await > newest);
    assert!(other.change().await > newest);
}

async fn a_server_that_starts_knows_which_changes_were_sent(database: TestDatabase) {
    let app = TestApp::start(database.again(), &[]).await;
    let id = app.sign_in().await.id;
    let seen = settled(&app).await;
    drop(app);
    change(&database.store().await, &id, "alice").await;
    let again = TestApp::start(database, &[]).await;
    let mut page = Page::after(&again, seen).await;
    assert!(page.change().await > seen);
}

#[tokio::test]
async fn open_streams_are_limited() {
    let limits = ConnectionLimits {
        streams: 2,
        streams_per_network: 1,
        ..ConnectionLimits::default()
    };
    let app = TestApp::limited(&["--trusted-proxies=127.0.0.1"], limits).await;
    let open = async |address: &str| {
        let request = app.request(Method::GET, CHANGES);
        let request = request.header("x-forwarded-for", address);
        request.send().await.unwrap()
    };
    let first = open("192.0.2.1").await;
    assert_eq!(first.status(), 200);
    let greedy = open("192.0.2.1").await;
    assert_eq!(greedy.status(), 429);
    assert_eq!(greedy.headers()["retry-after"], "2");
    let second = open("192.0.2.2").await;
    assert_eq!(second.status(), 200);
    assert_eq!(app.state.live.open_streams(), 2);
    let third = Answer::read(open("192.0.2.3").await).await;
    assert_eq!(third.problem(), (503, "busy"));
    assert_eq!(third.header("retry-after"), "2");
    // A closed page frees a permit.
    drop(first);
    wait_until("making room", async || {
        open("192.0.2.1").await.status() == 200
    })
    .await;
}

/// A replica whose connection for notifications is cut again and again is late but
/// never wrong.
#[tokio::test]
async fn a_lost_connection_to_postgresql_loses_no_change() {
    let database = TestDatabase::postgres().await;
    let first = TestApp::start(database.again(), &[]).await;
    let second = TestApp::start(database.again(), &[]).await;
    let person = first.sign_in().await;
    let mut page = Page::after(&second, settled(&second).await).await;
    let mut admin = PgConnection::connect(&database.url).await.unwrap();
    for name in ["one", "two", "three"] {
        const CUT: &str = "select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'";
        sqlx::query(CUT).execute(&mut admin).await.unwrap();
        change(&first.state.store, &person.id, name).await;
        page.change().await;
    }
}
