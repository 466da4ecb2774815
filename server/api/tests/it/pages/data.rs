//! Public data of the board: its sums, all rows, some rows, a badge, and a row to embed in another page.

use serde_json::json;

use super::visit;
use crate::people::{prove, sign_in};
use crate::support::app::TestApp;
use crate::support::database::run;

const FUNCTIONS: &str = "/api/functions/v1";

/// A board of five users; four of them hold something.
async fn board() -> TestApp {
    let app = TestApp::development().await;
    app.state.follower.step().await.unwrap();
    for (provider, name, sats) in [
        ("twitter", "whale", 10_000_000_000),
        ("github", "octo", 9_999_999_999),
        ("github", "=octo,\"2\"", 150_000_000),
        ("google", "two words", 1),
        ("twitter", "nobody", 0),
    ] {
        let person = sign_in(&app.state, provider, name, None).await;
        if sats > 0 {
            prove(&app.state, &person, sats).await;
        }
    }
    app
}

#[tokio::test]
async fn the_sums_are_those_of_the_rows() {
    let app = board().await;
    let summary = app.get(&format!("{FUNCTIONS}/board-summary")).await.body;
    assert_eq!(
        (&summary["people"], &summary["holders"]),
        (&json!(5), &json!(4))
    );
    assert_eq!(summary["bitcoin"].to_string(), "201.5");
    let tiers = summary["tiers"].as_array().unwrap();
    for (at, name) in [(0, "Whale"), (1, "Shark"), (3, "Fish"), (5, "Plankton")] {
        assert_eq!(
            (&tiers[at]["name"], &tiers[at]["holders"]),
            (&json!(name), &json!(1))
        );
    }
    assert!(summary["block"]["height"].is_u64(), "{summary}");
}

#[tokio::test]
async fn rows_are_found_by_provider_and_by_amount() {
    let app = board().await;
    for (query, names) in [
        ("provider=eq.github", vec!["octo", "=octo,\"2\""]),
        ("provider=eq.github&username=ilike.*2*", vec!["=octo,\"2\""]),
        ("provider=eq.twitter&verified=eq.false", vec!["nobody"]),
        ("provider=eq.elsewhere", vec![]),
        ("bitcoin_holdings=gte.100", vec!["whale"]),
        (
            "bitcoin_holdings=gte.50&bitcoin_holdings=lt.100",
            vec!["octo"],
        ),
        ("bitcoin_holdings=lt.0.1", vec!["two words"]),
        (
            "bitcoin_holdings=lt.100&username=ilike.*oct*&verified=eq.true",
            vec!["octo", "=octo,\"2\""],
        ),
        ("bitcoin_holdings=gte.1&bitcoin_holdings=lt.1", vec![]),
        ("bitcoin_holdings=lt.0.1&verified=eq.false", vec![]),
    ] {
        let path = format!("/api/rest/v1/profiles?select=username&{query}");
        let answer = app.get_with(&path, &[("prefer", "count=exact")]).await;
        let found = answer.body.as_array().unwrap().iter();
        let found: Vec<_> = found.map(|row| row["username"].as_str().unwrap()).collect();
        assert_eq!(found, names, "{query}");
        let range = answer.header("content-range");
        assert!(
            range.ends_with(&format!("/{}", names.len())),
            "{query}: {range}"
        );
    }
    for query in [
        "bitcoin_holdings=eq.1",
        "bitcoin_holdings=gte.1e3",
        "username=gte.1",
        "rank=lt.5",
    ] {
        let answer = app.get(&format!("/api/rest/v1/profiles?{query}")).await;
        assert_eq!(answer.status, 400, "{query}");
    }
}

#[tokio::test]
async fn the_whole_board_is_a_file_for_everybody() {
    let app = board().await;
    app.state.history.step().await.unwrap();
    let json = app.get(&format!("{FUNCTIONS}/board.json")).await.body;
    let columns =
        "id,username,verified,bitcoin_holdings,shown_as,last_verified,rank,provider,named";
    let rest = app
        .get(&format!("/api/rest/v1/profiles?select={columns}"))
        .await
        .body;
    assert_eq!(json["rows"], rest);
    assert!(json["block"].is_u64() && json["exported_at"].is_string());

    let csv = visit(&app, &format!("{FUNCTIONS}/board.csv")).await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    let csv = csv.text();
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 6);
    for (line, begin, end) in [
        (0, "rank,provider,username,bitcoin,", ",id,named"),
        (
            1,
            "1,twitter,\"whale\",100.00000000,exact,true,2026-",
            ",true",
        ),
        (
            3,
            "3,github,\"'=octo,\"\"2\"\"\",1.50000000,exact,true,",
            ",true",
        ),
        (5, ",twitter,\"nobody\",,exact,false,,", ",true"),
    ] {
        let line = lines[line];
        assert!(line.starts_with(begin) && line.ends_with(end), "{line}");
    }
}

