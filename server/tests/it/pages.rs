//! Pages as they leave the server: their heads, the first rows, the cards beside shared links.

#![allow(
    clippy::unwrap_used,
    reason = "a behaviour says what it expects by panicking, as the tests do that clippy.toml spares"
)]

use std::io::Read;
use std::time::{Duration, Instant};

use image::GenericImageView;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::people::{prove, sign_in};
use crate::support::app::TestApp;
use crate::support::database::{TestDatabase, on_both};

const PATIENCE: Duration = Duration::from_secs(30);

async fn visit(app: &TestApp, path: &str) -> Response {
    let response = app.request(Method::GET, path).send().await;
    response.expect("an answer")
}

async fn html(app: &TestApp, path: &str) -> String {
    visit(app, path).await.text().await.expect("text")
}

/// The page as soon as it is as wanted: rows may be a moment old.
async fn until(app: &TestApp, path: &str, wanted: impl Fn(&str) -> bool) -> String {
    let begin = Instant::now();
    loop {
        let page = html(app, path).await;
        if wanted(&page) {
            return page;
        }
        assert!(begin.elapsed() < PATIENCE, "{page}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The data block that the web app begins with.
fn snapshot(page: &str) -> Value {
    let (_, rest) = page
        .split_once("<script type=\"application/json\" id=\"board-snapshot\">")
        .expect("a data block");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

on_both!(
    the_first_rows_stand_in_the_page,
    a_shared_link_shows_its_person,
    names_are_found_as_links_say_them,
);

async fn the_first_rows_stand_in_the_page(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let empty = html(&app, "/leaderboard").await;
    assert!(empty.contains("Nobody is on the board yet."));
    assert_eq!(snapshot(&empty), json!({"rows": [], "total": 0}));

    let picture = "https://pbs.twimg.com/profile_images/1/a_normal.jpg";
    let first = sign_in(&app.state, "twitter", "satoshi", Some(picture)).await;
    let second = sign_in(&app.state, "github", "hal", None).await;
    sign_in(&app.state, "google", "nobody", None).await;
    prove(&app.state, &first, 150_000_000).await;
    prove(&app.state, &second, 2).await;

    let both = |page: &str| page.contains(">1.50000000<") && page.contains(">0.00000002<");
    let page = until(&app, "/leaderboard", both).await;
    let place = |text: &str| {
        page.find(text)
            .unwrap_or_else(|| panic!("{text} in {page}"))
    };
    assert!(place(">@satoshi</a>") < place(">github:hal</span>"));
    assert!(place(">github:hal</span>") < place(">google:nobody</span>"));
    for text in [
        "href=\"https://x.com/satoshi\"",
        ">1.50000000<",
        ">0.00000002<",
        ">Fish<",
        &format!("href=\"/profile/{}\"", second.id),
        &format!("src=\"/api/storage/v1/avatar/{}?v=", first.id),
        "Showing 3 of 3 users",
        "<h1",
        "<table",
        "rel=\"canonical\"",
    ] {
        place(text);
    }
    assert!(!page.contains("twimg.com"));

    let rest = app
        .get("/api/rest/v1/profiles?select=*&order=bitcoin_holdings.desc.nullslast&limit=100")
        .await;
    assert_eq!(snapshot(&page), json!({"rows": rest.body, "total": 3}));
}

async fn a_shared_link_shows_its_person(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let richest = sign_in(&app.state, "twitter", "richest", None).await;
    let person = sign_in(&app.state, "github", "hal", None).await;
    sign_in(&app.state, "google", "new here", None).await;
    prove(&app.state, &richest, 9_000_000_000).await;
    prove(&app.state, &person, 125_000_000).await;

    let page = html(&app, "/leaderboard?u=github:hal").await;
    let origin = &app.origin;
    for text in [
        "<title>#2 · github:hal · 1.25000000 BTC · Proof of Reserves</title>".to_owned(),
        "<meta property=\"og:title\" content=\"#2 · github:hal · 1.25000000 BTC · Proof of Reserves\" />".to_owned(),
        "<meta name=\"twitter:card\" content=\"summary_large_image\" />".to_owned(),
        format!("<meta property=\"og:url\" content=\"{origin}/leaderboard?u=github%3Ahal\" />"),
        format!("<meta name=\"twitter:image\" content=\"{origin}/card/github%3Ahal.png?v="),
        "github:hal (Fish) is ranked #2 on the Bitcoin Leaderboard with 1.25000000 BTC".to_owned(),
    ] {
        assert!(page.contains(&text), "{text} in {page}");
    }
    assert_eq!(page.matches("<title>").count(), 1);

    // Another place is another head.
    prove(&app.state, &person, 10_000_000_000).await;
    let title = "<title>#1 · github:hal · 100.00000000 BTC";
    until(&app, "/leaderboard?u=github:hal", |page| {
        page.contains(title)
    })
    .await;

    let unproven = html(&app, "/leaderboard?u=google%3Anew+here").await;
    assert!(
        unproven.contains("<title>google:new here · Proof of Reserves</title>"),
        "{unproven}"
    );
    let plain = "<title>Bitcoin Leaderboard · Proof of Reserves</title>";
    for unknown in [
        "?u=stranger",
        "?u=",
        "?u=%00",
        "?u=%ff",
        "?u=a&u=b",
        "",
        "?q=hal",
    ] {
        let page = html(&app, &format!("/leaderboard{unknown}")).await;
        assert!(page.contains(plain), "{unknown}");
    }
}

async fn names_are_found_as_links_say_them(database: TestDatabase) {
    let app = TestApp::start(database, &[]).await;
    let (x, github) = (
        sign_in(&app.state, "twitter", "Hal", None).await,
        sign_in(&app.state, "github", "hal", None).await,
    );
    let alone = sign_in(&app.state, "google", "Alone: here", None).await;
    prove(&app.state, &github, 5).await;
    for (link, found) in [
        ("hal", Some(&x)),
        ("@HAL", Some(&x)),
        ("twitter:hal", Some(&x)),
        ("github:hal", Some(&github)),
        ("google:hal", None),
        ("google:alone: here", Some(&alone)),
        ("Alone: here", Some(&alone)),
        ("ha%", None),
        ("h_l", None),
        ("' or 1=1 --", None),
    ] {
        let person = server::person::find(&app.state.store, link).await.unwrap();
        let name = |it: &server::store::profiles::Profile| {
            server::person::display_name(&it.provider, &it.username)
        };
        assert_eq!(person.map(|person| person.name), found.map(name), "{link}");
    }
}

#[tokio::test]
async fn a_name_is_text_wherever_it_stands() {
    let app = TestApp::development().await;
    let names = [
        "</script><script>alert(1)</script>",
        "</title><img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)",
        "'><svg/onload=alert(1)>",
        "<!--<script>",
        "{{7*7}}{% raw %}",
        "javascript:alert(1)",
        "\u{2028}\u{2029}&lt;script&gt;",
    ];
    for (index, name) in names.into_iter().enumerate() {
        let person = sign_in(&app.state, "twitter", name, None).await;
        prove(&app.state, &person, 1000 + i64::try_from(index).unwrap()).await;
    }
    for name in names {
        let link: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
        let address = format!("/leaderboard?u={link}");
        let page = until(&app, &address, |page| {
            snapshot(page)["total"] == names.len()
        })
        .await;
        let lower = page.to_lowercase();
        for forbidden in [
            "<script>",
            "<img src=x",
            "onmouseover=\"",
            "<svg/",
            "<!--<",
            "href=\"javascript",
        ] {
            assert!(
                !lower.contains(forbidden),
                "{forbidden} of {name} in {page}"
            );
        }
        assert_eq!(page.matches("</title>").count(), 1, "{name}");
        assert!(
            page.contains("· Proof of Reserves</title>") && page.contains("<title>#"),
            "{name}"
        );
        // And it is the very name, to whoever reads the data.
        let rows = snapshot(&page);
        let rows = rows["rows"].as_array().unwrap();
        assert!(rows.iter().any(|row| row["username"] == name), "{name}");

        let card = visit(&app, &format!("/card/{}.png", link.replace('+', "%20"))).await;
        assert_eq!(card.headers()["content-type"], "image/png", "{name}");
    }
}

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
        let status = if location.is_empty() { 200 } else { 307 };
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
        assert!(!page.contains("board-snapshot"), "{path}");
    }
    let posted = app
        .request(Method::POST, "/how-it-works")
        .send()
        .await
        .unwrap();
    assert_eq!(posted.status(), 405);
    let head = app
        .request(Method::HEAD, "/leaderboard")
        .send()
        .await
        .unwrap();
    assert_eq!(head.status(), 200);
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

#[tokio::test]
async fn a_card_is_a_picture_of_the_place_on_the_board() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &person, 125_000_000).await;
    let card = visit(&app, "/card/satoshi.png").await;
    assert_eq!(card.headers()["content-type"], "image/png");
    assert_eq!(card.headers()["cache-control"], "public, max-age=300");
    assert_eq!(
        card.headers()["cross-origin-resource-policy"],
        "cross-origin"
    );
    let tag = card.headers()["etag"].clone();
    let drawn = image::load_from_memory(&card.bytes().await.unwrap()).unwrap();
    assert_eq!(drawn.dimensions(), (1200, 630));

    let again = app
        .request(Method::GET, "/card/satoshi.png")
        .header("if-none-match", &tag);
    assert_eq!(again.send().await.unwrap().status(), 304);
    prove(&app.state, &person, 125_000_001).await;
    let title = "1.25000001 BTC";
    let page = until(&app, "/leaderboard?u=satoshi", |page| page.contains(title)).await;
    let (_, address) = page.split_once("\"twitter:image\" content=\"").unwrap();
    let (address, _) = address.split_once('"').unwrap();
    let path = address.strip_prefix(&app.origin).unwrap();
    let changed = visit(&app, path).await;
    assert_ne!(changed.headers()["etag"], tag);

    // Nobody is told by their card that they are unknown.
    let general = visit(&app, "/card/leaderboard.png").await;
    let stranger = visit(&app, "/card/stranger.png").await;
    assert_eq!(
        (general.status(), stranger.status()),
        (StatusCode::OK, StatusCode::OK)
    );
    assert_eq!(general.headers()["etag"], stranger.headers()["etag"]);
    assert_ne!(general.headers()["etag"], tag);
    assert_eq!(visit(&app, "/card/satoshi").await.status(), 404);
}
