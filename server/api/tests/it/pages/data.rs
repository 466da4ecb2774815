//! Public data of the board: its sums, all rows, some rows, a badge, and a row to embed in another page.

use super::visit;

use crate::support::prelude::*;

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
    let strange = "=octo,\"2\"";
    for (query, names) in [
        ("provider=eq.github", &["octo", strange][..]),
        ("provider=eq.github&username=ilike.*2*", &[strange]),
        ("provider=eq.twitter&verified=eq.false", &["nobody"]),
        ("provider=eq.elsewhere", &[]),
        ("bitcoin_holdings=gte.100", &["whale"]),
        ("bitcoin_holdings=gte.50&bitcoin_holdings=lt.100", &["octo"]),
        ("bitcoin_holdings=lt.0.1", &["two words"]),
        (
            "bitcoin_holdings=lt.100&username=ilike.*oct*",
            &["octo", strange],
        ),
        ("bitcoin_holdings=gte.1&bitcoin_holdings=lt.1", &[]),
        ("bitcoin_holdings=lt.0.1&verified=eq.false", &[]),
    ] {
        let path = format!("/api/rest/v1/profiles?select=username&{query}");
        let answer = app.get_with(&path, &[("prefer", "count=exact")]).await;
        let found = answer.body.as_array().unwrap().iter();
        let found: Vec<_> = found.map(|row| row["username"].as_str().unwrap()).collect();
        assert_eq!(found, names, "{query}");
        let range = answer.header("content-range");
        let count = format!("/{}", names.len());
        assert!(range.ends_with(&count), "{query}: {range}");
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

    let path = format!("{FUNCTIONS}/board.csv");
    let encoded = app.get_with(&path, &[("accept-encoding", "br")]).await;
    assert_eq!(encoded.header("content-encoding"), "br");
    let csv = visit(&app, &path).await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    let csv = csv.text();
    let lines: Vec<&str> = csv.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 6);
    for (line, begin) in [
        (0, "rank,provider,username,bitcoin,"),
        (1, r#"1,twitter,"whale",100.00000000,exact,true,2026-"#),
        (3, r#"3,github,"'=octo,""2""",1.50000000,exact,true,"#),
        (5, r#",twitter,"nobody",,exact,false,,"#),
    ] {
        let end = if line == 0 { ",id,named" } else { ",true" };
        let line = lines[line];
        assert!(line.starts_with(begin) && line.ends_with(end), "{line}");
    }
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
    assert_eq!(ask("\"none\"").await, (200, fresh.clone()));
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
        let answer = (answer.status.as_u16(), policy);
        assert_eq!(answer, (200, "cross-origin"), "{path}");
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
