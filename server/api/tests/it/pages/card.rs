//! The preview picture of a shared link.

use api::board::person::Person;
use futures_util::stream::FuturesUnordered;
use image::GenericImageView;

use super::{until, visit};

use crate::support::prelude::*;

#[tokio::test]
async fn card_shows_the_rank_on_the_board() {
    let app = TestApp::development().await;
    let person = sign_in(&app.state, "twitter", "satoshi", None).await;
    prove(&app.state, &person, 125_000_000).await;
    let card = visit(&app, "/card/satoshi.png").await;
    assert_eq!(card.header("content-type"), "image/png");
    assert_eq!(card.header("cache-control"), "public, max-age=300");
    assert_eq!(card.header("cross-origin-resource-policy"), "cross-origin");
    let tag = card.header("etag");
    let drawn = image::load_from_memory(&card.bytes).unwrap();
    assert_eq!(drawn.dimensions(), (1200, 630));

    let known = [("if-none-match", tag)];
    assert_eq!(app.get_with("/card/satoshi.png", &known).await.status, 304);
    prove(&app.state, &person, 126_000_000).await;
    let title = "1.26000000 BTC";
    let page = until(&app, "/leaderboard?u=satoshi", |page| page.contains(title)).await;
    let (_, address) = page.split_once("\"twitter:image\" content=\"").unwrap();
    let (address, _) = address.split_once('"').unwrap();
    let changed = visit(&app, address.strip_prefix(&app.origin).unwrap()).await;
    assert_ne!(changed.header("etag"), tag);

    // The card of an unknown name reveals nothing.
    let general = visit(&app, "/card/leaderboard.png").await.ok();
    let stranger = visit(&app, "/card/stranger.png").await.ok();
    assert_eq!(general.header("etag"), stranger.header("etag"));
    assert_ne!(general.header("etag"), tag);
    assert_eq!(visit(&app, "/card/satoshi").await.status, 404);
}

/// Unit tests next to the cards fill the queue.
#[tokio::test]
async fn a_full_queue_of_cards_is_503_with_retry_after() {
    let app = TestApp::behind_a_proxy().await;
    sign_in(&app.state, "twitter", "holder", None).await;
    app.state.board.catch_up().await.unwrap();
    let holder = app.state.board.person("regtest", "holder").await;
    let holder = holder.unwrap().unwrap();
    let draw = |number: usize| {
        let person = Person {
            username: format!("user{number}"),
            ..holder.clone()
        };
        app.state
            .pages
            .cards
            .card(Some(person), "192.0.2.7".parse().ok())
    };
    let mut crowd: FuturesUnordered<_> = (0..8).map(draw).collect();
    // Each request has a permit after its first poll.
    assert!(futures_util::poll!(crowd.next()).is_pending());
    let card = app.get_from("192.0.2.8", "/card/stranger.png").await;
    assert_eq!(card.status, 429);
    assert_ne!(card.header("retry-after"), "");
    drop(crowd);
    app.get_from("192.0.2.8", "/card/stranger.png").await.ok();
}
