//! Live updates: every change reaches every open page on every replica, even when the replica that made it dies, and a
//! page that reconnects misses nothing.

use reqwest::Response;

use crate::support::prelude::*;

mod panicking;

on_both!(
    a_change_that_nobody_announces_is_told,
    a_page_that_comes_back_is_told_what_it_missed,
    changes_that_a_reader_is_too_slow_for_are_one_event,
    a_server_that_starts_knows_what_has_been_told,
);

/// A generous bound for "in time" on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// An open page.
struct Page {
    stream: Response,
    /// Bytes that have arrived and were not read.
    arrived: String,
}

impl Page {
    /// Opens the stream; `last` is what a browser sends when it reconnects.
    async fn open(app: &TestApp, last: Option<&str>) -> Self {
        let mut request = app.request(Method::GET, "/api/rest/v1/profiles/changes");
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        Self::open_with(request).await
    }

    /// Opens the stream for a page whose rows are from the board with this number.
    async fn with_rows(app: &TestApp, number: i64) -> Self {
        let path = format!("/api/rest/v1/profiles/changes?seen={number}");
        Self::open_with(app.request(Method::GET, &path)).await
    }

    async fn open_with(request: RequestBuilder) -> Self {
        let stream = request.send().await.unwrap();
        assert_eq!(stream.status(), StatusCode::OK);
        let mut page = Self {
            stream,
            arrived: String::new(),
        };
        let opening = page.block().await;
        assert!(opening.contains("retry: 2000"), "{opening}");
        page
    }

    /// The lines up to the next empty one.
    async fn block(&mut self) -> String {
        loop {
            if let Some((block, rest)) = self.arrived.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.arrived = rest;
                return block;
            }
            let chunk = tokio::time::timeout(PATIENCE, self.stream.chunk()).await;
            let chunk = chunk.expect("an event in time").unwrap();
            let chunk = chunk.expect("an open stream");
            self.arrived += std::str::from_utf8(&chunk).unwrap();
        }
    }

    /// The number of the next change, the only content of an event.
    async fn change(&mut self) -> i64 {
        loop {
            let block = self.block().await;
            // A line that keeps proxies from closing the connection.
            if block == ":" {
                continue;
            }
            let number = block.rsplit(' ').next().unwrap_or_default();
            assert_eq!(
                block,
                format!("event: change\nid: {number}\ndata: {number}")
            );
            return number.parse().unwrap();
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
    until("telling", async || {
        let told = app.state.store.pass_on_changes().await.unwrap();
        (told > 0 && app.state.live.sequence() == Some(told)).then_some(told)
    })
    .await
}

async fn a_change_that_nobody_announces_is_told(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let person = app.sign_in().await;
    let before = settled(&app).await;
    let mut page = Page::open(&app, None).await;
    change(&app.state.store, &person.id, "alice").await;
    assert!(page.change().await > before);

    let delete = person.request(Method::POST, "/api/functions/v1/delete-account");
    assert_eq!(answer(delete).await.status, 200);
    assert!(page.change().await > before + 1);
}

async fn a_page_that_comes_back_is_told_what_it_missed(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let person = app.sign_in().await;
    let seen = settled(&app).await;
    change(&app.state.store, &person.id, "alice").await;
    let newest = settled(&app).await;
    assert!(newest > seen);
    // Older, from before a restored backup, and invalid.
    for last in [seen.to_string(), (newest + 7).to_string(), "x".to_owned()] {
        let mut page = Page::open(&app, Some(&last)).await;
        assert_eq!(page.change().await, newest, "after {last}");
    }
    let mut page = Page::with_rows(&app, seen).await;
    assert_eq!(page.change().await, newest, "the rows are older");
    // A page that has seen everything gets only the next change.
    let mut page = Page::open(&app, Some(&newest.to_string())).await;
    let mut other = Page::with_rows(&app, newest).await;
    change(&app.state.store, &person.id, "alice2").await;
    assert!(page.change().await > newest);
    assert!(other.change().await > newest);
}

async fn changes_that_a_reader_is_too_slow_for_are_one_event(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let person = app.sign_in().await;
    let before = settled(&app).await;
    let mut page = Page::open(&app, Some(&before.to_string())).await;
    for number in 0..200 {
        change(&app.state.store, &person.id, &format!("name {number}")).await;
    }
    let newest = settled(&app).await;
    let mut events = 0;
    while page.change().await != newest {
        events += 1;
    }
    assert!(events < 100, "{events} events for 200 changes at once");
}

async fn a_server_that_starts_knows_what_has_been_told(database: TestDatabase) {
    let app = TestApp::start(database.again(), &[]).await;
    let id = app.sign_in().await.id;
    let seen = settled(&app).await;
    drop(app);
    change(&database.store().await, &id, "alice").await;
    let again = TestApp::start(database, &[]).await;
    let mut page = Page::open(&again, Some(&seen.to_string())).await;
    assert!(page.change().await > seen);
}

#[tokio::test]
async fn open_streams_are_limited() {
    let limits = [
        "--max-streams=2",
        "--max-streams-per-address=1",
        "--trusted-proxies=127.0.0.1",
    ];
    let app = TestApp::with(&limits).await;
    let open = async |address: &'static str| {
        app.request(Method::GET, "/api/rest/v1/profiles/changes")
            .header("x-forwarded-for", address)
            .send()
            .await
            .unwrap()
    };
    let first = open("192.0.2.1").await;
    assert_eq!(first.status(), 200);
    let greedy = open("192.0.2.1").await;
    assert_eq!(greedy.status(), 429);
    assert_eq!(greedy.headers()["retry-after"], "60");
    let second = open("192.0.2.2").await;
    assert_eq!(second.status(), 200);
    assert_eq!(app.state.live.open_streams(), 2);
    let third = open("192.0.2.3").await;
    assert_eq!(third.status(), 503);
    assert_eq!(third.headers()["retry-after"], "60");
    let problem: serde_json::Value = third.json().await.expect("a problem");
    assert_eq!(problem["code"], json!("too-many-streams"));
    // A closed page frees a permit.
    drop(first);
    until("making room", async || {
        (open("192.0.2.1").await.status() == 200).then_some(())
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
    let before = settled(&second).await;
    let mut page = Page::open(&second, Some(&before.to_string())).await;
    let mut admin = PgConnection::connect(&database.url).await.unwrap();
    for name in ["one", "two", "three"] {
        let cut = sqlx::query(
            "select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'",
        );
        cut.execute(&mut admin).await.unwrap();
        change(&first.state.store, &person.id, name).await;
        page.change().await;
    }
}
