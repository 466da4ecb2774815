//! Which form of a picture is wanted, from small sets: anything else would let a stranger keep the server busy and
//! fill its memory.

use axum::body::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde::Deserialize;
use utoipa::IntoParams;

use super::picture::{KEPT_SIDE, Kind, Picture, PictureError, unpack};
use super::resize::{contain, cover, fill};
use crate::error::Error;

/// The sides that can be asked for, in pixels.
const SIDES: [u32; 7] = [48, 64, 96, 128, 192, 256, 400];

/// The qualities that can be asked for.
const QUALITIES: [u8; 9] = [20, 30, 40, 50, 60, 70, 80, 90, 100];

/// What clients of hosted storage get when they do not say.
const DEFAULT_QUALITY: u8 = 80;

/// The query of a picture, as it is written.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct VariantQuery {
    /// 48, 64, 96, 128, 192, 256 or 400 pixels; alone, the other side follows.
    #[param(value_type = Option<i32>)]
    width: Option<String>,
    /// As width.
    #[param(value_type = Option<i32>)]
    height: Option<String>,
    /// cover (default), contain or fill, when both sides are given.
    resize: Option<String>,
    /// origin (default: PNG with transparency, else JPEG), webp, png or jpeg.
    format: Option<String>,
    /// 20, 30, 40, 50, 60, 70, 80 (default), 90 or 100; PNG has none.
    #[param(value_type = Option<i32>)]
    quality: Option<String>,
    /// Changes with the picture, so that caches on the way do not keep an older one; `avatar_url` of a profile has it. Not
    /// read.
    #[serde(rename = "v")]
    _version: Option<String>,
}

/// A form of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    width: Option<u32>,
    height: Option<u32>,
    resize: Resize,
    format: Format,
    quality: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Resize {
    Cover,
    Contain,
    Fill,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Format {
    Origin,
    Webp,
    Png,
    Jpeg,
}

impl TryFrom<VariantQuery> for Variant {
    type Error = Error;

    fn try_from(query: VariantQuery) -> Result<Self, Error> {
        let resize = match query.resize.as_deref() {
            None | Some("cover") => Resize::Cover,
            Some("contain") => Resize::Contain,
            Some("fill") => Resize::Fill,
            Some(_) => return Err(invalid("resize must be cover, contain or fill.")),
        };
        let format = match query.format.as_deref() {
            None | Some("origin") => Format::Origin,
            Some("webp") => Format::Webp,
            Some("png") => Format::Png,
            Some("jpeg") => Format::Jpeg,
            Some(_) => return Err(invalid("format must be origin, webp, png or jpeg.")),
        };
        Ok(Self {
            width: one_of("width", query.width.as_deref(), &SIDES)?,
            height: one_of("height", query.height.as_deref(), &SIDES)?,
            resize,
            format,
            quality: one_of("quality", query.quality.as_deref(), &QUALITIES)?
                .unwrap_or(DEFAULT_QUALITY),
        })
    }
}

/// A number of a set, written as the set's members are.
fn one_of<T: Copy + ToString>(
    name: &str,
    text: Option<&str>,
    set: &[T],
) -> Result<Option<T>, Error> {
    let Some(text) = text else {
        return Ok(None);
    };
    let member = set.iter().find(|member| member.to_string() == text);
    member.copied().map(Some).ok_or_else(|| {
        let members: Vec<String> = set.iter().map(ToString::to_string).collect();
        invalid(&format!("{name} must be one of {}.", members.join(", ")))
    })
}

fn invalid(sentence: &str) -> Error {
    Error::bad_request("invalid-query", sentence)
}

/// A picture in the form that was asked for.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// What it is.
    pub media_type: &'static str,
    /// The file.
    pub bytes: Bytes,
    /// Its strong entity tag.
    pub tag: String,
}

/// Draws a kept picture in the form that was asked for.
///
/// # Errors
/// When the picture is broken.
pub(super) fn render(picture: &Picture, variant: Variant) -> Result<Rendered, PictureError> {
    let drawn = variant.resized(unpack(&picture.bytes)?)?;
    let mut bytes = Vec::new();
    let media_type = match (variant.format, picture.kind) {
        (Format::Jpeg, _) | (Format::Origin, Kind::Jpeg) => {
            let encoder = JpegEncoder::new_with_quality(&mut bytes, variant.quality);
            on_white(&drawn).write_with_encoder(encoder)?;
            "image/jpeg"
        }
        (Format::Png, _) | (Format::Origin, Kind::Png) => {
            drawn.write_to(&mut std::io::Cursor::new(&mut bytes), ImageFormat::Png)?;
            "image/png"
        }
        (Format::Webp, _) => {
            bytes = webp(&drawn, variant.quality)?;
            "image/webp"
        }
    };
    let tag = crate::etag::of(&bytes, "");
    Ok(Rendered {
        media_type,
        bytes: bytes.into(),
        tag,
    })
}

impl Variant {
    /// With one side alone, the other follows from the picture's proportions, up to the largest side that is kept.
    fn resized(
        self,
        picture: DynamicImage,
    ) -> Result<DynamicImage, fast_image_resize::ResizeError> {
        match (self.width, self.height, self.resize) {
            (None, None, _) => Ok(picture),
            (Some(width), Some(height), Resize::Cover) => cover(picture, width, height),
            (Some(width), Some(height), Resize::Fill) => fill(picture, width, height),
            (width, height, _) => contain(
                picture,
                width.unwrap_or(KEPT_SIDE),
                height.unwrap_or(KEPT_SIDE),
            ),
        }
    }
}

/// JPEG knows no transparency: what shines through is white.
fn on_white(picture: &DynamicImage) -> RgbImage {
    let Some(pixels) = picture.as_rgba8() else {
        return picture.to_rgb8();
    };
    let mut flat = RgbImage::new(pixels.width(), pixels.height());
    for (to, from) in flat.pixels_mut().zip(pixels.pixels()) {
        let [red, green, blue, alpha] = from.0.map(u16::from);
        let over = |channel: u16| {
            let mixed = (channel * alpha + 255 * (255 - alpha) + 127) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        };
        *to = Rgb([over(red), over(green), over(blue)]);
    }
    flat
}

fn webp(picture: &DynamicImage, quality: u8) -> Result<Vec<u8>, PictureError> {
    let (width, height) = (picture.width(), picture.height());
    let pixels = picture.to_rgba8();
    let written = webp::Encoder::from_rgba(&pixels, width, height)
        .encode_simple(false, f32::from(quality))
        .map_err(|_| PictureError::Webp)?;
    Ok(written.to_vec())
}

#[cfg(test)]
mod tests;
