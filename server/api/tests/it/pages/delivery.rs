//! How pages come: their policies, titles, compression, and what crawlers are told.

use std::io::Read;

use reqwest::{Method, StatusCode};

use super::{html, until, visit};
use crate::people::{prove, sign_in};
use crate::support::app::TestApp;
use crate::support::database::TestDatabase;

#[tokio::test]
async fn pages_run_no_script_of_their_own_and_load_nothing_from_elsewhere() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &person, 1).await;
    let response = visit(&app, "/leaderboard").await;
    let policy = response.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(
        policy.contains("script-src 'self' 'wasm-unsafe-eval'"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe-inline"), "{policy}");
    let page = response.text().await.unwrap();
    for script in page.split("<script").skip(1) {
        let tag = script.split_once('>').unwrap().0;
        assert!(
            tag.contains("src=\"/") || tag.contains("type=\"application/json\""),
            "{tag}"
        );
    }
    assert!(!page.contains("style=\"") && !page.contains(" onclick"));
    for source in page.split("src=\"").skip(1) {
        assert!(source.starts_with('/'), "{}", &source[..40]);
    }
}

#[tokio::test]
async fn the_front_page_leads_to_the_leaderboard() {
    let app = TestApp::development().await;
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    for (path, location) in [
        ("/", "/leaderboard"),
        ("/?u=hal&x=%20", "/leaderboard?u=hal&x=%20"),
        ("/index.html", "/leaderboard"),
        ("//evil.example/", ""),
    ] {
        let response = client
            .get(format!("{}{path}", app.origin))
            .send()
            .await
            .unwrap();
        let found = response.headers().get("location");
        assert_eq!(
            found.map_or("", |it| it.to_str().unwrap()),
            location,
            "{path}"
        );
        let status = if location.is_empty() { 404 } else { 307 };
        assert_eq!(response.status().as_u16(), status, "{path}");
    }
}

#[tokio::test]
async fn pages_come_compressed_and_are_sent_again_only_when_they_changed() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &person, 1).await;
    let plain = until(&app, "/leaderboard", |page| page.contains(">0.00000001<")).await;
    for coding in ["br", "gzip"] {
        let request = app.request(Method::GET, "/leaderboard");
        let request = request.header("accept-encoding", coding);
        let response = request.send().await.unwrap();
        assert_eq!(response.headers()["content-encoding"], coding);
        assert_eq!(response.headers()["vary"], "accept-encoding");
        assert_eq!(response.headers()["cache-control"], "no-cache");
        let bytes = response.bytes().await.unwrap();
        assert!(bytes.len() < plain.len() / 2);
        let mut unpacked = String::new();
        match coding {
            "br" => brotli::Decompressor::new(&bytes[..], 4096).read_to_string(&mut unpacked),
            _ => flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut unpacked),
        }
        .unwrap();
        assert_eq!(unpacked, plain);
    }
    for coding in ["br", "gzip", "identity"] {
        let ask = || {
            let request = app.request(Method::GET, "/leaderboard");
            request.header("accept-encoding", coding)
        };
        let response = ask().send().await.unwrap();
        let tag = response.headers()["etag"].clone();
        let again = ask().header("if-none-match", &tag).send().await.unwrap();
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{coding}");
        assert_eq!(again.headers()["etag"], tag);
    }
    let first = visit(&app, "/leaderboard").await.headers()["etag"].clone();
    prove(&app.state, &person, 2).await;
    until(&app, "/leaderboard", |page| page.contains(">0.00000002<")).await;
    let request = app.request(Method::GET, "/leaderboard");
    let changed = request.header("if-none-match", first).send().await.unwrap();
    assert_eq!(changed.status(), StatusCode::OK);
}

