//! Users' pictures, from a real listener in place of a provider's host to the bytes that a browser gets.

use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use api::http::auth::dialect::UserMetadata;
use api::limits::permits::TooMany;
use api::pictures::{Busy, Form, Pictures, QUEUE};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use chain::clock::{Clock, DAY};
use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use serde_json::json;
use store::profiles::Profile;
use tokio::sync::Semaphore;

use crate::people::sign_in;
use crate::support::app::{Answer, TestApp, answer};
use crate::support::database::{TestDatabase, on_both};
use crate::support::faults::serve;

/// How many requests a host answers at a time.
const OPEN: u32 = 1_000;

/// A picture host that can fail, and counts its requests.
#[derive(Clone, Debug)]
struct Host {
    visits: Arc<AtomicUsize>,
    trouble: Arc<AtomicUsize>,
    /// Every request waits here.
    gate: Arc<Semaphore>,
}

impl Host {
    async fn start() -> (Self, String) {
        let host = Self {
            visits: Arc::default(),
            trouble: Arc::default(),
            gate: Arc::new(Semaphore::new(OPEN as usize)),
        };
        let router = Router::new()
            .route("/{*path}", get(serve_picture))
            .with_state(host.clone());
        (host, format!("http://{}", serve(router).await))
    }

    fn visits(&self) -> usize {
        self.visits.load(Ordering::SeqCst)
    }

    fn in_trouble(&self, trouble: bool) {
        self.trouble.store(usize::from(trouble), Ordering::SeqCst);
    }
}

