//! The three ways in which a picture fills a box, as CSS's `object-fit` names them.

use fast_image_resize::{IntoImageView, PixelType, ResizeError, ResizeOptions, Resizer};
use image::DynamicImage;

/// Covers the box: exactly its size, what stands out is cut off on both sides alike.
pub(super) fn cover(
    picture: DynamicImage,
    width: u32,
    height: u32,
) -> Result<DynamicImage, ResizeError> {
    let middle = ResizeOptions::new().fit_into_destination(Some((0.5, 0.5)));
    resize(picture, width, height, &middle)
}

/// Fills the box: exactly its size, distorted if need be.
pub(super) fn fill(
    picture: DynamicImage,
    width: u32,
    height: u32,
) -> Result<DynamicImage, ResizeError> {
    resize(picture, width, height, &ResizeOptions::new())
}

/// The largest that fits into the box with its own proportions.
pub(super) fn contain(
    picture: DynamicImage,
    width: u32,
    height: u32,
) -> Result<DynamicImage, ResizeError> {
    let (own_width, own_height) = (u64::from(picture.width()), u64::from(picture.height()));
    let (box_width, box_height) = (u64::from(width), u64::from(height));
    // Rounded to the nearest pixel, and never less than one.
    let scaled = |side: u64, by: u64, over: u64| ((side * by + over / 2) / over).max(1);
    let (width, height) = if own_width * box_height >= own_height * box_width {
        (box_width, scaled(own_height, box_width, own_width))
    } else {
        (scaled(own_width, box_height, own_height), box_height)
    };
    let side = |length: u64| u32::try_from(length).unwrap_or(u32::MAX);
    fill(picture, side(width), side(height))
}

fn resize(
    picture: DynamicImage,
    width: u32,
    height: u32,
    options: &ResizeOptions,
) -> Result<DynamicImage, ResizeError> {
    if (picture.width(), picture.height()) == (width, height) {
        return Ok(picture);
    }
    let mut resized = if picture.pixel_type() == Some(PixelType::U8x4) {
        DynamicImage::new_rgba8(width, height)
    } else {
        DynamicImage::new_rgb8(width, height)
    };
    Resizer::new().resize(&picture, &mut resized, options)?;
    Ok(resized)
}