#[tokio::test]
async fn every_page_has_a_title_and_private_ones_are_not_listed() {
    let app = TestApp::development().await;
    for (path, title, listed) in [
        ("/how-it-works", "How It Works · Proof of Reserves", true),
        (
            "/privacy-policy",
            "Privacy Policy · Proof of Reserves",
            true,
        ),
        (
            "/terms-of-service",
            "Terms of Service · Proof of Reserves",
            true,
        ),
        ("/login", "Login · Proof of Reserves", false),
        ("/profile/anybody", "Proof of Reserves", false),
        ("/upload", "Proof of Reserves", false),
    ] {
        let page = html(&app, path).await;
        assert!(
            page.contains(&format!("<title>{title}</title>")),
            "{path}: {page}"
        );
        assert_eq!(page.contains("noindex"), !listed, "{path}");
        assert!(!page.contains("first-page"), "{path}");
    }
    for path in ["/how-it-works", "/leaderboard", "/favicon.svg", "/api"] {
        let posted = app.request(Method::POST, path).send().await.unwrap();
        assert_eq!(posted.status(), 405, "{path}");
        // RFC 9110, section 15.5.6.
        let allowed = posted.headers().get("allow");
        assert_eq!(allowed.expect("what is"), "GET,HEAD", "{path}");
    }
    let head = app
        .request(Method::HEAD, "/leaderboard")
        .send()
        .await
        .unwrap();
    assert_eq!(head.status(), 200);
}

#[tokio::test]
async fn an_address_without_a_page_is_not_found_and_gets_the_app_all_the_same() {
    let app = TestApp::development().await;
    for path in ["/nowhere", "/upload/more", "/profile/1/2", "/wp-login.php"] {
        let begin = visit(&app, path).await;
        assert_eq!(begin.status(), StatusCode::NOT_FOUND, "{path}");
        let page = begin.text().await.unwrap();
        assert!(page.contains("<div id=\"root\">") && page.contains("noindex"));
        // It stays so for whoever has it.
        let again = app.request(Method::GET, path).header("if-none-match", "*");
        assert_eq!(again.send().await.unwrap().status(), 404, "{path}");
    }
    for path in ["/upload", "/upload/", "/auth/callback", "/profile/anybody"] {
        assert_eq!(visit(&app, path).await.status(), StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn prose_is_there_without_scripts() {
    let database = TestDatabase::sqlite().await;
    let app = TestApp::start(database, &["--legal-company=An <Example> Company"]).await;
    for (path, texts) in [
        (
            "/how-it-works",
            &["<h1", "Leaderboard ranking", "bitcoin-cli -regtest "][..],
        ),
        (
            "/privacy-policy",
            &[
                "<h1",
                "An &#60;Example&#62; Company",
                "[privacy email address]",
            ],
        ),
        ("/terms-of-service", &["<h1", "[country]", "May 07, 2025"]),
    ] {
        let page = html(&app, path).await;
        for text in texts {
            assert!(page.contains(text), "{text} in {page}");
        }
        assert!(
            !page.contains("{{") && page.contains("id=\"site\""),
            "{path}"
        );
    }
    // Where older links lead.
    let privacy = visit(&app, "/privacy").await;
    assert!(privacy.url().path().ends_with("/privacy-policy"));
}

#[tokio::test]
async fn crawlers_are_told_where_to_go() {
    let app = TestApp::development().await;
    let robots = html(&app, "/robots.txt").await;
    assert!(robots.contains(&format!("Sitemap: {}/sitemap.xml", app.origin)));
    assert!(!robots.contains("Disallow: /card"), "{robots}");
    let response = visit(&app, "/sitemap.xml").await;
    assert_eq!(response.headers()["content-type"], "application/xml");
    let sitemap = response.text().await.unwrap();
    for path in [
        "/leaderboard",
        "/how-it-works",
        "/privacy-policy",
        "/terms-of-service",
    ] {
        assert!(
            sitemap.contains(&format!("<loc>{}{path}</loc>", app.origin)),
            "{sitemap}"
        );
    }
}
