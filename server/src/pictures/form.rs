//! The forms in which a picture is offered: few, and drawn together, so that no stranger can make the server draw.

use super::picture::{Picture, PictureError, WEBP, keep, unpack};
use super::resize::cover;

/// The quality of WebP: what clients of hosted storage get when they do not say.
const QUALITY: f32 = 80.0;

/// How a picture is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is kept: PNG with transparency, else JPEG, at most 400 pixels on a side.
    Whole,
    /// WebP, 96 pixels square: beside a name, on a dense screen.
    Small,
    /// WebP, 192 pixels square: on somebody's own page, on a dense screen.
    Large,
    /// 96 pixels square, PNG with transparency, else JPEG.
    SmallOrigin,
    /// 192 pixels square, PNG with transparency, else JPEG.
    LargeOrigin,
}

/// A picture in all its forms.
#[derive(Debug)]
pub(super) struct Drawn {
    whole: Picture,
    small: Picture,
    large: Picture,
    small_origin: Picture,
    large_origin: Picture,
}

impl Drawn {
    /// Draws the other forms of a kept picture.
    pub(super) fn new(whole: Picture) -> Result<Self, PictureError> {
        let pixels = unpack(&whole.bytes)?;
        let square = |side: u32| {
            let drawn = cover(&pixels, side)?;
            let written = webp::Encoder::from_rgba(&drawn.to_rgba8(), side, side)
                .encode_simple(false, QUALITY)
                .map_err(|_| PictureError::Webp)?;
            let as_webp = Picture {
                media_type: WEBP,
                bytes: written.to_vec().into(),
            };
            Ok::<_, PictureError>((as_webp, keep(&drawn)?))
        };
        let (small, small_origin) = square(96)?;
        let (large, large_origin) = square(192)?;
        Ok(Self {
            small,
            large,
            small_origin,
            large_origin,
            whole,
        })
    }

    pub(super) fn form(&self, form: Form) -> &Picture {
        match form {
            Form::Whole => &self.whole,
            Form::Small => &self.small,
            Form::Large => &self.large,
            Form::SmallOrigin => &self.small_origin,
            Form::LargeOrigin => &self.large_origin,
        }
    }

    /// What it takes in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        [
            &self.whole,
            &self.small,
            &self.large,
            &self.small_origin,
            &self.large_origin,
        ]
        .iter()
        .map(|picture| picture.bytes.len())
        .sum()
    }
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, GenericImageView, ImageFormat, Rgba, RgbaImage};

    use super::super::picture;
    use super::*;

    /// Red on the left, blue on the right, green between.
    fn flag(width: u32, height: u32, alpha: u8) -> Drawn {
        let pixels = RgbaImage::from_fn(width, height, |x, _| match x * 4 / width {
            0 => Rgba([255, 0, 0, alpha]),
            3 => Rgba([0, 0, 255, alpha]),
            _ => Rgba([0, 255, 0, alpha]),
        });
        let mut file = Vec::new();
        pixels
            .write_to(&mut std::io::Cursor::new(&mut file), ImageFormat::Png)
            .unwrap();
        Drawn::new(picture::read(&file).unwrap()).unwrap()
    }

    fn decoded(drawn: &Drawn, form: Form) -> (&'static str, DynamicImage) {
        let picture = drawn.form(form);
        let pixels = image::load_from_memory(&picture.bytes).unwrap();
        (picture.media_type, pixels)
    }

    #[test]
    fn every_form_has_its_size_and_kind() {
        for (width, height) in [(300, 150), (400, 400), (20, 30), (1, 400)] {
            let drawn = flag(width, height, 255);
            for (form, size, kind) in [
                (Form::Whole, (width, height), "image/jpeg"),
                (Form::Small, (96, 96), "image/webp"),
                (Form::Large, (192, 192), "image/webp"),
                (Form::SmallOrigin, (96, 96), "image/jpeg"),
                (Form::LargeOrigin, (192, 192), "image/jpeg"),
            ] {
                let (media_type, pixels) = decoded(&drawn, form);
                assert_eq!((pixels.dimensions(), media_type), (size, kind));
            }
        }
    }

    #[test]
    fn a_square_cuts_the_sides_off() {
        let (_, small) = decoded(&flag(400, 100, 255), Form::Small);
        for x in [1, 48, 94] {
            let [red, green, blue, _] = small.get_pixel(x, 48).0;
            assert!(red < 40 && green > 215 && blue < 40, "{red} {green} {blue}");
        }
    }

    #[test]
    fn what_shines_through_stays() {
        let clear = flag(100, 100, 0);
        for (form, kind) in [
            (Form::Whole, "image/png"),
            (Form::Small, "image/webp"),
            (Form::Large, "image/webp"),
            (Form::SmallOrigin, "image/png"),
            (Form::LargeOrigin, "image/png"),
        ] {
            let (media_type, pixels) = decoded(&clear, form);
            assert_eq!((media_type, pixels.get_pixel(20, 20).0[3]), (kind, 0));
        }
    }
}
