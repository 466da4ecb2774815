//! Users' pictures, from a real listener in place of a provider's host to the bytes that a browser gets.

use std::io::Cursor;

use api::http::limits::database_queue;
use api::limits::queue::{Full, network_of};
use api::pictures::{Form, LOOK_UPS, Pictures};
use api::sign_in::access_token::UserMetadata;
use axum::extract::{Path, State};
use axum::response::{Redirect, Response};
use futures_util::stream::FuturesUnordered;
use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage};
use tokio::sync::Semaphore;

use crate::pages::visit;
use crate::support::prelude::*;

/// How many requests a host answers at a time.
const OPEN: u32 = 1_000;

/// A picture host that can fail, and counts its requests.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    visits: Arc<AtomicUsize>,
    trouble: Arc<AtomicBool>,
    /// Every request waits here.
    gate: Arc<Semaphore>,
}

impl Host {
    /// The host, and its origin.
    pub(crate) async fn start() -> (Self, String) {
        let host = Self {
            visits: Arc::default(),
            trouble: Arc::default(),
            gate: Arc::new(Semaphore::new(OPEN as usize)),
        };
        let router = Router::new().route("/{*path}", get(serve_picture));
        let origin = serve(router.with_state(host.clone())).await;
        (host, origin)
    }

    fn visits(&self) -> usize {
        self.visits.load(Ordering::SeqCst)
    }

    fn in_trouble(&self, trouble: bool) {
        self.trouble.store(trouble, Ordering::SeqCst);
    }
}

