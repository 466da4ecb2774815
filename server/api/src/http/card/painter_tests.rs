//! What is on a card, drawn.

use super::*;

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

/// The texts of a person's card.
fn texts(person: &Person) -> Vec<String> {
    let svg = painter().svg(Some(person)).unwrap();
    let texts = svg.split("<text").skip(1);
    let texts = texts.filter_map(|text| Some(text.split_once('>')?.1.split_once('<')?.0));
    texts
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_card_shows_rank_name_holdings_tier_and_block() {
    let person = Person::sample("satoshi");
    let expected = "Proof of Reserves|reserves.example|S|@satoshi|Fish|#3|of 388|1.25 BTC|top 1%|\
        Checked to block 977,462 · No coins moved";
    assert_eq!(texts(&person).join("|"), expected);
    let picture = painter().draw(Some(&person), None).unwrap();
    assert_eq!(picture.dimensions(), (1200, 630));
    for (x, y) in [
        (146..500, 60..105),
        (880..1128, 60..105),
        (110..155, 190..250),
        (224..520, 170..225),
        (66..300, 320..440),
        (72..240, 465..500),
        (800..1128, 375..440),
        (1000..1128, 465..500),
        (72..700, 560..590),
    ] {
        assert!(inked(&picture, x.clone(), y.clone()) > 200, "{x:?} {y:?}");
    }
    let board = painter().draw(None, None).unwrap();
    assert_eq!(board.dimensions(), (1200, 630));
}

#[test]
fn a_hidden_total_shows_its_range_and_no_percentile() {
    let mut person = Person::sample("satoshi");
    person.sats = Some(100_000_000);
    person.is_range = true;
    person.last_verified = None;
    assert_eq!(
        texts(&person)[4..8],
        ["Fish", "#3", "of 388", "at least 1 BTC"]
    );
    assert!(!texts(&person).iter().any(|text| text.contains('%')));
}

#[test]
fn amounts_are_short_and_never_more_than_is_proven() {
    let mut person = Person::sample("satoshi");
    for (sats, shown) in [
        (2_100_000_000_000_000, "21,000,000.00 BTC"),
        (299_999_999, "2.99 BTC"),
        (1_000_000, "0.01 BTC"),
        (999_999, "0.0099 BTC"),
        (543_210, "0.0054 BTC"),
        (1, "0.00000001 BTC"),
    ] {
        person.sats = Some(sats);
        assert!(
            texts(&person).iter().any(|text| text == shown),
            "{shown}: {:?}",
            texts(&person)
        );
    }
    (person.sats, person.rank) = (None, None);
    assert!(texts(&person).contains(&"Nothing proven yet".to_owned()));
    assert!(!texts(&person).iter().any(|text| text.starts_with("of ")));
}

#[test]
fn a_percentile_is_shown_where_it_says_something() {
    for (rank, holders, percent) in [
        (1, 9, None),
        (1, 10, Some(10)),
        (5, 10, Some(50)),
        (6, 10, None),
        (1, 1_000, Some(1)),
        (14, 388, Some(4)),
    ] {
        assert_eq!(top_percent(rank, holders), percent, "{rank} of {holders}");
    }
}

#[test]
fn the_avatar_is_round_and_covers_the_initial() {
    let side = AVATAR_SIDE.into();
    let avatar = RgbaImage::from_pixel(side, side, image::Rgba([0, 255, 0, 255]));
    let person = Person::sample("satoshi");
    let with = painter().draw(Some(&person), Some(&avatar)).unwrap();
    let without = painter().draw(Some(&person), None).unwrap();
    let (left, top) = (72, 162);
    let (middle_x, middle_y) = (left + side / 2, top + side / 2);
    for (x, y) in [
        (middle_x, middle_y),
        (left + 2, middle_y),
        (middle_x, top + side - 3),
    ] {
        assert_eq!(with.get_pixel(x, y).0, [0, 255, 0], "{x} {y}");
    }
    // Outside of the circle nothing changes.
    for (x, y) in [
        (left + 5, top + 5),
        (left + side - 5, top + side - 5),
        (300, 200),
    ] {
        assert_eq!(with.get_pixel(x, y), without.get_pixel(x, y), "{x} {y}");
    }
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
        let svg = painter.svg(Some(&Person::sample(name))).unwrap();
        for not_text in ["<script", "<image", "<!ENTITY", ">49<"] {
            assert!(!svg.contains(not_text), "{svg}");
        }
        let picture = painter.draw(Some(&Person::sample(name)), None).unwrap();
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
    let fitted = |name: &str| font.fitted(name, NAME.0, NAME.1);
    let (largest, smallest) = NAME.1;
    assert_eq!(fitted("@satoshi"), ("@satoshi".to_owned(), largest));
    let (name, size) = fitted("github:a-name-of-thirty-nine-characters-in-all");
    assert!(name.ends_with("all"));
    assert!(size < largest && size >= smallest, "{size}");
    let (name, size) = fitted(&"W".repeat(500));
    assert!(name.ends_with('…') && name.chars().count() < 40);
    assert!(fitted(&name).1 >= size - 0.01);
}
