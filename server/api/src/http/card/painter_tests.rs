//! What is on a card, drawn.

use super::*;

fn row(name: &str) -> SharedRow {
    SharedRow {
        name: name.to_owned(),
        rank: Some(3),
        sats: Some(125_000_000),
        is_range: false,
        last_verified: Some(1_790_000_000),
    }
}

fn painter() -> Painter {
    Painter::new("https://reserves.example")
}

/// How many pixels of a region differ from a card without text there.
fn inked(picture: &RgbImage, x: std::ops::Range<u32>, y: std::ops::Range<u32>) -> usize {
    let bright = |pixel: &image::Rgb<u8>| pixel.0.iter().any(|channel| *channel > 140);
    y.flat_map(|y| x.clone().map(move |x| (x, y)))
        .filter(|(x, y)| bright(picture.get_pixel(*x, *y)))
        .count()
}

#[test]
fn a_card_shows_rank_name_holdings_tier_and_day() {
    let (painter, row) = (painter(), row("@satoshi"));
    let svg = painter.svg(Some(&row)).unwrap();
    let texts = "#3|@satoshi|1.25000000 BTC|Fish · Verified on Sep 21, 2026|\
        reserves.example|Proof of Reserves";
    for text in texts.split('|') {
        assert!(svg.contains(&format!(">{text}<")), "{text} in {svg}");
    }
    let picture = painter.draw(Some(&row)).unwrap();
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
    let board = painter.draw(None).unwrap();
    assert_eq!(board.dimensions(), (1200, 630));
}

#[test]
fn names_are_text_and_nothing_else() {
    let painter = painter();
    for name in [
        "</text><script>alert(1)</script>",
        "\"/><image href=\"file:///etc/passwd\"/>",
        "&lt;b&gt; &xxe; ]]>",
        "<!ENTITY x SYSTEM 'file:///etc/passwd'>",
        "\u{0}\u{1}\u{8}\u{b}\u{1f}\u{fffe}\u{ffff}",
        "{{ 7 * 7 }}",
    ] {
        let svg = painter.svg(Some(&row(name))).unwrap();
        for not_text in ["<script", "<image", "<!ENTITY", ">49<"] {
            assert!(!svg.contains(not_text), "{svg}");
        }
        let picture = painter.draw(Some(&row(name))).unwrap();
        assert_eq!(picture.dimensions(), (1200, 630), "{name}");
    }
}

#[test]
fn letters_that_the_font_lacks_are_replaced_and_hidden_ones_left_out() {
    let font = Font::embedded();
    for (name, drawn) in [
        ("Żółć Ωμέγα Привет 1₿", "Żółć Ωμέγα Привет 1₿"),
        ("名前 😀", "□□ □"),
        ("sat\u{202e}oshi\u{200b}\u{7}", "satoshi"),
    ] {
        assert_eq!(font.drawable(name), drawn);
    }
}

#[test]
fn long_names_become_small_and_then_short() {
    let font = Font::embedded();
    let fitted = |name: &str| font.fitted(name, NAME_ROOM, NAME_SIZES);
    let (largest, smallest) = NAME_SIZES;
    assert_eq!(fitted("@satoshi"), ("@satoshi".to_owned(), largest));
    let (name, size) = fitted("github:a-name-of-thirty-nine-characters-in-all");
    assert!(name.ends_with("all"));
    assert!(size < largest && size >= smallest, "{size}");
    let (name, size) = fitted(&"W".repeat(500));
    assert!(name.ends_with('…') && name.chars().count() < 40);
    assert!(fitted(&name).1 >= size - 0.01);
}