async fn serve_picture(State(host): State<Host>, Path(path): Path<String>) -> Response {
    host.visits.fetch_add(1, Ordering::SeqCst);
    let _through = host.gate.acquire().await.unwrap();
    if host.trouble.load(Ordering::SeqCst) {
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
pub(crate) fn picture(color: [u8; 3]) -> Vec<u8> {
    let mut file = Cursor::default();
    let picture = RgbImage::from_pixel(400, 300, Rgb(color));
    picture.write_to(&mut file, ImageFormat::Jpeg).unwrap();
    file.into_inner()
}

fn drawn(answer: &Answer) -> DynamicImage {
    image::load_from_memory(&answer.bytes).unwrap()
}

fn avatar(person: &Profile) -> String {
    format!("/api/storage/v1/render/image/public/avatars/{}", person.id)
}

/// A server, a host, and a user with a picture there.
struct Fixture {
    app: TestApp,
    host: Host,
    origin: String,
    face: String,
    person: Profile,
    path: String,
}

impl Fixture {
    async fn open(database: TestDatabase, more: &[&str]) -> Self {
        let (host, origin) = Host::start().await;
        let hosts = format!("--avatar-hosts={origin}");
        let app = TestApp::start(database, &[&[&*hosts], more].concat()).await;
        let face = format!("{origin}/images/face_normal.jpg");
        let person = sign_in(&app.state, "twitter", "satoshi", Some(&face)).await;
        Self {
            path: avatar(&person),
            app,
            host,
            origin,
            face,
            person,
        }
    }

    async fn on_sqlite() -> Self {
        Self::open(TestDatabase::sqlite().await, &[]).await
    }

    async fn status(&self) -> u16 {
        visit(&self.app, &self.path).await.status.as_u16()
    }
}

on_both!(replicas_share_a_picture);

#[tokio::test]
async fn a_picture_is_fetched_once_and_served_in_every_form() {
    let fixture = Fixture::on_sqlite().await;
    let (app, path, id) = (&fixture.app, &fixture.path, &fixture.person.id);
    let square = "width=96&height=96&resize=cover";
    // The last addresses are those of the specification's client library.
    let addresses = format!(
        "{path} | image/jpeg | 400
         {path}?format=origin | image/jpeg | 400
         {path}?width=96&height=96 | image/webp | 96
         {path}?{square}&format=webp&quality=80 | image/webp | 96
         /api/storage/v1/object/public/avatars/{id} | image/jpeg | 400
         {path}?{square}&format=origin&quality=50 | image/jpeg | 400
         {path}?width=48&height=48&resize=contain | image/webp | 96
         {path}?width=64 | image/webp | 96
         {path}?height=97&resize=fill | image/jpeg | 400
         {path}?width=400&height=400&quality=80 | image/jpeg | 400
         {path}?format=origin | image/jpeg | 400"
    );
    let ask = async |[address, kind, width]: [&str; 3]| {
        let picture = visit(app, address).await.ok();
        for (name, value) in [
            ("content-type", kind),
            ("cache-control", "public, max-age=3600"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
        ] {
            assert_eq!(picture.header(name), value);
        }
        let (wide, high) = drawn(&picture).dimensions();
        assert_eq!(wide.to_string(), width);
        assert_eq!(high, wide.min(300));
    };
    let addresses: Vec<_> = table(&addresses).collect();
    join_all(addresses.iter().copied().cycle().take(24).map(ask)).await;
    assert_eq!(fixture.host.visits(), 1);

    let first = visit(app, path).await;
    let tag = first.header("etag");
    let again = app.get_with(path, &[("if-none-match", tag)]).await;
    assert_eq!((again.status.as_u16(), again.header("etag")), (304, tag));
    assert!(again.bytes.is_empty());
}

#[tokio::test]
async fn a_picture_is_asked_for_again_after_a_day_and_stays_while_its_provider_is_in_trouble() {
    let fixture = Fixture::on_sqlite().await;
    let (app, host) = (&fixture.app, &fixture.host);
    let path = format!("{}?width=96&height=96&format=webp", fixture.path);
    let color = async || drawn(&visit(app, &path).await).get_pixel(10, 10).0;
    for (seconds, trouble, visits) in [
        (0, false, 1),
        (DAY - 1, false, 1),
        (2, false, 2),
        // The picture stays while its provider is in trouble, which is asked again after an hour.
        (DAY + 1, true, 3),
        (0, true, 3),
        (60 * 60, false, 4),
    ] {
        host.in_trouble(trouble);
        app.state.clock.advance(seconds);
        assert!(color().await[0] > 150);
        assert_eq!(host.visits(), visits);
    }

    let row = format!("/api/rest/v1/profiles?id=eq.{}", fixture.person.id);
    let address = async || app.get(&row).await.body[0]["avatar_url"].take();
    let before = address().await;
    let other = format!("{}/images/other_normal.jpg", fixture.origin);
    sign_in(&app.state, "twitter", "satoshi", Some(&other)).await;
    assert!(color().await[2] > 150);
    assert_eq!(host.visits(), 5);
    assert_ne!(address().await, before);
}

#[tokio::test]
async fn a_provider_without_a_picture_is_left_alone() {
    let Fixture {
        app, host, origin, ..
    } = Fixture::on_sqlite().await;
    let files = ["gone.png", "drawing.svg", "large.png", "elsewhere.png"];
    for (index, file) in files.into_iter().enumerate() {
        let url = format!("{origin}/{file}");
        let path = avatar(&sign_in(&app.state, "github", file, Some(&url)).await);
        for _ in 0..10 {
            assert_eq!(app.get(&path).await.problem(), (404, "not-found"), "{file}");
        }
        assert_eq!(host.visits(), index + 1, "{file}");
    }
    app.state.clock.advance(DAY);
    for file in files {
        let profiles = app.state.store.profiles_named("github", file).await;
        let id = profiles.unwrap().remove(0).id;
        app.get(&format!("/api/storage/v1/render/image/public/avatars/{id}"))
            .await;
    }
    assert_eq!(host.visits(), 8);
}

async fn replicas_share_a_picture(database: TestDatabase) {
    let fixture = Fixture::open(database, &[]).await;
    assert_eq!(fixture.status().await, 200);
    fixture.host.in_trouble(true);
    let state = &fixture.app.state;
    let known = (state.store.clone(), Clock::manual(state.clock.now()));
    let hosts = [fixture.origin.parse().unwrap()];
    let replica = Arc::new(Pictures::new(known, database_queue(10), &hosts).unwrap());
    for form in [Form::Whole, Form::Small] {
        let shared = replica.picture_at(&fixture.person.id, &fixture.face, form, None);
        assert!(shared.await.unwrap().is_some());
    }
    assert_eq!(fixture.host.visits(), 1);
}

#[tokio::test]
async fn rows_never_name_the_providers_host() {
    let app = TestApp::development().await;
    let address = "https://pbs.twimg.com/profile_images/1/a_normal.jpg";
    let person = sign_in(&app.state, "twitter", "satoshi", Some(address)).await;
    let nobody = sign_in(&app.state, "twitter", "hal", None).await;
    let rows = app.get("/api/rest/v1/profiles?select=id,avatar_url").await;
    let avatar = |id: &str| {
        let rows = rows.body.as_array().unwrap();
        rows.iter().find(|row| row["id"] == id).unwrap()["avatar_url"].clone()
    };
    let own = text(&avatar(&person.id));
    let address = format!(
        "/api/storage/v1/render/image/public/avatars/{}?v=",
        person.id
    );
    assert!(own.starts_with(&address), "{own}");
    assert_eq!(avatar(&nobody.id), json!(null));
    assert_eq!(UserMetadata::from_profile(&person).avatar_url, Some(own));
    assert!(!rows.body.to_string().contains("twimg"));
}

/// Many requests for pictures while the provider is slow: a request that finds the queue full, or its address's share of it, gets a
/// Retry-After at once, and all others get a picture.
#[tokio::test]
async fn a_full_queue_is_503_at_once() {
    for (waiting, too_many, status) in [
        (LOOK_UPS.places_per_sender, Full::BySender, 429),
        (LOOK_UPS.places, Full::InTotal, 503),
    ] {
        let more = ["--trusted-proxies=127.0.0.1"];
        let fixture = Fixture::open(TestDatabase::sqlite().await, &more).await;
        let closed = fixture.host.gate.acquire_many(OPEN).await.unwrap();
        let from = if status == 429 { "192.0.2.7" } else { "" };
        // A missing picture causes no drawing.
        let pictures = &fixture.app.state.pictures;
        let nothing = format!("{}/nothing.png", fixture.origin);
        let ask = async |id: String, address: &str| {
            let sender = address.parse().ok().map(network_of);
            pictures
                .picture_at(&id, &nothing, Form::Small, sender)
                .await
        };
        let crowd = (0..=waiting).map(|number| ask(format!("user {number}"), from));
        let mut crowd: FuturesUnordered<_> = crowd.collect();
        // The provider does not answer, so the first response is a refusal.
        let refused = crowd.next().await.unwrap().unwrap_err();
        assert_eq!(refused, too_many);
        let refused = fixture.app.get_from("192.0.2.8", &fixture.path).await;
        let limited = (refused.status.as_u16(), refused.header("retry-after"));
        assert_eq!(limited, (status, "2"));
        if status == 429 {
            let other = ask("another".to_owned(), "198.51.100.8");
            assert!(futures_util::poll!(std::pin::pin!(other)).is_pending());
        }
        drop(closed);
        while let Some(answer) = crowd.next().await {
            assert_matches!(answer, Ok(None) | Err(Full::InTotal));
        }
        assert_eq!(fixture.status().await, 200);
    }
}

#[tokio::test]
async fn a_card_has_the_stored_picture_and_fetches_none() {
    let fixture = Fixture::on_sqlite().await;
    let Fixture { app, host, .. } = &fixture;
    // On the left of the avatar, beside its initial.
    let is_red = async |sats: i64| {
        prove(&app.state, &fixture.person, sats).await;
        app.state.board.catch_up().await.unwrap();
        let [red, green, blue, _] = drawn(&visit(app, "/card/satoshi.png").await)
            .get_pixel(88, 222)
            .0;
        red > 180 && green < 40 && blue < 40
    };
    assert!(!is_red(125_000_000).await);
    assert_eq!(host.visits(), 0);
    assert_eq!(fixture.status().await, 200);
    assert!(is_red(125_000_001).await);
    assert_eq!(host.visits(), 1);
}