#[tokio::test]
async fn a_long_board_is_sent_whole_and_compressed() {
    let app = TestApp::development().await;
    let many = "with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2500)
        insert into profiles (id, provider, subject, username, username_folded, named, holdings_sats, created_at, updated_at)
        select printf('00000000-0000-4000-8000-%012d', n), 'mock', 's' || n, 'u' || n, 'u' || n, 1, n, 1, 1 from numbers";
    run(app.state.store.database(), many).await.unwrap();
    app.state.store.notify();
    app.caught_up().await;
    app.state.follower.step().await.unwrap();
    app.state.history.step().await.unwrap();
    let json = app.get(&format!("{FUNCTIONS}/board.json")).await.body;
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2500);
    assert!(rows.iter().zip(1..).all(|(row, rank)| row["rank"] == rank));
    let csv = format!("{FUNCTIONS}/board.csv");
    let encoded = app.get_with(&csv, &[("accept-encoding", "br")]).await;
    assert_eq!(encoded.header("content-encoding"), "br");
}

/// A browser may cache a response for this site, and serve it to a page of another site.
#[tokio::test]
async fn a_cached_answer_has_the_headers_of_a_fresh_one() {
    let app = board().await;
    let path = "/api/rest/v1/profiles?limit=7";
    let ask = async |tag: &str| {
        let mut answer = app.get_with(path, &[("if-none-match", tag)]).await;
        for each_time in ["date", "x-request-id"] {
            answer.headers.remove(each_time);
        }
        (answer.status.as_u16(), answer.headers)
    };
    let (status, fresh) = ask("\"none\"").await;
    assert_eq!(status, 200);
    assert_eq!(fresh["access-control-allow-origin"], "*");
    assert_eq!((status, fresh.clone()), ask("\"none\"").await);
    let (status, known) = ask(fresh["etag"].to_str().unwrap()).await;
    assert_eq!(status, 304);
    for name in [
        "access-control-allow-origin",
        "access-control-expose-headers",
    ] {
        assert_eq!(known[name], fresh[name]);
    }
}

#[tokio::test]
async fn pages_of_other_origins_may_use_it() {
    let app = board().await;
    for path in [
        "/badge/whale.svg",
        "/badge/github%3Aocto.svg",
        "/embed?u=whale",
        "/api/functions/v1/board.csv",
        "/api/functions/v1/board.json",
    ] {
        let answer = visit(&app, path).await;
        let policy = answer.header("cross-origin-resource-policy");
        assert_eq!(
            (answer.status.as_u16(), policy),
            (200, "cross-origin"),
            "{path}"
        );
    }
    for name in ["board-summary", "board.csv", "board.json"] {
        let path = format!("{FUNCTIONS}/{name}");
        let answer = app
            .get_with(&path, &[("origin", "https://other.example")])
            .await;
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{name}");
    }
    // The only page that may be framed, and its own files.
    let embed = visit(&app, "/embed?u=whale").await;
    let policy = embed.header("content-security-policy");
    for part in ["frame-ancestors *", "default-src 'none'", "font-src 'self'"] {
        assert!(policy.contains(part), "{policy}");
    }
    let amount = ["<strong>100</strong>", ".00000000"];
    let texts = ["@whale", "#1", "Whale", "/leaderboard?u=whale"];
    for text in texts.into_iter().chain(amount) {
        assert!(embed.text().contains(text), "{text} in {embed:?}");
    }
    let nobody = visit(&app, "/embed?u=stranger").await;
    assert_eq!(nobody.status, 404);
    let said = "There’s no \"stranger\" on the leaderboard.";
    assert!(nobody.text().contains(said), "{nobody:?}");
    for path in ["/badge/stranger.svg", "/badge/whale.png"] {
        assert_eq!(visit(&app, path).await.status, 404, "{path}");
    }

    let badge = visit(&app, "/badge/nobody.svg").await;
    assert_eq!(badge.header("content-type"), "image/svg+xml");
    assert!(badge.text().contains("nothing proven"));
    let known = [("if-none-match", badge.header("etag"))];
    assert_eq!(app.get_with("/badge/nobody.svg", &known).await.status, 304);
}
