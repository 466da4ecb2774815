//! The picture beside a shared link.

use image::GenericImageView;
use reqwest::{Method, StatusCode};

use super::{until, visit};
use crate::people::{prove, sign_in};
use crate::support::app::TestApp;

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
