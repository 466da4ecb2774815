//! The two ways in which a picture fills a square.

use fast_image_resize::{IntoImageView, PixelType, ResizeError, ResizeOptions, Resizer};
use image::DynamicImage;

/// All of the square: what stands out is cut off on both sides alike.
pub(super) fn cover(picture: &DynamicImage, side: u32) -> Result<DynamicImage, ResizeError> {
    let middle = ResizeOptions::new().fit_into_destination(Some((0.5, 0.5)));
    resize(picture, side, side, &middle)
}

/// Inside of the square with its own proportions, and never larger than it is.
pub(super) fn within(picture: DynamicImage, side: u32) -> Result<DynamicImage, ResizeError> {
    let longer = picture.width().max(picture.height());
    if longer <= side {
        return Ok(picture);
    }
    // Rounded to the nearest pixel, and never less than one.
    let scaled = |length: u32| ((length * side + longer / 2) / longer).max(1);
    let (width, height) = (scaled(picture.width()), scaled(picture.height()));
    resize(&picture, width, height, &ResizeOptions::new())
}

fn resize(
    picture: &DynamicImage,
    width: u32,
    height: u32,
    options: &ResizeOptions,
) -> Result<DynamicImage, ResizeError> {
    let mut resized = if picture.pixel_type() == Some(PixelType::U8x4) {
        DynamicImage::new_rgba8(width, height)
    } else {
        DynamicImage::new_rgb8(width, height)
    };
    Resizer::new().resize(picture, &mut resized, options)?;
    Ok(resized)
}
