//! A job that fails or panics is retried, other jobs continue, and operators can see the failure.

use std::sync::atomic::AtomicU64;

use api::jobs::{self, Job};

use super::*;

const SOON: Next = Next::After(Duration::from_millis(10));

#[tokio::test]
async fn a_job_that_panics_is_started_again_while_others_go_on() {
    let app = TestApp::development().await;
    let panics_once = Arc::new(AtomicU64::new(0));
    let steady = Arc::new(AtomicU64::new(0));
    let jobs = vec![
        Job::new("clumsy", &panics_once, |steps| {
            async {
                assert!(steps.fetch_add(1, Ordering::Relaxed) > 0, "a slip");
                Ok::<_, String>(SOON)
            }
            .boxed()
        }),
        Job::new("stuck", &(), |()| async { Err("no way") }.boxed()),
        Job::new("steady", &steady, |steps| {
            async {
                steps.fetch_add(1, Ordering::Relaxed);
                Ok::<_, String>(SOON)
            }
            .boxed()
        }),
    ];
    let (states, stopping) = (app.state.job_states.clone(), app.state.stopping.clone());
    let running = tokio::spawn(async move { jobs::run(jobs, states, &stopping).await });
    let seen = async || app.get("/readyz").await.body["jobs"].take();
    let failing = json!({"state": "failing", "since": "2026-09-21T14:13:20Z", "restarts": 0});
    until("the panic", async || {
        (seen().await["clumsy"] == failing).then_some(())
    })
    .await;
    let before = steady.load(Ordering::Relaxed);
    let restarted = json!({"state": "running", "restarts": 1});
    until("starting again", async || {
        (seen().await["clumsy"] == restarted).then_some(())
    })
    .await;
    assert!(steady.load(Ordering::Relaxed) > before, "others go on");
    let jobs = seen().await;
    assert_eq!(jobs["stuck"], failing);
    assert_eq!(jobs["steady"], json!({"state": "running", "restarts": 0}));
    // The failure is reported, and the replica stays in service.
    assert_eq!(app.get("/readyz").await.status, 200);
    app.state.stopping.cancel();
    running.await.expect("it stops on request");
}
