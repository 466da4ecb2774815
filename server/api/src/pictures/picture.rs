//! From any file to a picture that is safe to keep: the bytes decide what it is, its size is known before it is
//! unpacked, and what is kept is drawn anew, so that nothing of the file itself goes on.

use std::io::Cursor;

use bytes::Bytes;
use image::codecs::gif::GifDecoder;
use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, Limits};

use super::fetch::FetchError;
use super::resize::within;

/// The longest side that is kept, in pixels.
const KEPT_SIDE: u32 = 400;

/// The longest side that is unpacked, in pixels.
const MAX_SIDE: u32 = 4096;

/// What a picture may take in memory, in bytes: 4096 × 4096 in four channels.
const MAX_UNPACKED: u64 = 64 * 1024 * 1024;

/// What a decoder may take beside the picture itself.
const MAX_ALLOCATED: u64 = 2 * MAX_UNPACKED;

/// The quality of what is kept as JPEG; variants are made from it.
const KEPT_QUALITY: u8 = 92;

/// The media types of what is kept.
pub(super) const KINDS: [&str; 2] = [PNG, JPEG];
const PNG: &str = "image/png";
const JPEG: &str = "image/jpeg";
/// And of what is drawn from it.
pub(super) const WEBP: &str = "image/webp";

/// A picture that is drawn anew.
#[derive(Clone, Debug)]
pub struct Picture {
    pub media_type: &'static str,
    pub bytes: Bytes,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub(super) enum PictureError {
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("the file is neither PNG, JPEG, GIF nor WebP")]
    OtherKind,
    #[error("the picture is too large to unpack: {0} × {1} pixels")]
    TooLarge(u32, u32),
    /// It is broken, or beyond a limit of the decoder.
    #[error("the picture cannot be read: {0}")]
    Broken(#[from] ImageError),
    #[error("the picture cannot be resized: {0}")]
    Resize(#[from] fast_image_resize::ResizeError),
    #[error("the picture cannot be written as WebP")]
    Webp,
    #[error("work on the picture did not end normally: {0}")]
    Thread(#[from] tokio::task::JoinError),
}

/// Reads a file from a provider.
pub(super) fn read(file: &[u8]) -> Result<Picture, PictureError> {
    keep(&within(unpack(file)?, KEPT_SIDE)?)
}

/// The pixels of a file, upright. Of a moving picture the first frame.
pub(super) fn unpack(file: &[u8]) -> Result<DynamicImage, PictureError> {
    let reader = Cursor::new(file);
    match image::guess_format(file).map_err(|_| PictureError::OtherKind)? {
        ImageFormat::Png => {
            let limits = limits();
            decode(PngDecoder::with_limits(reader, limits)?)
        }
        ImageFormat::Jpeg => decode(JpegDecoder::new(reader)?),
        ImageFormat::Gif => decode(GifDecoder::new(reader)?),
        ImageFormat::WebP => decode(WebPDecoder::new(reader)?),
        _ => Err(PictureError::OtherKind),
    }
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_ALLOCATED);
    limits
}

fn decode(mut decoder: impl ImageDecoder) -> Result<DynamicImage, PictureError> {
    let (width, height) = decoder.dimensions();
    let fits = width.max(height) <= MAX_SIDE && decoder.total_bytes() <= MAX_UNPACKED;
    if !fits {
        return Err(PictureError::TooLarge(width, height));
    }
    decoder.set_limits(limits())?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder)?;
    picture.apply_orientation(orientation);
    Ok(if picture.color().has_alpha() {
        picture.into_rgba8().into()
    } else {
        picture.into_rgb8().into()
    })
}

/// Writes a picture to be kept: as PNG when something shines through, else as JPEG.
fn keep(picture: &DynamicImage) -> Result<Picture, PictureError> {
    let see_through = picture
        .as_rgba8()
        .is_some_and(|pixels| pixels.pixels().any(|pixel| pixel.0[3] < u8::MAX));
    let mut bytes = Vec::new();
    let media_type = if see_through {
        picture.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png)?;
        PNG
    } else {
        let encoder = JpegEncoder::new_with_quality(&mut bytes, KEPT_QUALITY);
        picture.to_rgb8().write_with_encoder(encoder)?;
        JPEG
    };
    Ok(Picture {
        media_type,
        bytes: bytes.into(),
    })
}

#[cfg(test)]
mod tests;
