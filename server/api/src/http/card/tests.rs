//! How often cards are drawn, and how many requests wait for one.

use super::*;

fn person(name: &str) -> SharedRow {
    SharedRow {
        name: format!("@{name}"),
        rank: Some(3),
        sats: Some(125_000_000),
        is_range: false,
        last_verified: Some(1_790_000_000),
    }
}

fn cards() -> Cards {
    Cards::new("https://reserves.example")
}

#[tokio::test]
async fn one_person_is_drawn_once_and_a_change_is_another_card() {
    let cards = cards();
    let first = cards.card(Some(person("a")), None).await.unwrap();
    let again = cards.card(Some(person("a")), None).await.unwrap();
    // The same bytes in memory.
    assert_eq!(first.as_ptr(), again.as_ptr());
    let mut richer = person("a");
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
    let cards = cards();
    let permit = cards.drawing.acquire().await.unwrap();
    let (here, there) = ("192.0.2.7".parse().ok(), "198.51.100.8".parse().ok());
    let names: Vec<_> = (0..=QUEUE.per_sender).map(|it| it.to_string()).collect();
    let ask = |name: &String| Box::pin(cards.card(Some(person(name)), here));
    let mut crowd: Vec<_> = names.iter().map(ask).collect();
    let last = crowd.pop().unwrap();
    for waiting in &mut crowd {
        assert!(futures_util::poll!(waiting).is_pending());
    }
    let refused = last.await.unwrap_err();
    assert_eq!(refused.status.as_u16(), 429);
    let mut other = Box::pin(cards.card(Some(person("other")), there));
    assert!(futures_util::poll!(&mut other).is_pending());
    // A client that disconnects frees its slot.
    crowd.clear();
    drop(permit);
    assert!(other.await.is_ok());
    assert!(cards.card(Some(person("another")), here).await.is_ok());
}
