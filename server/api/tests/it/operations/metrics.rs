//! Metrics, on a separate address.

use super::*;

#[tokio::test]
async fn what_happens_is_counted() {
    let server = ServerProcess::on_sqlite(&[]).await;
    let person = server.sign_in().await;
    let changes = format!("{}/api/rest/v1/profiles/changes", server.origin);
    let _open = http_client().get(changes).send().await.unwrap();
    let rank = format!("/api/functions/v1/getUserRank/{}", person.id);
    person.get(&rank).await.ok();
    let refused = person.submit(b"nonsense").await;
    let code = format!("outcome=\"{}\"", text(&refused.body["code"]));

    let page = server.metrics().await;
    let has = |parts: &[&str]| {
        let has_all = |line: &str| parts.iter().all(|part| line.contains(part));
        assert!(page.lines().any(has_all), "{parts:?} is not in\n{page}");
    };
    let bucket = "http_request_duration_seconds_bucket";
    has(&[bucket, "method=\"GET\"", "status=\"200\"", "le=\"0.1\""]);
    let count = "http_request_duration_seconds_count";
    has(&[count, "/api/functions/v1/getUserRank/{"]);
    has(&["submissions_total", &code, " 1"]);
    has(&["database_connections", "state=\"idle\""]);
    has(&["build_info{", "version=\"", "commit=\"", " 1"]);
    let series = "live_streams 1|chain_tip_height |chain_answers 1|unknown_coins 0|accounts_set_aside 0|ready 1|\
        job_failing{task=\"follow\"} 0|job_failing{task=\"metrics\"} 0|process_start_time_seconds 1|\
        live_streams_limit 10000|database_connections_limit 10";
    series.split('|').for_each(|series| has(&[series]));
    if cfg!(target_os = "linux") {
        let series = "process_resident_memory_bytes |process_open_fds |process_max_fds ";
        series.split('|').for_each(|series| has(&[series]));
    }
    let ready = server.get("/readyz").await;
    let running = json!({"restarts": 0});
    assert_eq!(ready.body["jobs"]["metrics"], running, "{ready:?}");
    // Counters exist before the first event, so that it shows as an increase.
    has(&["job_restarts_total", "task=\"follow\"", " 0"]);
    for outcome in "conflict coin-spent not-bound too-many-attempts chain-stale".split(' ') {
        has(&["submissions_total", &format!("outcome=\"{outcome}\""), " 0"]);
    }
    // Clients cannot create series, and no series names a user.
    assert!(!page.contains(&person.id), "{page}");
    // They are not on the public address.
    let public = server.get("/metrics").await.text();
    assert!(!public.contains("submissions_total"));
}

/// Operators look at metrics while something is wrong.
#[tokio::test]
async fn series_stay_while_the_database_is_away() {
    let database = TestDatabase::postgres().await;
    let server = ServerProcess::start(&database.url, &[]).await;
    let names = |page: &str| -> BTreeSet<String> {
        let series = page.lines().filter(|line| !line.starts_with('#'));
        let names = series.filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned()));
        names.collect()
    };
    let follows = async || server.metric("follower_height").await;
    until("following", follows).await;
    let before = server.metrics().await;
    assert!(before.contains("\nready 1\n"), "{before}");
    database.disappear().await;
    let during = server.metrics().await;
    assert!(during.contains("\nready 0\n"), "{during}");
    let (before, during) = (names(&before), names(&during));
    let lost: Vec<_> = before.difference(&during).collect();
    assert!(lost.is_empty(), "{lost:?}");
}
