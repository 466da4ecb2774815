//! Delivery of pages: policies, titles, compression, and what crawlers get.

use super::{until, visit};
use crate::support::prelude::*;

#[tokio::test]
async fn pages_run_no_script_of_their_own_and_load_nothing_from_elsewhere() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &person, 1).await;
    let page = visit(&app, "/leaderboard").await.text();
    for script in page.split("<script").skip(1) {
        let tag = script.split_once('>').unwrap().0;
        let allowed = ["src=\"/", "type=\"application/json\""];
        assert!(allowed.iter().any(|it| tag.contains(it)), "{tag}");
    }
    assert!(!page.contains("style=\"") && !page.contains(" onclick"));
    for source in page.split("src=\"").skip(1) {
        assert!(source.starts_with('/'), "{}", &source[..40]);
    }
}

#[tokio::test]
async fn the_front_page_leads_to_the_leaderboard() {
    let app = TestApp::development().await;
    for (path, location) in [
        ("/", "/leaderboard"),
        ("/?u=hal&x=%20", "/leaderboard?u=hal&x=%20"),
        ("/index.html", "/leaderboard"),
        ("//evil.example/", ""),
    ] {
        let response = direct_client().get(format!("{}{path}", app.origin)).send();
        let answer = Answer::read(response.await.unwrap()).await;
        let status = if location.is_empty() { 404 } else { 307 };
        let led = (answer.status.as_u16(), answer.header("location"));
        assert_eq!(led, (status, location), "{path}");
    }
}

#[tokio::test]
async fn pages_come_compressed_and_are_sent_again_only_when_they_changed() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &person, 1).await;
    let path = "/leaderboard";
    let plain = until(&app, path, |page| page.contains(">0.00000001<")).await;
    for encoding in ["br", "gzip", ""] {
        let accepts = ("accept-encoding", encoding);
        let page = app.get_with(path, &[accepts]).await;
        assert_eq!(page.header("content-encoding"), encoding);
        assert_eq!(page.header("vary"), "accept-encoding");
        assert_eq!(page.header("cache-control"), "no-cache");
        assert_eq!(page.text() == plain, encoding.is_empty());
        assert!(encoding.is_empty() || page.bytes.len() < plain.len() / 2);
        let tag = page.header("etag");
        let again = app.get_with(path, &[accepts, ("if-none-match", tag)]).await;
        assert_eq!((again.status.as_u16(), again.header("etag")), (304, tag));
    }
    let first = visit(&app, path).await;
    prove(&app.state, &person, 2).await;
    until(&app, path, |page| page.contains(">0.00000002<")).await;
    let known = [("if-none-match", first.header("etag"))];
    assert_eq!(app.get_with(path, &known).await.status, 200);
}

#[tokio::test]
async fn every_page_has_a_title_and_private_ones_are_not_listed() {
    let app = TestApp::development().await;
    let title = "Proof of Reserves";
    for (path, own, listed) in [
        ("/how-it-works", "How It Works · ", true),
        ("/privacy-policy", "Privacy Policy · ", true),
        ("/terms-of-service", "Terms of Service · ", true),
        ("/login", "Login · ", false),
        ("/profile/satoshi", "", false),
        ("/upload", "", false),
    ] {
        let page = visit(&app, path).await.text();
        let title = format!("<title>{own}{title}</title>");
        assert!(page.contains(&title), "{path}: {page}");
        assert_eq!(page.contains("noindex"), !listed, "{path}");
        assert!(!page.contains("first-page"), "{path}");
    }
    for path in ["/how-it-works", "/leaderboard", "/favicon.svg", "/api"] {
        let posted = answer(app.request(Method::POST, path)).await;
        // RFC 9110, section 15.5.6.
        let refused = (posted.status.as_u16(), posted.header("allow"));
        assert_eq!(refused, (405, "GET,HEAD"), "{path}");
    }
    let head = answer(app.request(Method::HEAD, "/leaderboard")).await;
    assert_eq!(head.status, 200);
}

#[tokio::test]
async fn an_address_without_a_page_is_not_found_and_gets_the_app_all_the_same() {
    let app = TestApp::development().await;
    for path in ["/nowhere", "/upload/more", "/profile/1/2", "/wp-login.php"] {
        let page = visit(&app, path).await;
        assert_eq!(page.status, 404, "{path}");
        let page = page.text();
        assert!(page.contains("<div id=\"root\">") && page.contains("noindex"));
        // A client that has it keeps getting 304.
        let again = app.get_with(path, &[("if-none-match", "*")]).await;
        assert_eq!(again.status, 404, "{path}");
    }
    for path in ["/upload", "/upload/", "/auth/callback", "/profile/satoshi"] {
        assert_eq!(visit(&app, path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn prose_is_there_without_scripts() {
    let database = TestDatabase::sqlite().await;
    let app = TestApp::start(database, &["--legal-company=An <Example> Company"]).await;
    let company = "An &#60;Example&#62; Company";
    let email = "[privacy email address]";
    for (path, texts) in [
        (
            "/how-it-works",
            ["Leaderboard ranking", "bitcoin-cli -regtest "],
        ),
        ("/privacy-policy", [company, email]),
        ("/terms-of-service", ["[country]", "May 07, 2025"]),
        // Older links redirect.
        ("/privacy", [company, email]),
    ] {
        let page = visit(&app, path).await.text();
        for text in texts.into_iter().chain(["<h1", "id=\"site\""]) {
            assert!(page.contains(text), "{text} in {page}");
        }
        assert!(!page.contains("{{"), "{path}");
    }
}

#[tokio::test]
async fn crawlers_are_told_where_to_go() {
    let app = TestApp::development().await;
    let robots = visit(&app, "/robots.txt").await.text();
    assert!(robots.contains(&format!("Sitemap: {}/sitemap.xml", app.origin)));
    assert!(!robots.contains("Disallow: /card"), "{robots}");
    let sitemap = visit(&app, "/sitemap.xml").await;
    assert_eq!(sitemap.header("content-type"), "application/xml");
    for path in ["/leaderboard", "/how-it-works", "/privacy-policy"] {
        let location = format!("<loc>{}{path}</loc>", app.origin);
        assert!(sitemap.text().contains(&location), "{sitemap:?}");
    }
}
