//! What comes out, decoded again.

use image::{GenericImageView, Rgba, RgbaImage};

use super::super::picture;
use super::*;

fn variant(query: &str) -> Result<Variant, Error> {
    let url = url::Url::parse(&format!("http://host/?{query}")).unwrap();
    let mut asked = VariantQuery::default();
    for (name, value) in url.query_pairs() {
        let value = Some(value.into_owned());
        match name.as_ref() {
            "width" => asked.width = value,
            "height" => asked.height = value,
            "resize" => asked.resize = value,
            "format" => asked.format = value,
            "quality" => asked.quality = value,
            other => panic!("{other}"),
        }
    }
    Variant::try_from(asked)
}

/// Red on the left, blue on the right, green between, half of it see-through if wanted.
fn flag(width: u32, height: u32, alpha: u8) -> Vec<u8> {
    let pixels = RgbaImage::from_fn(width, height, |x, _| match x * 4 / width {
        0 => Rgba([255, 0, 0, alpha]),
        3 => Rgba([0, 0, 255, alpha]),
        _ => Rgba([0, 255, 0, alpha]),
    });
    let mut file = Vec::new();
    pixels
        .write_to(&mut std::io::Cursor::new(&mut file), ImageFormat::Png)
        .unwrap();
    file
}

fn draw(file: &[u8], query: &str) -> (&'static str, DynamicImage, usize) {
    let picture = picture::read(file).unwrap();
    let rendered = render(
        &picture,
        variant(query).unwrap_or_else(|_| panic!("{query}")),
    )
    .unwrap();
    let drawn = image::load_from_memory(&rendered.bytes).unwrap();
    (rendered.media_type, drawn, rendered.bytes.len())
}

#[test]
fn every_form_has_the_size_that_was_asked_for() {
    let wide = flag(300, 150, 255);
    for (query, size) in [
        ("", (300, 150)),
        ("width=96&height=96", (96, 96)),
        ("width=96&height=96&resize=fill", (96, 96)),
        ("width=96&height=96&resize=contain", (96, 48)),
        ("width=48&height=400&resize=contain", (48, 24)),
        ("width=128", (128, 64)),
        ("height=64", (128, 64)),
        ("width=400&height=400", (400, 400)),
    ] {
        for format in ["", "origin", "webp", "png", "jpeg"] {
            let query = match format {
                "" => query.to_owned(),
                format => format!("{query}&format={format}")
                    .trim_start_matches('&')
                    .to_owned(),
            };
            let (kind, drawn, _) = draw(&wide, &query);
            assert_eq!(drawn.dimensions(), size, "{query}");
            let expected = match format {
                "" | "origin" => "image/jpeg",
                "webp" => "image/webp",
                "png" => "image/png",
                _ => "image/jpeg",
            };
            assert_eq!(kind, expected, "{query}");
        }
    }
}

#[test]
fn cover_cuts_the_sides_off_and_fill_distorts() {
    let wide = flag(400, 100, 255);
    let near = |pixel: Rgba<u8>, wanted: [u8; 3]| {
        pixel
            .0
            .iter()
            .zip(wanted)
            .all(|(is, should)| is.abs_diff(should) < 40)
    };
    let (_, covered, _) = draw(&wide, "width=64&height=64&format=png");
    assert!(near(covered.get_pixel(1, 32), [0, 255, 0]));
    let (_, filled, _) = draw(&wide, "width=64&height=64&format=png&resize=fill");
    assert!(near(filled.get_pixel(1, 32), [255, 0, 0]));
    assert!(near(filled.get_pixel(62, 32), [0, 0, 255]));
}

#[test]
fn what_shines_through_stays_or_becomes_white() {
    let clear = flag(100, 100, 0);
    let (kind, drawn, _) = draw(&clear, "width=48&height=48");
    assert_eq!((kind, drawn.get_pixel(20, 20).0[3]), ("image/png", 0));
    let (_, drawn, _) = draw(&clear, "width=48&height=48&format=webp");
    assert_eq!(drawn.get_pixel(20, 20).0[3], 0);
    let (_, drawn, _) = draw(&clear, "width=48&height=48&format=jpeg");
    assert!(drawn.get_pixel(20, 20).0[0] > 250);
}

#[test]
fn a_lower_quality_is_a_smaller_file() {
    let noise = RgbaImage::from_fn(200, 200, |x, y| {
        let grain = u8::try_from((x * 7919 + y * 104_729) % 251).unwrap();
        Rgba([grain, grain.wrapping_mul(3), grain.wrapping_mul(7), 255])
    });
    let mut file = Vec::new();
    noise
        .write_to(&mut std::io::Cursor::new(&mut file), ImageFormat::Png)
        .unwrap();
    for format in ["jpeg", "webp"] {
        let (_, _, low) = draw(&file, &format!("format={format}&quality=20"));
        let (_, _, usual) = draw(&file, &format!("format={format}"));
        let (_, _, high) = draw(&file, &format!("format={format}&quality=100"));
        assert!(
            low < usual && usual < high,
            "{format}: {low} {usual} {high}"
        );
    }
}

#[test]
fn values_beside_the_sets_are_refused_with_the_set() {
    for (query, rule) in [
        (
            "width=49",
            "width must be one of 48, 64, 96, 128, 192, 256, 400.",
        ),
        ("width=0", "width must be one of"),
        ("width=-48", "width must be one of"),
        ("width=048", "width must be one of"),
        ("width=96.0", "width must be one of"),
        ("height=4294967344", "height must be one of"),
        ("height=", "height must be one of"),
        ("resize=crop", "resize must be cover, contain or fill."),
        ("format=svg", "format must be origin, webp, png or jpeg."),
        (
            "quality=10",
            "quality must be one of 20, 30, 40, 50, 60, 70, 80, 90, 100.",
        ),
        ("quality=85", "quality must be one of"),
    ] {
        let refused = variant(query).expect_err(query).to_string();
        assert!(refused.starts_with(rule), "{query}: {refused}");
    }
}
