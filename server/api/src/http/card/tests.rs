//! How often cards are drawn, and how many requests wait for one.

use super::*;
use crate::http::limits::database_queue;
use chain::clock::Clock;
use store::Store;
use tempfile::TempDir;

/// Cards of people without stored pictures. The database is in the folder.
async fn cards() -> (Cards, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}/cards.sqlite", folder.path().display());
    let store = Store::connect(&url).await.unwrap();
    let pictures = Pictures::new((store, Clock::manual(0)), database_queue(10), &[]).unwrap();
    let cards = Cards::new("https://reserves.example", Arc::new(pictures));
    (cards, folder)
}

#[tokio::test]
async fn one_person_is_drawn_once_and_a_change_is_another_card() {
    let (cards, _folder) = cards().await;
    let first = cards.card(Some(Person::sample("a")), None).await.unwrap();
    let again = cards.card(Some(Person::sample("a")), None).await.unwrap();
    // The same bytes in memory.
    assert_eq!(first.as_ptr(), again.as_ptr());
    let mut richer = Person::sample("a");
    richer.rank = Some(1);
    let other = cards.card(Some(richer), None).await.unwrap();
    assert_ne!(first, other);
    let everybody = cards.card(None, None).await.unwrap();
    let png = image::load_from_memory_with_format(&everybody, image::ImageFormat::Png);
    assert_eq!(png.unwrap().into_rgb8().dimensions(), painter::SIZE);
    assert!(first.len() < 300_000, "{}", first.len());
}

#[tokio::test]
async fn one_address_has_a_share_of_the_queue() {
    let (cards, _folder) = cards().await;
    let turn = cards.queue.turn(None).await.unwrap();
    let (here, there) = ("192.0.2.7".parse().ok(), "198.51.100.8".parse().ok());
    let names: Vec<_> = (0..=QUEUE.places_per_sender)
        .map(|it| it.to_string())
        .collect();
    let ask = |name: &String| Box::pin(cards.card(Some(Person::sample(name)), here));
    let mut crowd: Vec<_> = names.iter().map(ask).collect();
    let last = crowd.pop().unwrap();
    for waiting in &mut crowd {
        assert!(futures_util::poll!(waiting).is_pending());
    }
    let refused = last.await.unwrap_err();
    assert_eq!(refused.status.as_u16(), 429);
    let mut other = Box::pin(cards.card(Some(Person::sample("other")), there));
    assert!(futures_util::poll!(&mut other).is_pending());
    // A client that disconnects frees its slot.
    crowd.clear();
    drop(turn);
    assert!(other.await.is_ok());
    assert!(
        cards
            .card(Some(Person::sample("another")), here)
            .await
            .is_ok()
    );
}
