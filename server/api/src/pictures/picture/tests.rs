//! What becomes of files, good and bad.

use image::{GenericImageView, Rgb, RgbImage, Rgba, RgbaImage};

use super::*;

/// A picture as a file.
fn encoded(pixels: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    pixels.into().write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// A PNG of one color.
fn plain(width: u32, height: u32) -> Vec<u8> {
    let pixels = RgbaImage::from_pixel(width, height, Rgba([10, 20, 30, 255]));
    encoded(pixels, ImageFormat::Png)
}

/// Whether the file has these bytes anywhere.
fn has(file: &[u8], bytes: &[u8]) -> bool {
    file.windows(bytes.len()).any(|window| window == bytes)
}

/// Writes the checksum of the head of a PNG.
fn sum_head(file: &mut [u8]) {
    let crc = crc32fast::hash(&file[12..29]);
    file[29..33].copy_from_slice(&crc.to_be_bytes());
}

#[test]
fn large_pictures_are_kept_small_and_say_nothing_more() {
    let mut file = plain(900, 600);
    // A comment in the file, as cameras and programs leave them: length, type, data, checksum (PNG, section 5.3).
    let comment = b"tEXtComment\0taken at home";
    let length = u32::try_from(comment.len() - 4).unwrap().to_be_bytes();
    let crc = crc32fast::hash(comment).to_be_bytes();
    file.splice(33..33, [&length[..], comment, &crc].concat());
    assert!(has(&file, b"home"));
    let kept = read(&file).unwrap();
    let drawn = image::load_from_memory(&kept.bytes).unwrap();
    assert_eq!(drawn.dimensions(), (400, 267));
    assert!(!has(&kept.bytes, b"home"));
}

/// A PNG whose head promises this many pixels.
fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut file = plain(8, 8);
    file[16..20].copy_from_slice(&width.to_be_bytes());
    file[20..24].copy_from_slice(&height.to_be_bytes());
    sum_head(&mut file);
    file
}

#[test]
fn bombs_are_not_unpacked() {
    for (width, height) in [(50_000, 50_000), (4097, 1), (1, 4097), (u32::MAX >> 1, 1)] {
        let refused = read(&png_of(width, height)).expect_err("too large");
        use PictureError::{Broken, TooLarge};
        assert!(matches!(refused, TooLarge(..) | Broken(_)), "{refused}");
    }
    // 16 bits in four channels pass the sides and not the memory.
    let mut deep = png_of(4096, 4096);
    (deep[24], deep[25]) = (16, 6);
    sum_head(&mut deep);
    let refused = read(&deep);
    assert!(matches!(refused, Err(PictureError::TooLarge(4096, 4096))));
    // A GIF and a WebP that promise 65535 and 16384 pixels.
    let mut gif = b"GIF89a\xff\xff\xff\xff\xf0\x00\x00\x00\x00\x00\xff\xff\xff".to_vec();
    gif.extend_from_slice(b"\x2c\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x02\x44\x01\x00\x3b");
    assert!(read(&gif).is_err());
    let webp = b"RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\xff\xff\xff\x0f\x00\x00\x00\x00\x00\x00\x00\x00\x00";
    assert!(read(webp).is_err());
}

#[test]
fn a_file_that_unpacks_to_far_more_than_it_is_stays_within_the_limits() {
    // 4096 × 4096 of one color: 50 kB that become 48 MiB, which is allowed, and end as 400 × 400.
    let large = RgbImage::from_pixel(4096, 4096, Rgb([1, 2, 3]));
    let file = encoded(large, ImageFormat::Png);
    assert!(file.len() < 300_000, "{}", file.len());
    let kept = read(&file).unwrap();
    assert!(kept.bytes.len() < 20_000);
}

#[test]
fn only_pictures_are_pictures_whatever_they_call_themselves() {
    for file in [
        &b""[..],
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<!doctype html><img src=x onerror=alert(1)>",
        b"%PDF-1.7",
        b"BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00",
        b"II*\x00\x08\x00\x00\x00",
        b"\x00\x00\x01\x00\x01\x00",
        b"\x1f\x8b\x08\x00",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0",
        b"GIF89a",
        b"RIFF\x00\x00\x00\x00WEBP",
        b"GIF89a/*\x00\x00\x00\x00\x00*/=1;alert(1)",
    ] {
        assert!(read(file).is_err(), "{file:?}");
    }
}

#[test]
fn a_picture_that_is_a_script_as_well_is_a_picture_alone() {
    let mut polyglot = plain(16, 16);
    polyglot.extend_from_slice(b"<script>alert(1)</script>");
    let kept = read(&polyglot).unwrap();
    assert!(!has(&kept.bytes, b"<script>"));
}

#[test]
fn jpeg_gif_and_webp_are_read_too() {
    let pixels = RgbImage::from_pixel(20, 10, Rgb([9, 8, 7]));
    for format in [ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
        let kept = read(&encoded(pixels.clone(), format)).unwrap();
        let drawn = image::load_from_memory(&kept.bytes).unwrap();
        assert_eq!(drawn.dimensions(), (20, 10), "{format:?}");
    }
}

proptest::proptest! {
    /// A broken file of any kind is refused or read, and never more than that.
    #[test]
    fn broken_files_do_no_harm(
        kind in 0..4_usize,
        changes in proptest::collection::vec((proptest::prelude::any::<proptest::sample::Index>(), proptest::prelude::any::<u8>()), 1..12),
        cut in proptest::prelude::any::<proptest::sample::Index>(),
    ) {
        let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP];
        let pixels = RgbImage::from_fn(24, 16, |x, y| Rgb([u8::try_from(x * 10).unwrap(), u8::try_from(y * 15).unwrap(), 99]));
        let mut file = encoded(pixels, formats[kind]);
        for (place, byte) in changes {
            let place = place.index(file.len());
            file[place] = byte;
        }
        file.truncate(cut.index(file.len() * 2).max(1));
        if let Ok(kept) = read(&file) {
            proptest::prop_assert!(kept.bytes.len() < 1_000_000);
        }
    }
}
