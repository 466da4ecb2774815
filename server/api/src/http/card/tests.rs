//! What is on a card, drawn and decoded again.

use super::*;
use store::shown_as::ShownAs;

fn person(name: &str) -> Person {
    Person {
        handle: name.to_owned(),
        name: format!("@{name}"),
        rank: Some(3),
        shown_as: ShownAs::Exact,
        holdings_sats: Some(125_000_000),
        last_verified: Some(1_790_000_000),
    }
}

fn cards() -> Cards {
    Cards::new("https://reserves.example")
}

fn decoded(card: &[u8]) -> image::RgbImage {
    let picture = image::load_from_memory_with_format(card, image::ImageFormat::Png);
    picture.unwrap().into_rgb8()
}

/// How many pixels of a region differ from a card without text there.
fn inked(picture: &image::RgbImage, x: std::ops::Range<u32>, y: std::ops::Range<u32>) -> usize {
    let bright = |pixel: &image::Rgb<u8>| pixel.0.iter().any(|channel| *channel > 140);
    y.flat_map(|y| x.clone().map(move |x| (x, y)))
        .filter(|(x, y)| bright(picture.get_pixel(*x, *y)))
        .count()
}

#[tokio::test]
async fn a_card_shows_rank_name_holdings_tier_and_day() {
    let cards = cards();
    let svg = cards.write(Some(&person("satoshi"))).unwrap();
    for text in [
        ">#3<",
        ">@satoshi<",
        ">1.25000000 BTC<",
        ">Fish · Verified on Sep 21, 2026<",
        ">reserves.example<",
        ">Proof of Reserves<",
    ] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
    let card = cards.card(Some(person("satoshi")), None).await.unwrap();
    let picture = decoded(&card);
    assert_eq!(picture.dimensions(), (1200, 630));
    for (x, y) in [
        (66..400, 200..330),
        (72..700, 340..430),
        (72..700, 450..510),
        (72..700, 540..575),
        (900..1128, 540..575),
    ] {
        assert!(inked(&picture, x.clone(), y.clone()) > 500, "{x:?} {y:?}");
    }
    assert!(card.len() < 300_000, "{}", card.len());
}

#[tokio::test]
async fn names_are_text_and_nothing_else() {
    let cards = cards();
    for name in [
        "</text><script>alert(1)</script>",
        "\"/><image href=\"file:///etc/passwd\"/>",
        "&lt;b&gt; &xxe; ]]>",
        "<!ENTITY x SYSTEM 'file:///etc/passwd'>",
        "\u{0}\u{1}\u{8}\u{b}\u{1f}\u{fffe}\u{ffff}",
        "{{ 7 * 7 }}",
    ] {
        let svg = cards.write(Some(&person(name))).unwrap();
        assert!(
            !svg.contains("<script") && !svg.contains("<image") && !svg.contains("<!ENTITY"),
            "{svg}"
        );
        assert!(!svg.contains(">@49<"));
        let card = cards.card(Some(person(name)), None).await.unwrap();
        assert_eq!(decoded(&card).dimensions(), (1200, 630), "{name}");
    }
}

#[test]
fn letters_that_the_font_lacks_are_replaced_and_hidden_ones_left_out() {
    let font = Font::embedded();
    assert_eq!(
        font.drawable("Żółć Ωμέγα Привет 1₿"),
        "Żółć Ωμέγα Привет 1₿"
    );
    assert_eq!(font.drawable("名前 😀"), "□□ □");
    assert_eq!(font.drawable("sat\u{202e}oshi\u{200b}\u{7}"), "satoshi");
}

#[test]
fn long_names_become_small_and_then_short() {
    let font = Font::embedded();
    let (name, size) = font.fitted("@satoshi", NAME_ROOM, NAME_SIZES);
    assert_eq!((name.as_str(), size), ("@satoshi", NAME_SIZES.0));
    let (name, size) = font.fitted(
        "github:a-name-of-thirty-nine-characters-in-all",
        NAME_ROOM,
        NAME_SIZES,
    );
    assert!(
        name.ends_with("all") && size < NAME_SIZES.0 && size >= NAME_SIZES.1,
        "{size}"
    );
    let (name, size) = font.fitted(&"W".repeat(500), NAME_ROOM, NAME_SIZES);
    assert!(name.ends_with('…') && name.chars().count() < 40);
    assert!(font.fitted(&name, NAME_ROOM, NAME_SIZES).1 >= size - 0.01);
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
    assert_eq!(decoded(&everybody).dimensions(), (1200, 630));
}

#[tokio::test]
async fn one_address_has_a_share_of_the_queue() {
    let cards = cards();
    let permit = cards.drawing.acquire().await.unwrap();
    let (here, there) = ("192.0.2.7".parse().ok(), "198.51.100.8".parse().ok());
    let names: Vec<_> = (0..=QUEUE.per_sender).map(|it| it.to_string()).collect();
    let mut crowd: Vec<_> = names
        .iter()
        .map(|name| Box::pin(cards.card(Some(person(name)), here)))
        .collect();
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
