//! Witnesses cosign each checkpoint before it is issued, over real HTTP.

use api::board_log::BoardLogError;
use board_log::cosignature::{self, WitnessKey};
use tokio::sync::Notify;

use super::*;
use crate::support::witness::{Mood, Witness};

on_both!(
    checkpoint_snapshot_and_receipts_are_issued_together,
    a_row_is_withdrawn_while_a_witness_is_asked
);

/// A board whose log is registered with these witnesses.
async fn watched(database: TestDatabase, witnesses: &[&Witness]) -> TestApp {
    let settings: Vec<String> = witnesses.iter().map(|it| it.setting()).collect();
    let setting = format!("--witnesses={}", settings.join(","));
    let app = TestApp::start(database, &[&setting]).await;
    let key = text(&app.origin, "key").await;
    for witness in witnesses {
        witness.register(&key);
    }
    app
}

/// How many of them have cosigned a checkpoint.
fn cosigned(checkpoint: &str, witnesses: &[&Witness]) -> usize {
    let keys: Vec<WitnessKey> = witnesses.iter().map(|it| it.key()).collect();
    cosignature::count(checkpoint, &keys)
}

/// The newest checkpoint as served: its size, and how many have cosigned it.
async fn newest(app: &TestApp, witnesses: &[&Witness]) -> (u64, usize) {
    let checkpoint = text(&app.origin, "checkpoint").await;
    let read = check::checkpoint(&checkpoint, &[key(&app.origin).await]);
    let read = read.expect("signed by the log");
    (read.size, cosigned(&checkpoint, witnesses))
}

async fn checkpoint_snapshot_and_receipts_are_issued_together(database: TestDatabase) {
    let [one, two] = Witness::two().await;
    let both = [&one, &two];
    let app = watched(database, &both).await;
    let first = join(&app).await;
    assert_eq!(newest(&app, &both).await, (3, 2));
    let receipts = async || {
        let receipt = app.state.board_log.receipt(&first.id).await;
        Receipt::read(&receipt.unwrap().unwrap()).unwrap()
    };
    assert_eq!(cosigned(&receipts().await.checkpoint, &both), 2);

    // Until the witness responds, everything stays as it was last issued.
    let before = text(&app.origin, "checkpoint").await;
    let gate = Arc::new(Notify::new());
    two.be(Mood::Waits(Arc::clone(&gate)));
    app.sign_in().await;
    let look = async {
        wait_until("asking", async || one.size() == Some(4)).await;
        assert_eq!(text(&app.origin, "checkpoint").await, before);
        assert_eq!(receipts().await.checkpoint, before);
        assert_eq!(snapshot(&app).await.0.len(), 1);
        for later in ["snapshot/3", "tile/entries/000.p/4", "tile/0/000.p/4"] {
            assert_eq!(get(&app.origin, later).await, None, "{later}");
        }
        let csv = app.get("/api/functions/v1/board.csv").await.text();
        assert_eq!(csv.lines().count(), 2, "{csv}");
        gate.notify_one();
    };
    tokio::join!(log(&app), look);
    assert_eq!(newest(&app, &both).await, (4, 2));
    assert_eq!(snapshot(&app).await.0.len(), 2);
    let receipt = receipts().await;
    assert_eq!(cosigned(&receipt.checkpoint, &both), 2);
    receipt.check(&[key(&app.origin).await]).unwrap();
}

async fn a_row_is_withdrawn_while_a_witness_is_asked(database: TestDatabase) {
    let witness = Witness::start("one.example/w").await;
    let app = watched(database, &[&witness]).await;
    let [leaving, hiding, new] = app.sign_in_three().await;
    hiding.proves("wallet_verification.psbt").await;
    log(&app).await;
    let (before, root) = snapshot(&app).await;
    assert_eq!(before.len(), 3);
    let gate = Arc::new(Notify::new());
    witness.asked();
    witness.be(Mood::Waits(Arc::clone(&gate)));
    let late = app.sign_in().await;
    // This row changes with the next entry.
    new.proves("self-transfer.psbt").await;
    let store = &app.state.store;
    let act = async {
        wait_until("asking", async || !witness.asked().is_empty()).await;
        for id in [&leaving.id, &late.id] {
            assert!(store.delete_profile(id, NOW).await.unwrap());
        }
        for id in [&hiding.id, &new.id] {
            app.show_as(id, ShownAs::Range).await;
        }
        // Gone from the issued snapshot, whose root stays the same.
        let (rows, same) = snapshot(&app).await;
        let withdrawn = rows.iter().filter(|it| !it["withdrawn"].is_null()).count();
        // The snapshot contained nothing of the new user's total.
        assert_eq!((rows.len(), withdrawn, same), (3, 3, root));
        committed(&app, 2).await;
        gate.notify_one();
    };
    tokio::join!(log(&app), act);
    // The row is gone from the next snapshot, too, once that is issued.
    let (read, served) = committed(&app, 3).await;
    for id in [&leaving.id, &hiding.id, &new.id, &late.id] {
        assert!(!served.contains(id.as_str()), "{id}: {served}");
    }
    assert_eq!((read.rows.len(), read.withdrawn), (0, 4));
    // The next entry records what the board shows at that time.
    witness.be(Mood::Strict);
    log(&app).await;
    assert_eq!(entries(&app).await.len(), 5);
    assert_eq!(snapshot(&app).await.0.len(), 2);
}

