//! Pages as the server sends them: their heads, the first rows, the cards of shared links.

use crate::support;
use crate::support::prelude::*;

mod card;
mod data;
mod delivery;

/// The page, without waiting for the board.
pub(crate) async fn visit(app: &TestApp, path: &str) -> Answer {
    answer(app.request(Method::GET, path)).await
}

async fn html(app: &TestApp, path: &str) -> String {
    visit(app, path).await.text()
}

/// The page as soon as it has what the test wants: rows may be a moment old.
async fn until(app: &TestApp, path: &str, wanted: impl Fn(&str) -> bool) -> String {
    let page = async || Some(html(app, path).await).filter(|page| wanted(page));
    support::until(path, page).await
}

/// The data block that the web app starts with.
fn snapshot(page: &str) -> Value {
    serde_json::from_str(data(page)).unwrap()
}

fn data(page: &str) -> &str {
    let begin = "<script type=\"application/json\" id=\"first-page\">";
    let (_, rest) = page.split_once(begin).expect("a data block");
    rest.split_once("</script>").expect("its end").0
}

#[tokio::test]
async fn the_page_contains_the_first_rows() {
    let app = TestApp::development().await;
    let empty = html(&app, "/leaderboard").await;
    assert!(empty.contains("Nobody is on the board yet."));
    assert_eq!(snapshot(&empty)["rows"], json!([]));

    let picture = "https://pbs.twimg.com/profile_images/1/a_normal.jpg";
    let first = sign_in(&app.state, "twitter", "satoshi", Some(picture)).await;
    let second = sign_in(&app.state, "github", "hal", None).await;
    sign_in(&app.state, "google", "nobody", None).await;
    prove(&app.state, &first, 150_000_000).await;
    prove(&app.state, &second, 2).await;

    let both = |page: &str| page.contains(">1.50000000<") && page.contains(">0.00000002<");
    let page = until(&app, "/leaderboard", both).await;
    assert!(!page.contains("twimg.com") && page.contains("rel=\"canonical\""));

    // The data is the API's response, byte for byte, with the number of the newest change.
    let rows = "/api/rest/v1/profiles?select=*&order=bitcoin_holdings.desc.nullslast&limit=100";
    let rest = visit(&app, rows).await;
    let (number, rows) = (rest.header("board-number"), rest.text());
    let summary = html(&app, "/api/functions/v1/board-summary").await;
    let begin = format!(r#"{{"number":{number},"rows":{rows},"summary":{summary},"price":null,"#);
    assert!(data(&page).starts_with(&begin), "{begin} in {page}");

    // Without scripts the page has the same rows as a table.
    let (_, table) = page.split_once("<tbody>").expect("a table");
    let names = ["@satoshi", "github:hal", "google:nobody"];
    let places = names.map(|name| table.find(&format!("<bdi>{name}</bdi>")));
    assert!(places[0].is_some() && places.is_sorted(), "{table}");

    // The app fetches any other rows.
    let queries = [
        "?q=hal ?verified=1 ?tier=whale ?u=hal&q=x",
        "?q= ?verified=true ?u=hal",
    ];
    for (queries, whole) in queries.into_iter().zip([false, true]) {
        for query in queries.split(' ') {
            let page = html(&app, &format!("/leaderboard{query}")).await;
            let has = ["first-page", "<table"].map(|it| page.contains(it));
            assert_eq!(has, [whole; 2], "{query}");
        }
    }
    let verify = html(&app, "/verify").await;
    assert!(!verify.contains("application/json") && !verify.contains("satoshi"));
}

#[tokio::test]
async fn a_shared_link_shows_its_person() {
    let app = TestApp::development().await;
    let richest = sign_in(&app.state, "twitter", "richest", None).await;
    let person = sign_in(&app.state, "github", "hal", None).await;
    sign_in(&app.state, "google", "new here", None).await;
    prove(&app.state, &richest, 9_000_000_000).await;
    prove(&app.state, &person, 125_000_000).await;

    let page = html(&app, "/leaderboard?u=github:hal").await;
    let title = "#2 · github:hal · 1.25000000 BTC · Proof of Reserves";
    let origin = &app.origin;
    let head = format!(
        r#"<title>{title}</title>
        <meta property="og:title" content="{title}" />
        <meta name="twitter:card" content="summary_large_image" />
        <meta property="og:url" content="{origin}/leaderboard?u=github%3Ahal" />
        <meta name="twitter:image" content="{origin}/card/github%3Ahal.png?v="#
    );
    has(&page, &head.lines().map(str::trim).collect::<Vec<_>>());

    // Another rank changes the head.
    prove(&app.state, &person, 10_000_000_000).await;
    let title = "<title>#1 · github:hal · 100.00000000 BTC";
    let changed = |page: &str| page.contains(title);
    until(&app, "/leaderboard?u=github:hal", changed).await;

    let unproven = html(&app, "/leaderboard?u=google%3Anew+here").await;
    let title = "<title>google:new here · Proof of Reserves</title>";
    has(&unproven, &[title]);
    let plain = "<title>Bitcoin Leaderboard · Proof of Reserves</title>";
    for unknown in ["?u=stranger", "?u=", "?u=%ff", "?u=a&u=b", "", "?q=hal"] {
        let page = html(&app, &format!("/leaderboard{unknown}")).await;
        assert!(page.contains(plain), "{unknown}");
    }
}

#[tokio::test]
async fn names_are_found_as_links_say_them() {
    let app = TestApp::development().await;
    let x = sign_in(&app.state, "twitter", "Hal", None).await;
    let github = sign_in(&app.state, "github", "hal", None).await;
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
        let person = app.state.board.person("regtest", link).await.unwrap();
        let name = |it: &Profile| api::providers::shown_name(&it.provider, &it.username, it.named);
        assert_eq!(person.map(|person| person.name), found.map(name), "{link}");
    }
}

