//! The tasks that keep the board and send changes panic: each is restarted, operators can see it, and later changes still reach rows
//! and open pages.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::Stream;

use super::*;

on_both!(
    the_board_job_recovers_when_the_sum_no_longer_overflows,
    the_board_is_read_again_when_a_change_overflows,
    pages_miss_no_change_that_was_sent_during_a_panic,
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

/// Polls once with a waker that panics when it is woken.
fn wait_trapped<T>(wait: impl FnOnce(&mut Context<'_>) -> Poll<T>) {
    assert!(wait(&mut Context::from_waker(&Waker::from(Arc::new(Trap)))).is_pending());
}

/// Sets the holdings of three users, whatever they have proven.
async fn set_holdings(app: &TestApp, [one, two, three]: &[String; 3], sats: [i64; 3]) {
    let [first, second, third] = sats;
    let sats = format!(
        "case id when '{one}' then {first} when '{two}' then {second} when '{three}' then {third} end"
    );
    let update = format!(
        "update profiles set holdings_sats = {sats} where id in ('{one}', '{two}', '{three}')"
    );
    execute(&app.state.store, update).await;
}

/// The state of a job, which takes no server out of service.
async fn job(app: &TestApp, name: &str) -> Value {
    answer(app.request(Method::GET, "/readyz")).await.ok().body["jobs"][name].take()
}

/// Waits until a job has panicked.
async fn panicked(app: &TestApp, name: &str) {
    let failing = async || job(app, name).await["failing_since"].is_string();
    wait_until("the panic", failing).await;
}

/// Waits until a job that has panicked works again.
async fn started_again(app: &TestApp, name: &str) {
    let running = async || job(app, name).await["failing_since"].is_null();
    wait_until("starting again", running).await;
    assert!(job(app, name).await["restarts"].as_u64() > Some(0));
}

/// Changes a user, and waits until the board and an open page show it.
async fn reaches_everybody(app: &TestApp, page: &mut Page, id: &str, name: &str) {
    change(&app.state.store, id, name).await;
    let sent = settled(app).await;
    while page.change().await < sent {}
    let path = format!("/api/rest/v1/profiles?id=eq.{id}");
    assert_eq!(app.get(&path).await.body[0]["username"], json!(name));
}

/// Three users in the order of their ids, and an open page.
async fn three(app: &TestApp) -> ([String; 3], Page) {
    let mut ids = [(); 3].map(|()| String::new());
    for id in &mut ids {
        *id = app.sign_in().await.id;
    }
    ids.sort();
    (ids, Page::after(app, settled(app).await).await)
}

async fn the_board_job_recovers_when_the_sum_no_longer_overflows(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let (three, mut page) = three(&app).await;
    set_holdings(&app, &three, [TOO_MUCH; 3]).await;
    panicked(&app, "board").await;
    // The last board is still served meanwhile.
    let path = format!("/api/rest/v1/profiles?id=eq.{}", three[0]);
    let row = answer(app.request(Method::GET, &path)).await;
    assert_eq!(row.body[0]["bitcoin_holdings"], json!(null));
    set_holdings(&app, &three, [3, 2, 1]).await;
    started_again(&app, "board").await;
    reaches_everybody(&app, &mut page, &three[0], "alice").await;
}

/// Changes that overflow one by one may fit in another order.
async fn the_board_is_read_again_when_a_change_overflows(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let (three, mut page) = three(&app).await;
    set_holdings(&app, &three, [1, TOO_MUCH, TOO_MUCH]).await;
    let sent = settled(&app).await;
    while page.change().await < sent {}
    // The sum is the same after both changes, but not between the first and the second.
    set_holdings(&app, &three, [TOO_MUCH, 1, TOO_MUCH]).await;
    panicked(&app, "board").await;
    started_again(&app, "board").await;
    reaches_everybody(&app, &mut page, &three[1], "alice").await;
}

async fn pages_miss_no_change_that_was_sent_during_a_panic(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let ([id, ..], page) = three(&app).await;
    let sent = app.state.live.sequence().unwrap();
    let mut pages = vec![page];
    for _ in 0..15 {
        pages.push(Page::after(&app, sent).await);
    }
    let mut trapped = pin!(app.state.live.changes(Some(sent), None).expect("room"));
    wait_trapped(|context| trapped.as_mut().poll_next(context));
    change(&app.state.store, &id, "alice").await;
    panicked(&app, "board").await;
    started_again(&app, "board").await;
    // Some of them would have been woken after the panic.
    for page in &mut pages {
        assert!(page.change().await > sent);
    }
    reaches_everybody(&app, &mut pages[0], &id, "alice2").await;
}

/// The listener of a replica, which is the only source of notifications while nothing happens there.
#[tokio::test]
async fn a_replica_is_notified_again_after_a_panic() {
    let database = TestDatabase::postgres().await;
    let first = TestApp::start(database.again(), &[]).await;
    let second = TestApp::start(database.again(), &[]).await;
    let id = first.sign_in().await.id;
    let mut page = Page::after(&second, settled(&second).await).await;
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
    wait_until("hearing", async || bell.has_changed().unwrap()).await;
}
