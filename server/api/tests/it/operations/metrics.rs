//! Metrics, on a separate address.

use super::*;

#[tokio::test]
async fn what_happens_is_counted() {
    let server = ServerProcess::on_sqlite(&[]).await;
    let session = server.sign_in().await;
    let (token, id) = (text(&session["access_token"]), text(&session["user"]["id"]));
    let changes = format!("{}/api/rest/v1/profiles/changes", server.origin);
    let _open = http_client().get(changes).send().await.unwrap();
    let rank = format!("/api/functions/v1/getUserRank/{id}");
    assert_eq!(server.get_as(&token, &rank).await.status, 200);
    let nonsense = STANDARD.encode("nonsense");
    let nonsense = json!({"psbtBase64": nonsense, "utxos": [], "file_name": "a.psbt"});
    let submit = "/api/functions/v1/submit-proof";
    let refused = server.post_as(&token, submit, nonsense).await;
    let code = format!("outcome=\"{}\"", text(&refused.body["code"]));

    let page = server.metrics().await;
    let has = |parts: &[&str]| {
        let has_all = |line: &str| parts.iter().all(|part| line.contains(part));
        assert!(page.lines().any(has_all), "{parts:?} is not in\n{page}");
    };
    let bucket = "http_request_duration_seconds_bucket";
    has(&[bucket, "method=\"GET\"", "status=\"200\"", "le=\"0.1\""]);
    has(&[
        "http_request_duration_seconds_count",
        "/api/functions/v1/getUserRank/{",
    ]);
    has(&["submissions_total", &code, " 1"]);
    has(&["database_connections", "state=\"idle\""]);
    has(&["build_info{", "version=\"", "commit=\"", " 1"]);
    for series in [
        "live_streams 1",
        "chain_tip_height ",
        "chain_answers 1",
        "unknown_coins 0",
        "accounts_set_aside 0",
        "job_failing{task=\"follow\"} 0",
        "job_failing{task=\"metrics\"} 0",
        "ready 1",
        "process_start_time_seconds 1",
        "live_streams_limit 10000",
        "database_connections_limit 10",
    ] {
        has(&[series]);
    }
    if cfg!(target_os = "linux") {
        for name in [
            "process_resident_memory_bytes ",
            "process_open_fds ",
            "process_max_fds ",
        ] {
            has(&[name]);
        }
    }
    let ready = server.get("/readyz").await;
    let running = json!({"state": "running", "restarts": 0});
    assert_eq!(ready.body["jobs"]["metrics"], running, "{ready:?}");
    // Counters exist before the first event, so that it shows as an increase.
    has(&["job_restarts_total", "task=\"follow\"", " 0"]);
    for outcome in [
        "conflict",
        "coin-spent",
        "not-bound",
        "too-many-attempts",
        "chain-stale",
    ] {
        has(&["submissions_total", &format!("outcome=\"{outcome}\""), " 0"]);
    }
    // Clients cannot create series, and no series names a user.
    assert!(!page.contains(&id), "{page}");
    // They are not on the public address.
    let public = http_client().get(format!("{}/metrics", server.origin));
    let public = public.send().await.unwrap().text().await.unwrap();
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
    let before = until("following", async || {
        Some(server.metrics().await).filter(|page| page.contains("\nfollower_height "))
    })
    .await;
    assert!(before.contains("\nready 1\n"), "{before}");
    database.disappear().await;
    let during = server.metrics().await;
    assert!(during.contains("\nready 0\n"), "{during}");
    let (before, during) = (names(&before), names(&during));
    let lost: Vec<_> = before.difference(&during).collect();
    assert!(lost.is_empty(), "{lost:?}");
}