#[tokio::test]
async fn a_name_taken_by_another_account_is_given_up() {
    let app = TestApp::development().await;
    let first = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &first, 5).await;
    let taker = called("twitter", "another user", "Satoshi");
    let now = app.state.clock.now();
    app.state.store.sign_in(&taker, now).await.unwrap();
    app.state.board.catch_up().await.unwrap();

    let stand_in = format!("user_{}", &first.id[..5]);
    let bare = format!("<bdi>{stand_in}</bdi>");
    let page = until(&app, "/leaderboard", |page| page.contains(&bare)).await;
    assert!(!page.contains(&format!("@{stand_in}")));
    assert!(page.contains("<bdi>@Satoshi</bdi>"));
    let rows = app.get("/api/rest/v1/profiles?select=username,named").await;
    let first = json!({"username": stand_in, "named": false});
    let taken = json!({"username": "Satoshi", "named": true});
    assert_eq!(rows.body, json!([first, taken]));
    let person = app.state.board.person("regtest", &stand_in).await.unwrap();
    assert_eq!(person.map(|person| person.name), Some(stand_in));
}

#[tokio::test]
async fn a_name_is_escaped_on_every_page() {
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
        let whole = |page: &str| snapshot(page)["summary"]["people"] == names.len();
        let page = until(&app, &address, whole).await;
        let lower = page.to_lowercase();
        let forbidden = "<script>|<img src=x|onmouseover=\"|<svg/|<!--<|href=\"javascript";
        for forbidden in forbidden.split('|') {
            assert!(!lower.contains(forbidden), "{forbidden} in {page}");
        }
        assert_eq!(page.matches("</title>").count(), 1, "{name}");
        let data = data(&page);
        assert!(!data.contains(['<', '\u{2028}', '\u{2029}']), "{data}");
        // The page and its data contain the exact name.
        let escaped = ['&', '<', '>', '"', '\''].into_iter();
        let text = escaped.fold(name.to_owned(), |text, it| {
            text.replace(it, &format!("&#{};", u32::from(it)))
        });
        assert!(page.contains(&format!("<bdi>@{text}</bdi>")), "{name}");
        let rows = snapshot(&page);
        let rows = rows["rows"].as_array().unwrap();
        assert!(rows.iter().any(|row| row["username"] == name), "{name}");

        let card = visit(&app, &format!("/card/{}.png", link.replace('+', "%20"))).await;
        assert_eq!(card.header("content-type"), "image/png", "{name}");
    }
}