#[tokio::test]
async fn a_witness_that_is_away_stops_nothing_and_catches_up() {
    let [one, two] = Witness::two().await;
    let both = [&one, &two];
    let app = watched(TestDatabase::sqlite().await, &both).await;
    join(&app).await;
    assert_eq!(newest(&app, &both).await, (3, 2));
    two.be(Mood::Away);
    for size in [4, 5] {
        join(&app).await;
        assert_eq!(newest(&app, &both).await, (size, 1));
    }
    // A day later the witness is back, and nothing on the board has changed.
    app.state.clock.advance(DAY);
    for witness in both {
        witness.advance(86_400);
    }
    two.be(Mood::Strict);
    one.asked();
    two.asked();
    log(&app).await;
    assert_eq!(newest(&app, &both).await, (5, 2));
    assert_eq!(one.asked(), [""; 0]);
    assert_eq!(two.asked(), ["old 0", "old 3"]);
    // A wrong clock, a lost response, an invalid cosignature: nothing stops.
    two.advance(40 * 86_400);
    for (mood, count) in [
        (Mood::LosesAnswers, 1),
        (Mood::Strict, 2),
        (Mood::Lies, 1),
        (Mood::Older, 2),
        (Mood::Redirects(one.address.clone()), 1),
        (Mood::Strict, 2),
    ] {
        two.be(mood.clone());
        join(&app).await;
        assert_eq!(newest(&app, &both).await.1, count, "{mood:?}");
    }
    // A response was lost, and nothing has changed since.
    two.be(Mood::LosesAnswers);
    join(&app).await;
    two.be(Mood::Strict);
    log(&app).await;
    assert_eq!(newest(&app, &both).await.1, 1, "not asked again at once");
    app.state.clock.advance(10 * 60);
    log(&app).await;
    assert_eq!(newest(&app, &both).await.1, 2);
    // A witness without this log.
    let strange = Witness::start("three.example/w").await;
    let app = TestApp::with(&[&format!("--witnesses={}", strange.setting())]).await;
    join(&app).await;
    assert_eq!(newest(&app, &[&strange]).await, (3, 0));
    strange.register(&text(&app.origin, "key").await);
    app.state.clock.advance(10 * 60);
    log(&app).await;
    assert_eq!(newest(&app, &[&strange]).await, (3, 1));
}

/// The other history that a witness has seen, and how it reports it.
#[tokio::test]
async fn a_witness_that_knows_another_history_stops_the_log() {
    for (size, mood) in [
        // More entries than we have, and the same size with another root, in both versions of the specification.
        (9, Mood::Strict),
        (4, Mood::Strict),
        (4, Mood::Older),
        (3, Mood::Strict),
    ] {
        let witness = Witness::start("one.example/w").await;
        let database = TestDatabase::sqlite().await;
        let url = database.url.clone();
        let app = watched(database, &[&witness]).await;
        join(&app).await;
        let issued = text(&app.origin, "checkpoint").await;
        witness.has_seen(size, [7; 32]);
        witness.be(mood);
        app.sign_in().await;
        app.caught_up().await;
        for _ in 0..2 {
            let stopped = app.state.board_log.step().await.expect_err("it has forked");
            assert_matches!(stopped, BoardLogError::Forked { .. });
            app.sign_in().await;
        }
        // Nothing is issued or added, and operators are alerted.
        assert_eq!(text(&app.origin, "checkpoint").await, issued);
        let state = app.state.store.log_state().await.unwrap();
        assert_eq!(state.unwrap().size, 4);
        let ready = app.get("/readyz").await;
        assert_eq!(ready.status, 200);
        assert_eq!(ready.body["status"], "degraded");
        assert_eq!(ready.body["troubles"][0]["code"], "log-forked");
        // A new log clears the alarm, once it is registered.
        let because = "The database of 3 May was lost.";
        operate(&url, &["new-log", "--because", because]);
        witness.register(&text(&app.origin, "2/key").await);
        log(&app).await;
        let note = text(&app.origin, "2/checkpoint").await;
        assert_eq!(cosigned(&note, &[&witness]), 1);
        assert_eq!(app.get("/readyz").await.body["status"], "ok");
    }
}

/// The whole program, with a witness that has seen more than our database has: the database is an old copy, and there is no folder of the log.
#[tokio::test]
async fn an_operator_can_remove_a_witness_that_is_wrong() {
    let witness = Witness::start("one.example/w").await;
    let database = TestDatabase::sqlite().await;
    let setting = format!("--witnesses={}", witness.setting());
    let mut server = ServerProcess::start(&database.url, &[&setting]).await;
    witness.register(&text(&server.origin, "key").await);
    witness.has_seen(99, [7; 32]);
    sign_in_at(&server.origin).await;
    wait_until("the alarm", async || {
        let ready = server.get("/readyz").await.body;
        let failing = ready["jobs"]["log"]["failing_since"].is_string();
        failing && ready["troubles"][0]["code"] == "log-forked"
    })
    .await;
    server.stop().await;
    let server = ServerProcess::start_again(server.address, &database.url, &[]).await;
    grows_to(&server.origin, "", 3).await;
}

/// Two rows that began in the same millisecond stay in their places when one is withdrawn.
#[tokio::test]
async fn withdrawn_rows_keep_their_places() {
    let app = TestApp::development().await;
    let store = &app.state.store;
    let ids = ["a", "b", "c"].map(|letter| format!("0190d0c2-0000-7000-8000-00000000000{letter}"));
    for id in &ids {
        let add = format!(
            "insert into profiles (id, provider, subject, username, username_folded, named, created_at, updated_at)
             values ('{id}', 'mock', '{id}', '{id}', '{id}', true, 1, 1)"
        );
        execute(store, add).await;
    }
    store.notify();
    log(&app).await;
    let (_, root) = snapshot(&app).await;
    for id in [&ids[2], &ids[1]] {
        assert!(store.delete_profile(id, NOW).await.unwrap());
        let (_, served) = committed(&app, 2).await;
        assert!(!served.contains(id.as_str()));
        assert_eq!(snapshot(&app).await.1, root);
    }
}
