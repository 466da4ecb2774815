//! The tasks that keep the board and send changes panic: each is restarted, operators can see it, and later changes still reach rows
//! and open pages.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::Stream;

use super::*;

on_both!(
    a_board_that_cannot_be_added_up_is_kept_again_when_it_can,
    a_change_that_cannot_be_followed_is_read_with_everything_else,
    pages_miss_nothing_of_what_was_told_in_a_panic,
);

/// Three of them overflow the board's sum, which panics in a test build. No database refuses the amount, and nobody can prove it.
const TOO_MUCH: i64 = i64::MAX;

/// A waker that panics: it makes the job that wakes it panic.
struct Trap;

impl Wake for Trap {
    fn wake(self: Arc<Self>) {
        panic!("this waker panics");
    }
}

/// Waits with a trap, once.
fn wait_trapped<T>(wait: impl FnOnce(&mut Context<'_>) -> Poll<T>) {
    let trap = Waker::from(Arc::new(Trap));
    assert!(wait(&mut Context::from_waker(&trap)).is_pending());
}

/// Sets users' holdings, whatever they have proven.
async fn set_holdings(app: &TestApp, holdings: &[(&str, i64)]) {
    let cases: Vec<String> = holdings
        .iter()
        .map(|(id, sats)| format!("when '{id}' then cast({sats} as bigint)"))
        .collect();
    let ids: Vec<String> = holdings.iter().map(|(id, _)| format!("'{id}'")).collect();
    let update = format!(
        "update profiles set holdings_sats = case id {} end where id in ({})",
        cases.join(" "),
        ids.join(", ")
    );
    execute(&app.state.store, update).await;
}

async fn job(app: &TestApp, name: &str) -> serde_json::Value {
    let ready = answer(app.request(Method::GET, "/readyz")).await;
    assert_eq!(ready.status, 200, "it takes no server out of service");
    let mut body = ready.body;
    body["jobs"][name].take()
}

/// Waits until a job has panicked.
async fn panicked(app: &TestApp, name: &str) {
    until("the panic", async || {
        (job(app, name).await["state"] == "failing").then_some(())
    })
    .await;
}

/// Waits until a job that has panicked works again.
async fn started_again(app: &TestApp, name: &str) {
    let seen = until("starting again", async || {
        let seen = job(app, name).await;
        (seen["state"] == "running").then_some(seen)
    })
    .await;
    assert!(seen["restarts"].as_u64() > Some(0), "{seen}");
}

/// Changes a user, and waits until the board and an open page show it.
async fn reaches_everybody(app: &TestApp, page: &mut Page, id: &str, name: &str) {
    change(&app.state.store, id, name).await;
    let told = settled(app).await;
    while page.change().await < told {}
    let path = format!("/api/rest/v1/profiles?id=eq.{id}");
    let rows = app.get(&path).await.body;
    assert_eq!(rows[0]["username"], json!(name));
}

/// Three users in the order of their ids, and an open page.
async fn three(app: &TestApp) -> ([String; 3], Page) {
    let mut ids = [(); 3].map(|()| String::new());
    for id in &mut ids {
        *id = app.sign_in().await.id;
    }
    ids.sort();
    let told = settled(app).await.to_string();
    (ids, Page::open(app, Some(&told)).await)
}

async fn a_board_that_cannot_be_added_up_is_kept_again_when_it_can(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let ([one, two, three], mut page) = three(&app).await;
    let too_much = [(&*one, TOO_MUCH), (&*two, TOO_MUCH), (&*three, TOO_MUCH)];
    set_holdings(&app, &too_much).await;
    panicked(&app, "board").await;
    // The last board is still served meanwhile.
    let path = format!("/api/rest/v1/profiles?id=eq.{one}");
    let row = answer(app.request(Method::GET, &path)).await;
    assert_eq!(row.body[0]["bitcoin_holdings"], json!(null));
    set_holdings(&app, &[(&one, 3), (&two, 2), (&three, 1)]).await;
    started_again(&app, "board").await;
    reaches_everybody(&app, &mut page, &one, "alice").await;
}

/// Changes that overflow one by one may fit in another order.
async fn a_change_that_cannot_be_followed_is_read_with_everything_else(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let ([one, two, three], mut page) = three(&app).await;
    set_holdings(&app, &[(&one, 1), (&two, TOO_MUCH), (&three, TOO_MUCH)]).await;
    let told = settled(&app).await;
    while page.change().await < told {}
    // The sum is the same after both changes, but not between the first and the second.
    set_holdings(&app, &[(&one, TOO_MUCH), (&two, 1), (&three, TOO_MUCH)]).await;
    panicked(&app, "board").await;
    started_again(&app, "board").await;
    reaches_everybody(&app, &mut page, &two, "alice").await;
}

async fn pages_miss_nothing_of_what_was_told_in_a_panic(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let ([id, ..], page) = three(&app).await;
    let told = app.state.live.sequence();
    let mut pages = vec![page];
    for _ in 0..15 {
        pages.push(Page::open(&app, told.map(|told| told.to_string()).as_deref()).await);
    }
    let mut trapped = pin!(app.state.live.changes(told, None).expect("room"));
    wait_trapped(|context| trapped.as_mut().poll_next(context));
    change(&app.state.store, &id, "alice").await;
    panicked(&app, "board").await;
    started_again(&app, "board").await;
    // Some of them would have been woken after the panic.
    for page in &mut pages {
        assert!(Some(page.change().await) > told);
    }
    reaches_everybody(&app, &mut pages[0], &id, "alice2").await;
}

/// The listener of a replica, which is the only source of notifications while nothing happens there.
#[tokio::test]
async fn a_replica_hears_of_others_again_after_a_panic() {
    let database = TestDatabase::postgres().await;
    let first = TestApp::start(database.again(), &[]).await;
    let second = TestApp::start(database.again(), &[]).await;
    let id = first.sign_in().await.id;
    let told = settled(&second).await;
    let mut page = Page::open(&second, Some(&told.to_string())).await;
    let mut bell = second.state.store.subscribe();
    let mut trapped: Pin<Box<dyn Future<Output = _>>> = Box::pin(bell.changed());
    wait_trapped(|context| trapped.as_mut().poll(context));
    change(&first.state.store, &id, "alice").await;
    panicked(&second, "replicas").await;
    started_again(&second, "replicas").await;
    reaches_everybody(&second, &mut page, &id, "alice2").await;
    let mut bell = second.state.store.subscribe();
    bell.mark_unchanged();
    change(&first.state.store, &id, "another").await;
    until("hearing", async || bell.has_changed().ok()?.then_some(())).await;
}
