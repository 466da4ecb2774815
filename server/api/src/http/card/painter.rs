//! Draws the preview picture of a shared link: rank, name and holdings.

use std::error::Error;
use std::sync::Arc;

use askama::Template;
use board_log::tiers::{amount_words, holder_tier};
use image::{DynamicImage, RgbImage, RgbaImage};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};

use super::font::{self, Font};
use crate::board::shared_row::{BRAND, SharedRow};

/// Width and height in pixels: what social networks show large (X's `summary_large_image`, OpenGraph).
pub(super) const SIZE: (u32, u32) = (1200, 630);

/// The room for a name, in pixels, and the sizes that it may have.
const NAME_ROOM: f32 = 1056.0;
const NAME_SIZES: (f32, f32) = (84.0, 44.0);

/// Draws the cards of one board.
#[derive(Clone, Debug)]
pub(super) struct Painter {
    host: String,
    fonts: Arc<fontdb::Database>,
}

#[derive(Template)]
#[template(path = "card.svg")]
struct Drawing {
    brand: &'static str,
    rank: Option<String>,
    title: String,
    title_size: f32,
    amount: String,
    note: String,
    host: String,
}

impl Painter {
    /// The host of `origin` is in a corner of each card.
    pub(super) fn new(origin: &str) -> Self {
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        let mut fonts = fontdb::Database::new();
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(font::FILE)));
        Self {
            host: host.to_owned(),
            fonts: Arc::new(fonts),
        }
    }

    /// The card of a row, or of the board as a whole, [`SIZE`] large. Takes some milliseconds of a processor.
    ///
    /// # Errors
    /// When there is no memory for it. Names cannot cause an error: what the font lacks is replaced.
    pub(super) fn draw(
        &self,
        row: Option<&SharedRow>,
    ) -> Result<RgbImage, Box<dyn Error + Send + Sync>> {
        let memory = "there is no memory for the card";
        let options = usvg::Options {
            fontdb: Arc::clone(&self.fonts),
            ..usvg::Options::default()
        };
        let tree = usvg::Tree::from_str(&self.svg(row)?, &options)?;
        let mut pixels = Pixmap::new(SIZE.0, SIZE.1).ok_or(memory)?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        let pixels = RgbaImage::from_raw(SIZE.0, SIZE.1, pixels.take_demultiplied());
        Ok(DynamicImage::from(pixels.ok_or(memory)?).into_rgb8())
    }

    /// The card as SVG. The template escapes what it is given.
    fn svg(&self, row: Option<&SharedRow>) -> Result<String, askama::Error> {
        let font = Font::embedded();
        let (title, title_size) = match row {
            Some(row) => font.fitted(&row.name, NAME_ROOM, NAME_SIZES),
            None => ("Bitcoin Leaderboard".to_owned(), NAME_SIZES.0),
        };
        let (amount, note) = match row {
            Some(row) => words(row),
            None => (
                "Holders ranked by what they prove".to_owned(),
                "Signed, never broadcast".to_owned(),
            ),
        };
        let drawing = Drawing {
            brand: BRAND,
            rank: row.and_then(|row| row.rank).map(|rank| format!("#{rank}")),
            title,
            title_size,
            amount,
            note,
            host: font.drawable(&self.host),
        };
        drawing.render()
    }
}

/// The amount, and the line below it.
fn words(row: &SharedRow) -> (String, String) {
    let tier = holder_tier(row.sats);
    if row.sats.is_none() {
        return ("Nothing proven yet".to_owned(), tier.to_owned());
    }
    let on = row
        .day()
        .map_or_else(String::new, |day| format!(" on {day}"));
    let amount = amount_words(row.sats, row.is_range);
    (format!("{amount} BTC"), format!("{tier} · Verified{on}"))
}

#[cfg(test)]
#[path = "painter_tests.rs"]
mod tests;