async fn serve_picture(State(host): State<Host>, Path(path): Path<String>) -> Response {
    host.visits.fetch_add(1, Ordering::SeqCst);
    let _through = host.gate.acquire().await.unwrap();
    if host.trouble.load(Ordering::SeqCst) > 0 {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let kind = |kind: &'static str| [("content-type", kind)];
    match path.as_str() {
        "images/face_400x400.jpg" => (kind("image/jpeg"), picture([200, 0, 0])).into_response(),
        "images/other_400x400.jpg" => (kind("image/jpeg"), picture([0, 0, 200])).into_response(),
        "drawing.svg" => {
            let svg = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
            (kind("image/png"), svg).into_response()
        }
        "large.png" => (kind("image/png"), vec![0; 3 * 1024 * 1024]).into_response(),
        "elsewhere.png" => Redirect::temporary("/images/face_400x400.jpg").into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// 400 by 300 pixels of one color.
fn picture(color: [u8; 3]) -> Vec<u8> {
    let mut file = Vec::new();
    DynamicImage::from(RgbImage::from_pixel(400, 300, Rgb(color)))
        .write_to(&mut Cursor::new(&mut file), ImageFormat::Jpeg)
        .unwrap();
    file
}

/// The response to a visitor, without waiting for the board.
async fn visit(app: &TestApp, path: &str) -> Answer {
    answer(app.request(Method::GET, path)).await
}

fn drawn(answer: &Answer) -> DynamicImage {
    image::load_from_memory(&answer.bytes).unwrap()
}

fn avatar(person: &Profile) -> String {
    format!("/api/storage/v1/avatar/{}", person.id)
}

async fn app(database: TestDatabase) -> (TestApp, Host, String) {
    let (host, origin) = Host::start().await;
    let hosts = format!("--avatar-hosts={origin}");
    (TestApp::start(database, &[&hosts]).await, host, origin)
}

on_both!(
    replicas_share_a_picture,
    a_deleted_account_leaves_no_picture
);

#[tokio::test]
async fn a_picture_is_fetched_once_and_served_in_every_form() {
    let (app, host, origin) = app(TestDatabase::sqlite().await).await;
    let avatar_url = format!("{origin}/images/face_normal.jpg");
    let person = sign_in(&app.state, "twitter", "satoshi", Some(&avatar_url)).await;
    let path = avatar(&person);
    let forms = [
        ("", (400, 300), "image/jpeg"),
        ("?format=origin", (400, 300), "image/jpeg"),
        ("?width=96&height=96", (96, 96), "image/webp"),
        (
            "?width=96&height=96&resize=cover&format=webp&quality=80",
            (96, 96),
            "image/webp",
        ),
    ];
    let ask = async |(query, size, kind): &(&str, (u32, u32), &str)| {
        let picture = visit(&app, &format!("{path}{query}")).await;
        assert_eq!(picture.status, 200);
        for (name, value) in [
            ("content-type", *kind),
            ("cache-control", "public, max-age=3600"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(picture.header(name), value);
        }
        assert_eq!(drawn(&picture).dimensions(), *size);
    };
    join_all(forms.iter().cycle().take(20).map(ask)).await;
    assert_eq!(host.visits(), 1);

    // The address that the specification's client library uses.
    let whole = format!("object/public/avatars/{}", person.id);
    let small = format!("render/image/public/avatars/{}", person.id);
    let small = format!("{small}?width=96&height=96&resize=cover");
    for (address, size) in [(whole, (400, 300)), (small, (96, 96))] {
        let picture = visit(&app, &format!("/api/storage/v1/{address}")).await;
        assert_eq!(drawn(&picture).dimensions(), size);
    }

    let first = visit(&app, &path).await;
    let tag = first.header("etag");
    let again = app.get_with(&path, &[("if-none-match", tag)]).await;
    assert_eq!((again.status.as_u16(), again.header("etag")), (304, tag));
    assert!(again.bytes.is_empty());
}

#[tokio::test]
async fn a_provider_is_asked_again_after_a_day_or_for_another_picture() {
    let (app, host, origin) = app(TestDatabase::sqlite().await).await;
    let face = format!("{origin}/images/face_normal.jpg");
    let person = sign_in(&app.state, "twitter", "satoshi", Some(&face)).await;
    let path = avatar(&person) + "?width=96&height=96&format=webp";
    let color = async || drawn(&visit(&app, &path).await).get_pixel(10, 10).0;
    assert!(color().await[0] > 150);
    app.state.clock.advance(DAY - 1);
    assert!(color().await[0] > 150);
    assert_eq!(host.visits(), 1);
    app.state.clock.advance(2);
    assert!(color().await[0] > 150);
    assert_eq!(host.visits(), 2);

    let row = format!("/api/rest/v1/profiles?id=eq.{}", person.id);
    let before = app.get(&row).await.body[0]["avatar_url"].take();
    let other = format!("{origin}/images/other_normal.jpg");
    sign_in(&app.state, "twitter", "satoshi", Some(&other)).await;
    assert!(color().await[2] > 150);
    assert_eq!(host.visits(), 3);
    assert_ne!(app.get(&row).await.body[0]["avatar_url"], before);
}

#[tokio::test]
async fn a_picture_stays_while_its_provider_is_in_trouble() {
    let (app, host, origin) = app(TestDatabase::sqlite().await).await;
    let face = format!("{origin}/images/face_normal.jpg");
    let person = sign_in(&app.state, "twitter", "satoshi", Some(&face)).await;
    let path = avatar(&person);
    assert_eq!(app.get(&path).await.status, 200);
    host.in_trouble(true);
    app.state.clock.advance(DAY + 1);
    for _ in 0..5 {
        assert_eq!(app.get(&path).await.status, 200);
    }
    assert_eq!(host.visits(), 2);
    host.in_trouble(false);
    app.state.clock.advance(60 * 60);
    assert_eq!(app.get(&path).await.status, 200);
    assert_eq!(host.visits(), 3);
}

#[tokio::test]
async fn a_provider_without_a_picture_is_left_alone() {
    let (app, host, origin) = app(TestDatabase::sqlite().await).await;
    let files = ["gone.png", "drawing.svg", "large.png", "elsewhere.png"];
    for (index, file) in files.into_iter().enumerate() {
        let url = format!("{origin}/{file}");
        let person = sign_in(&app.state, "github", file, Some(&url)).await;
        let path = avatar(&person);
        for _ in 0..10 {
            assert_eq!(app.get(&path).await.problem(), (404, "not-found"), "{file}");
        }
        assert_eq!(host.visits(), index + 1, "{file}");
    }
    app.state.clock.advance(DAY);
    for file in files {
        let profiles = app.state.store.profiles_named("github", file).await;
        let id = profiles.unwrap().remove(0).id;
        app.get(&format!("/api/storage/v1/avatar/{id}")).await;
    }
    assert_eq!(host.visits(), 8);
}

async fn replicas_share_a_picture(database: TestDatabase) {
    let (app, host, origin) = app(database).await;
    let face = format!("{origin}/images/face_normal.jpg");
    let person = sign_in(&app.state, "twitter", "satoshi", Some(&face)).await;
    let path = avatar(&person);
    assert_eq!(app.get(&path).await.status, 200);
    host.in_trouble(true);
    let clock = Clock::manual(app.state.clock.now());
    let hosts = [url::Url::parse(&origin).unwrap()];
    let replica = Arc::new(Pictures::new(app.state.store.clone(), clock, &hosts).unwrap());
    for form in [Form::Whole, Form::Small] {
        let shared = replica.picture(&person.id, &face, form, None).await;
        assert!(shared.unwrap().is_some());
    }
    assert_eq!(host.visits(), 1);
}

async fn a_deleted_account_leaves_no_picture(database: TestDatabase) {
    let (app, _, origin) = app(database).await;
    let face = format!("{origin}/images/face_normal.jpg");
    let person = sign_in(&app.state, "twitter", "satoshi", Some(&face)).await;
    let path = avatar(&person);
    assert_eq!(app.get(&path).await.status, 200);
    let store = &app.state.store;
    assert!(store.picture(&person.id).await.unwrap().is_some());
    assert!(store.delete_profile(&person.id).await.unwrap());
    assert_eq!(app.get(&path).await.status, 404);
    assert!(store.picture(&person.id).await.unwrap().is_none());
}

#[tokio::test]
async fn rows_never_name_the_providers_host() {
    let app = TestApp::development().await;
    let told = "https://pbs.twimg.com/profile_images/1/a_normal.jpg";
    let person = sign_in(&app.state, "twitter", "satoshi", Some(told)).await;
    let nobody = sign_in(&app.state, "twitter", "hal", None).await;
    let rows = app.get("/api/rest/v1/profiles?select=id,avatar_url").await;
    let avatar = |id: &str| {
        let rows = rows.body.as_array().unwrap();
        rows.iter().find(|row| row["id"] == id).unwrap()["avatar_url"].clone()
    };
    let own = avatar(&person.id);
    let own = own.as_str().unwrap();
    assert!(
        own.starts_with(&format!("/api/storage/v1/avatar/{}?v=", person.id)),
        "{own}"
    );
    assert_eq!(avatar(&nobody.id), json!(null));
    let told = UserMetadata::from_profile(&person).avatar_url;
    assert_eq!(told.as_deref(), Some(own));
    assert!(!rows.body.to_string().contains("twimg"));
}

#[tokio::test]
async fn forms_that_are_not_offered_are_refused() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    let path = avatar(&person);
    let refused = "width=1000000&height=1000000 width=97&height=97 width=192&height=192 width=96&height=96&format=origin \
        width=0&height=0 width=-96&height=-96 width=096&height=096 width=96.0&height=96.0 width=&height= width=96 \
        height=96 width=96&height=192 width=96&height=96&resize=contain width=96&height=96&format=png \
        width=96&height=96&quality=79 format=webp resize=cover quality=80 url=https://evil.example/a.png \
        width=96&width=96&height=96";
    for query in refused.split(' ') {
        let refused = visit(&app, &format!("{path}?{query}")).await;
        assert_eq!(refused.problem(), (400, "invalid-query"), "{query}");
        let said = refused.body["message"].as_str().unwrap();
        for form in ["format=origin", "width=96&height=96"] {
            assert!(said.contains(form), "{query}: {said}");
        }
    }
    let address = "/api/storage/v1/avatar/https:%2F%2Fpbs.twimg.com%2Fa.png";
    for nothing in [&path, "/api/storage/v1/avatar/nobody", address] {
        assert_eq!(app.get(nothing).await.status, 404);
    }
}

/// Pictures are fetched only from the providers' own hosts, and this is not one. Unit tests cover the ways around the list.
#[tokio::test]
async fn a_picture_elsewhere_is_not_asked_for() {
    let (host, origin) = Host::start().await;
    let app = TestApp::development().await;
    let url = format!("{origin}/images/face_normal.jpg");
    let person = sign_in(&app.state, "github", "name", Some(&url)).await;
    let path = avatar(&person);
    assert_eq!(app.get(&path).await.status, 404);
    assert_eq!(host.visits(), 0);
}

/// Many requests for pictures while the provider is slow: a request that finds the queue full gets a Retry-After
/// at once, and all others get a picture.
#[tokio::test]
async fn a_full_queue_is_said_at_once() {
    let (app, host, origin) = app(TestDatabase::sqlite().await).await;
    let face = format!("{origin}/images/face_normal.jpg");
    let person = sign_in(&app.state, "twitter", "satoshi", Some(&face)).await;
    let path = avatar(&person) + "?width=96&height=96";
    let closed = host.gate.acquire_many(OPEN).await.unwrap();
    // A missing picture causes no drawing.
    let (pictures, face) = (&app.state.pictures, &format!("{origin}/nothing.png"));
    let mut crowd: FuturesUnordered<_> = (0..=QUEUE.total)
        .map(|number| async move {
            let id = format!("user {number}");
            pictures.picture(&id, face, Form::Small, None).await
        })
        .collect();
    // The provider does not answer, so the first response is the refusal.
    let refused = crowd.next().await.unwrap().unwrap_err();
    assert_eq!(refused, Busy::Full(TooMany::InTotal));
    let refused = visit(&app, &path).await;
    assert_eq!(
        (refused.status.as_u16(), refused.header("retry-after")),
        (503, "2")
    );
    drop(closed);
    while let Some(answer) = crowd.next().await {
        assert!(matches!(answer, Ok(None) | Err(Busy::Slow)));
    }
    assert_eq!(visit(&app, &path).await.status, 200);
}

/// A client that asks for many users' pictures gets no more than its share of the queue.
#[tokio::test]
async fn one_address_leaves_room_for_others() {
    let (host, origin) = Host::start().await;
    let hosts = format!("--avatar-hosts={origin}");
    let arguments = [&hosts, "--trusted-proxies=127.0.0.1"];
    let app = TestApp::start(TestDatabase::sqlite().await, &arguments).await;
    let face = format!("{origin}/nothing.png");
    let person = sign_in(&app.state, "twitter", "satoshi", Some(&face)).await;
    let path = avatar(&person);
    let closed = host.gate.acquire_many(OPEN).await.unwrap();
    let pictures = &app.state.pictures;
    let ask = async |id: String, address: &str| {
        let address = address.parse().ok();
        pictures.picture(&id, &face, Form::Small, address).await
    };
    let mut crowd: FuturesUnordered<_> = (0..=QUEUE.per_sender)
        .map(|number| ask(format!("user {number}"), "192.0.2.7"))
        .collect();
    let refused = crowd.next().await.unwrap().unwrap_err();
    assert_eq!(refused, Busy::Full(TooMany::BySender));
    let refused = app
        .get_with(&path, &[("x-forwarded-for", "192.0.2.8")])
        .await;
    assert_eq!(
        (refused.status.as_u16(), refused.header("retry-after")),
        (429, "2")
    );
    let other = ask("another".to_owned(), "198.51.100.8");
    let (other, ()) = tokio::join!(other, async { drop(closed) });
    assert!(matches!(other, Ok(None) | Err(Busy::Slow)));
    while let Some(answer) = crowd.next().await {
        assert!(matches!(answer, Ok(None) | Err(Busy::Slow)));
    }
}
