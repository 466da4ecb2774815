//! The cache layer, on routes that count their calls. Public responses are computed once for each change: the same request gets the
//! same response, and a tag that changes with it.

use api::http::cache::{self, ResponseCache};
use api::http::{encoding, router};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, AUTHORIZATION, ETAG, HOST, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, StatusCode, Version};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use futures_util::future::join;
use tokio::sync::Semaphore;
use tower::ServiceExt;

use crate::support::prelude::*;

/// A route below this server's cache layer, and how often it was called.
fn counted(app: &TestApp) -> (Router, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&runs);
    let text = async move |headers: HeaderMap| {
        counter.fetch_add(1, Ordering::Relaxed);
        format!("{headers:?}{}", "a".repeat(100))
    };
    (cached(app, Router::new().fallback(get(text))), runs)
}

fn cached(app: &TestApp, routes: Router) -> Router {
    let network = app.state.chain.network_name();
    let responses = ResponseCache::new(app.state.board.clone(), app.state.price.clone(), network);
    routes
        .layer(encoding::compression())
        .layer(from_fn_with_state(
            Arc::new(responses),
            cache::cache_responses,
        ))
}

async fn ask(router: &Router, path: &str, headers: &[(&str, &str)]) -> Response {
    let mut request = Request::builder().uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).unwrap();
    router.clone().oneshot(request).await.unwrap()
}

#[tokio::test]
async fn the_cache_key_has_everything_a_response_depends_on() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    app.caught_up().await;
    let (router, runs) = counted(&app);
    let requests: [(&str, &[(&str, &str)]); 8] = [
        ("/", &[]),
        ("/other", &[]),
        ("/?limit=1", &[]),
        ("/", &[("accept", "application/vnd.pgrst.object+json")]),
        ("/", &[("prefer", "count=exact")]),
        ("/", &[("range", "0-1")]),
        ("/", &[("accept-encoding", "gzip")]),
        ("/", &[("accept-encoding", "br")]),
    ];
    let mut tags = Vec::new();
    for (path, headers) in requests {
        let response = ask(&router, path, headers).await;
        assert_eq!(response.status(), StatusCode::OK);
        let vary: Vec<_> = response.headers().get_all(VARY).iter().collect();
        assert_eq!(vary, ["accept-encoding", "accept, prefer, authorization"]);
        assert!(response.headers().contains_key("board-number"));
        tags.push(response.headers()[ETAG].clone());
    }
    assert_eq!(runs.load(Ordering::Relaxed), requests.len());
    for ((path, headers), tag) in requests.iter().zip(&tags) {
        let response = ask(&router, path, headers).await;
        assert_eq!(response.headers()[ETAG], tag);
        let known = [headers, &[("if-none-match", tag.to_str().unwrap())][..]].concat();
        let response = ask(&router, path, &known).await;
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        assert!(response.headers().contains_key("board-number"));
    }
    assert_eq!(runs.load(Ordering::Relaxed), requests.len());
    prove(&app.state, &person, 3).await;
    app.caught_up().await;
    for (path, headers) in requests {
        ask(&router, path, headers).await;
    }
    assert_eq!(runs.load(Ordering::Relaxed), 2 * requests.len());
}

