//! The two forms of a picture. Both are drawn when a picture is looked up, so that no request can make the server draw.

use super::picture::{Picture, PictureError, WEBP, cover, decode};
use chain::clock::UnixTime;

/// The quality of WebP, the default of hosted storage.
const QUALITY: f32 = 80.0;

/// The side of the small form, in pixels.
pub const SMALL_SIDE: u32 = 96;

/// The form of a picture in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The stored picture: PNG with transparency, else JPEG, at most 400 pixels on a side.
    Whole,
    /// WebP, 96 pixels square: next to a name, on a dense screen.
    Small,
}

/// A picture in both forms.
#[derive(Debug)]
pub(super) struct Drawn {
    whole: Picture,
    small: Picture,
}

impl Drawn {
    /// Draws the small form of a stored picture.
    pub(super) fn new(whole: Picture) -> Result<Self, PictureError> {
        let square = cover(&decode(&whole.bytes)?, SMALL_SIDE)?;
        let webp = webp::Encoder::from_rgba(&square, SMALL_SIDE, SMALL_SIDE)
            .encode_simple(false, QUALITY)
            .map_err(|_| PictureError::Webp)?;
        let small = Picture {
            media_type: WEBP,
            bytes: webp.to_vec().into(),
        };
        Ok(Self { whole, small })
    }

    pub(super) fn form(&self, form: Form) -> &Picture {
        match form {
            Form::Whole => &self.whole,
            Form::Small => &self.small,
        }
    }
}

/// The cached result of a look-up.
#[derive(Debug)]
pub(super) struct Cached {
    pub(super) fresh_until: UnixTime,
    /// None when there is no picture, or it could not be fetched.
    pub(super) drawn: Option<Drawn>,
}

impl Cached {
    /// Its size in memory. Entries without a picture have a weight too, so that their number is limited.
    pub(super) fn weight(&self) -> u32 {
        let drawn = self.drawn.as_ref();
        let bytes = drawn.map_or(0, |it| it.whole.bytes.len() + it.small.bytes.len());
        u32::try_from(bytes + 2048).unwrap_or(u32::MAX)
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
        for (form, kind) in [(Form::Whole, "image/png"), (Form::Small, "image/webp")] {
            let (media_type, pixels) = decoded(&clear, form);
            assert_eq!((media_type, pixels.get_pixel(20, 20).0[3]), (kind, 0));
        }
    }
}
