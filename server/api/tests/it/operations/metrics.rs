//! Metrics, on an address of their own.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::support::app::{answer, sign_in_at};
use crate::support::database::TestDatabase;
use crate::support::node::free_port;
use crate::support::process::ServerProcess;
use crate::support::{http_client, until};

#[tokio::test]
async fn what_happens_is_counted() {
    let database = TestDatabase::sqlite().await;
    let metrics = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let listen = format!("--metrics-listen={metrics}");
    let server = ServerProcess::start(&database.url, &[&listen]).await;
    let session = sign_in_at(&server.origin).await;
    let token = session["access_token"].as_str().expect("a token");
    let id = session["user"]["id"].as_str().expect("an id");
    let client = http_client();
    let changes = format!("{}/api/rest/v1/profiles/changes", server.origin);
    let _open = client.get(changes).send().await.expect("a stream");
    let rank = format!("{}/api/functions/v1/getUserRank/{id}", server.origin);
    client
        .get(rank)
        .bearer_auth(token)
        .send()
        .await
        .expect("an answer");
    let nonsense =
        json!({"psbtBase64": STANDARD.encode("nonsense"), "utxos": [], "file_name": "a.psbt"});
    let submit = format!("{}/api/functions/v1/submit-proof", server.origin);
    let refused = answer(client.post(submit).bearer_auth(token).json(&nonsense)).await;
    let code = refused.body["code"].as_str().expect("a code").to_owned();

    let page = client.get(format!("http://{metrics}/metrics")).send().await;
    let page = page.expect("metrics").text().await.expect("text");
    let has = |parts: &[&str]| {
        let found = page
            .lines()
            .any(|line| parts.iter().all(|part| line.contains(part)));
        assert!(found, "{parts:?} is not in\n{page}");
    };
    let route = "route=\"/api/functions/v1/getUserRank/{user_id}\"";
    has(&[
        "http_request_duration_seconds_bucket",
        "method=\"GET\"",
        "status=\"200\"",
        "le=\"0.1\"",
    ]);
    has(&[
        "http_request_duration_seconds_count",
        "/api/functions/v1/getUserRank/{",
    ]);
    has(&["submissions_total", &format!("outcome=\"{code}\""), " 1"]);
    has(&["live_streams 1"]);
    has(&["database_connections", "state=\"idle\""]);
    has(&["chain_tip_height "]);
    has(&["chain_answers 1"]);
    has(&["unknown_coins 0"]);
    has(&["accounts_set_aside 0"]);
    has(&["job_failing{task=\"follow\"} 0"]);
    has(&["job_failing{task=\"metrics\"} 0"]);
    let ready = answer(client.get(format!("{}/readyz", server.origin))).await;
    let upkeep = json!({"state": "running", "restarts": 0});
    assert_eq!(ready.body["jobs"]["metrics"], upkeep, "{ready:?}");
    has(&["ready 1"]);
    has(&["build_info{", "version=\"", "commit=\"", " 1"]);
    has(&["process_start_time_seconds 1"]);
    has(&["live_streams_limit 10000"]);
    has(&["database_connections_limit 10"]);
    if cfg!(target_os = "linux") {
        for measured in [
            "process_resident_memory_bytes",
            "process_open_fds",
            "process_max_fds",
        ] {
            has(&[&format!("{measured} ")]);
        }
    }
    // What has not happened yet is there as well, so that the first time is an increase.
    has(&["job_restarts_total", "task=\"follow\"", " 0"]);
    for outcome in [
        "conflict",
        "coin-spent",
        "not-bound",
        "too-many-attempts",
        "chain-stale",
    ] {
        let outcome = format!("outcome=\"{outcome}\"");
        has(&["submissions_total", &outcome, " 0"]);
    }
    // Nothing that callers fill in becomes a series, and nobody is named.
    assert!(!page.contains(id), "{route}\n{page}");
    // People do not reach it where they are served.
    let public = client
        .get(format!("{}/metrics", server.origin))
        .send()
        .await;
    let public = public.expect("an answer").text().await.expect("text");
    assert!(!public.contains("submissions_total"));
}

/// While something is wrong is when people look.
#[tokio::test]
async fn series_stay_while_the_database_is_away() {
    let database = TestDatabase::postgres().await;
    let metrics = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let listen = format!("--metrics-listen={metrics}");
    let server = ServerProcess::start(&database.url, &[&listen]).await;
    let read = async || {
        let page = http_client().get(format!("http://{metrics}/metrics"));
        let page = page.send().await.expect("metrics");
        page.text().await.expect("text")
    };
    let names = |page: &str| -> BTreeSet<String> {
        let series = page.lines().filter(|line| !line.starts_with('#'));
        series
            .filter_map(|line| Some(line.rsplit_once(' ')?.0.to_owned()))
            .collect()
    };
    let follower = async || {
        let page = read().await;
        page.contains("\nfollower_height ").then_some(page)
    };
    let before = until("following", follower).await;
    assert!(before.contains("\nready 1\n"), "{before}");
    database.disappear().await;
    let during = read().await;
    assert!(during.contains("\nready 0\n"), "{during}");
    let lost: Vec<_> = names(&before)
        .difference(&names(&during))
        .cloned()
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
    drop(server);
}
