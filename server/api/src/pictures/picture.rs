//! Decodes untrusted files and re-encodes them, so that nothing of the file itself is served. The bytes decide the type, and the
//! size is checked before decoding.

use std::io::Cursor;

use bytes::Bytes;
use fast_image_resize::{ResizeError, ResizeOptions, Resizer};
use image::buffer::ConvertBuffer;
use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbImage, RgbaImage,
};
use reqwest::StatusCode;

use crate::limits::queue::Full;
use outbound::BodyError;

/// The longest side of a stored picture, in pixels.
pub const KEPT_SIDE: u32 = 400;

/// The longest side of a file that is decoded, in pixels.
const MAX_SIDE: u32 = 4096;

/// The largest decoded picture, in bytes: 4096 × 4096 in four channels.
const MAX_UNPACKED: u64 = 64 * 1024 * 1024;

/// How much a decoder may allocate, in bytes.
const MAX_ALLOCATED: u64 = 2 * MAX_UNPACKED;

/// The quality of stored JPEGs, from which the small form is made.
const KEPT_QUALITY: u8 = 92;

/// The media types of stored pictures.
pub(super) const KINDS: [&str; 2] = [PNG, JPEG];
const PNG: &str = "image/png";
const JPEG: &str = "image/jpeg";
/// The media type of the small form.
pub(super) const WEBP: &str = "image/webp";

/// A re-encoded picture.
#[derive(Clone, Debug)]
pub struct Picture {
    pub media_type: &'static str,
    pub bytes: Bytes,
}

/// Why a file is not used as a picture.
#[derive(Debug, thiserror::Error)]
pub(super) enum PictureError {
    /// The provider cannot be reached, or the file is longer than [`super::fetch::MAX_BYTES`].
    #[error("cannot fetch the picture: {0}")]
    Unreachable(#[from] BodyError),
    /// A response without a picture, such as a redirect.
    #[error("the provider responded {0}")]
    Status(StatusCode),
    #[error("the picture is too large to decode: {0} × {1} pixels")]
    TooLarge(u32, u32),
    /// It is damaged, exceeds a limit of the decoder, or is neither PNG, JPEG, GIF nor WebP.
    #[error("cannot decode the picture: {0}")]
    Broken(#[from] ImageError),
    #[error("cannot resize the picture: {0}")]
    Resize(#[from] fast_image_resize::ResizeError),
    #[error("cannot encode the picture as WebP")]
    Webp,
    #[error(transparent)]
    Full(#[from] Full),
    #[error("decoding the picture panicked: {0}")]
    Thread(#[from] tokio::task::JoinError),
}

/// Reads a provider's file as the picture to store.
pub(super) fn read(file: &[u8]) -> Result<Picture, PictureError> {
    encode(&fit_within(decode(file)?, KEPT_SIDE)?)
}

/// The pixels of a file in the right orientation; the first frame of an animation.
pub(super) fn decode(file: &[u8]) -> Result<RgbaImage, PictureError> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_ALLOCATED);
    let reader = ImageReader::new(Cursor::new(file)).with_guessed_format();
    let mut reader = reader.map_err(ImageError::from)?;
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    if decoder.total_bytes() > MAX_UNPACKED {
        let (width, height) = decoder.dimensions();
        return Err(PictureError::TooLarge(width, height));
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(picture.into_rgba8())
}

/// Encodes a picture: as PNG when it has transparent pixels, else as JPEG.
fn encode(picture: &RgbaImage) -> Result<Picture, PictureError> {
    let transparent = picture.pixels().any(|pixel| pixel.0[3] < u8::MAX);
    let mut bytes = Vec::new();
    let media_type = if transparent {
        picture.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)?;
        PNG
    } else {
        let encoder = JpegEncoder::new_with_quality(&mut bytes, KEPT_QUALITY);
        let opaque: RgbImage = picture.convert();
        opaque.write_with_encoder(encoder)?;
        JPEG
    };
    Ok(Picture {
        media_type,
        bytes: bytes.into(),
    })
}

/// Fills a square: the longer sides are cut off evenly.
pub(super) fn cover(picture: &RgbaImage, side: u32) -> Result<RgbaImage, ResizeError> {
    let middle = ResizeOptions::new().fit_into_destination(Some((0.5, 0.5)));
    resize(picture, side, side, &middle)
}

/// Fits into a square, without enlarging or changing the proportions.
fn fit_within(picture: RgbaImage, side: u32) -> Result<RgbaImage, ResizeError> {
    let longer = picture.width().max(picture.height());
    if longer <= side {
        return Ok(picture);
    }
    // Rounded to the nearest pixel, and never less than one.
    let scaled = |length: u32| ((length * side + longer / 2) / longer).max(1);
    let (width, height) = (scaled(picture.width()), scaled(picture.height()));
    resize(&picture, width, height, &ResizeOptions::new())
}

/// RGBA is the only pixel type that the library is built with; all types take 7 MB of program.
fn resize(
    picture: &RgbaImage,
    width: u32,
    height: u32,
    options: &ResizeOptions,
) -> Result<RgbaImage, ResizeError> {
    let mut resized = RgbaImage::new(width, height);
    Resizer::new().resize(picture, &mut resized, options)?;
    Ok(resized)
}

#[cfg(test)]
mod tests;