#[tokio::test]
async fn requests_with_authorization_are_not_cached() {
    let app = TestApp::development().await;
    let (router, runs) = counted(&app);
    for authorization in ["Bearer a.b.c", "Bearer sb_publishable", ""] {
        let before = runs.load(Ordering::Relaxed);
        for _ in 0..2 {
            let headers = [(AUTHORIZATION.as_str(), authorization)];
            let response = ask(&router, "/", &headers).await;
            assert!(!response.headers().contains_key(ETAG));
        }
        assert_eq!(runs.load(Ordering::Relaxed), before + 2, "{authorization}");
        // A user's response is not served to visitors.
        let body = to_bytes(ask(&router, "/", &[]).await.into_body(), usize::MAX).await;
        let body = String::from_utf8(body.unwrap().into()).unwrap();
        assert!(!body.contains("authorization"), "{body}");
        runs.store(0, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn an_error_goes_to_the_request_that_caused_it_and_is_not_cached() {
    let app = TestApp::development().await;
    let shared = Arc::new((AtomicUsize::new(0), Semaphore::new(0)));
    let own = Arc::clone(&shared);
    let fails_first = async move || {
        if own.0.fetch_add(1, Ordering::Relaxed) > 0 {
            return "made".into_response();
        }
        let _ = own.1.acquire().await;
        StatusCode::SERVICE_UNAVAILABLE.into_response()
    };
    let router = cached(&app, Router::new().route("/", get(fails_first)));
    let both = join(ask(&router, "/", &[]), async {
        while shared.0.load(Ordering::Relaxed) == 0 {
            tokio::task::yield_now().await;
        }
        let release = async { shared.1.add_permits(1) };
        join(ask(&router, "/", &[]), release).await.0
    });
    let both = tokio::time::timeout(Duration::from_secs(10), both).await;
    let (first, second) = both.expect("responses");
    assert_eq!(first.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(second.status(), StatusCode::OK);
    assert_eq!(ask(&router, "/", &[]).await.status(), StatusCode::OK);
    assert_eq!(shared.0.load(Ordering::Relaxed), 2);
}

/// A request that the checks around all routes refuse gets no cached response either.
#[tokio::test]
async fn requests_are_checked_before_anything_cached_is_sent() {
    let app = TestApp::development().await;
    let router = router::app(app.state.clone());
    let path = "/api/rest/v1/profiles?limit=3";
    let host = (HOST.as_str(), "localhost");
    let first = ask(&router, path, &[host]).await;
    assert_eq!(first.status(), StatusCode::OK);
    let tag = first.headers()[ETAG].to_str().unwrap();
    for odd in [&[][..], &[host, host]] {
        for known in ["\"other\"", tag] {
            let headers = [odd, &[(IF_NONE_MATCH.as_str(), known)][..]].concat();
            let response = ask(&router, path, &headers).await;
            assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{headers:?}");
        }
    }
    // HTTP/1.0 needs no host.
    let old = Request::builder().uri(path).version(Version::HTTP_10);
    let old = router.clone().oneshot(old.body(Body::empty()).unwrap());
    assert_eq!(old.await.unwrap().status(), StatusCode::OK);
    let nul = ask(&router, &format!("{path}&username=eq.%00"), &[host]).await;
    assert_eq!(nul.status(), StatusCode::BAD_REQUEST);
    let encodings = [host, (ACCEPT_ENCODING.as_str(), "identity;q=0")];
    let odd = ask(&router, path, &encodings).await;
    assert_eq!(odd.status(), StatusCode::OK);
    assert_eq!(ask(&router, path, &[host]).await.headers()[ETAG], tag);
}

const FIRST: &str = "/api/rest/v1/profiles?select=id,username,rank&limit=2";

#[tokio::test]
async fn rows_are_sent_again_only_when_something_changed() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &person, 3).await;
    for (id, same) in [("looked-for", true), ("not looked for", false)] {
        let answer = app.get_with(FIRST, &[("x-request-id", id)]).await;
        assert_eq!(answer.header("x-request-id") == id, same);
    }
    let amounts = "/api/rest/v1/profiles?select=username,bitcoin_holdings&limit=2";
    let (names, before) = (app.get(FIRST).await, app.get(amounts).await);
    prove(&app.state, &person, 4).await;
    let known = before.header("etag");
    let after = app.get_with(amounts, &[("if-none-match", known)]).await;
    assert_eq!(after.status, 200);
    assert_ne!(after.header("etag"), known);
    // An unrelated change keeps the tag.
    let known = [("if-none-match", names.header("etag"))];
    let same = app.get_with(FIRST, &known).await;
    assert_eq!(same.status, 304);
    assert_eq!(same.header("cache-control"), "no-cache");
    assert!(same.bytes.is_empty());
    assert_eq!(same.header("board-number"), after.header("board-number"));
}

/// The number of the newest change on the board.
fn newest(app: &TestApp) -> Option<i64> {
    let newest = app.state.board.subscribe();
    newest.borrow().as_ref().map(|seen| seen.number)
}

/// Every replica gives the same bytes with the same tag, whether it followed the changes or read the board later.
#[tokio::test]
async fn replicas_that_have_seen_the_same_changes_answer_the_same() {
    let database = TestDatabase::postgres().await;
    let first = TestApp::start(database.again(), &[]).await;
    let second = TestApp::start(database.again(), &[]).await;
    for round in 1..4 {
        let person = sign_in(&first.state, "twitter", &format!("holder {round}"), None).await;
        prove(&first.state, &person, round).await;
        wait_until("following", async || newest(&second) == newest(&first)).await;
        let late = TestApp::start(database.again(), &[]).await;
        let ask = async |app: &TestApp| {
            let path = "/api/rest/v1/profiles";
            let answer = app.get_with(path, &[("accept-encoding", "br")]).await;
            (answer.header("etag").to_owned(), answer.bytes)
        };
        let expected = ask(&first).await;
        assert_eq!(ask(&second).await, expected);
        assert_eq!(ask(&late).await, expected);
    }
}
