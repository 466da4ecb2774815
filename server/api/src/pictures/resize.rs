//! Resizes pictures.

use fast_image_resize::{ResizeError, ResizeOptions, Resizer};
use image::DynamicImage;

/// Fills a square: the longer sides are cut off evenly.
pub(super) fn cover(picture: &DynamicImage, side: u32) -> Result<DynamicImage, ResizeError> {
    let middle = ResizeOptions::new().fit_into_destination(Some((0.5, 0.5)));
    resize(picture, side, side, &middle)
}

/// Fits into a square, without enlarging or changing the proportions.
pub(super) fn fit_within(picture: DynamicImage, side: u32) -> Result<DynamicImage, ResizeError> {
    let longer = picture.width().max(picture.height());
    if longer <= side {
        return Ok(picture);
    }
    // Rounded to the nearest pixel, and never less than one.
    let scaled = |length: u32| ((length * side + longer / 2) / longer).max(1);
    let (width, height) = (scaled(picture.width()), scaled(picture.height()));
    resize(&picture, width, height, &ResizeOptions::new())
}

/// Converts to RGBA first, the only pixel type that the library is built with; all types take 7 MB of program.
fn resize(
    picture: &DynamicImage,
    width: u32,
    height: u32,
    options: &ResizeOptions,
) -> Result<DynamicImage, ResizeError> {
    let mut resized = DynamicImage::new_rgba8(width, height);
    if let DynamicImage::ImageRgba8(_) = picture {
        Resizer::new().resize(picture, &mut resized, options)?;
        return Ok(resized);
    }
    let opaque = DynamicImage::from(picture.to_rgba8());
    Resizer::new().resize(&opaque, &mut resized, &options.use_alpha(false))?;
    Ok(resized.into_rgb8().into())
}
