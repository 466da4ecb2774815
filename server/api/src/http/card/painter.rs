//! Draws the preview picture of a shared link from what is public about its holder.

use std::error::Error;
use std::sync::Arc;

use askama::Template;
use board_log::tiers::holder_tier;
use board_log::units::group_digits;
use image::{DynamicImage, RgbImage, RgbaImage};
use resvg::tiny_skia::{ColorU8, FillRule, Mask, PathBuilder, Pixmap, PixmapPaint, Transform};
use resvg::usvg::{self, fontdb};

use super::font::{self, Font};
use crate::board::person::{BRAND, Person};

/// Width and height in pixels: what social networks show large (X's `summary_large_image`, OpenGraph).
pub(super) const SIZE: (u32, u32) = (1200, 630);

/// The left and the upper edge of the avatar, and the length of its sides, in pixels.
const AVATAR: (i32, i32) = (72, 162);
pub(super) const AVATAR_SIDE: u16 = 120;

/// The room for a text, in pixels, and the largest and smallest size that it may have.
type Room = (f32, (f32, f32));
const NAME: Room = (904.0, (60.0, 32.0));
const RANK: Room = (500.0, (150.0, 60.0));
const AMOUNT: Room = (540.0, (76.0, 44.0));
const HOST: Room = (520.0, (30.0, 20.0));

/// The backgrounds of initials, as in the web app (`web/src/ui/avatar.tsx`).
const COLORS: [&str; 8] = [
    "#9a5b1e", "#2f7d86", "#7a4bbd", "#3b6cb4", "#a23a66", "#4b7a2a", "#ae482f", "#4f566b",
];

/// Draws the cards of one board.
#[derive(Clone, Debug)]
pub(super) struct Painter {
    host: String,
    fonts: Arc<fontdb::Database>,
}

/// A text and its size.
struct Text {
    text: String,
    size: f32,
}

impl Text {
    fn fitted(font: &Font, text: &str, room: Room) -> Self {
        let (text, size) = font.fitted(text, room.0, room.1);
        Self { text, size }
    }
}

#[derive(Template)]
#[template(path = "card.svg")]
struct Drawing {
    brand: &'static str,
    host: Text,
    /// Center and radius of the avatar's circle.
    avatar: (f32, f32, f32),
    /// None on the card of the board as a whole.
    holder: Option<Holder>,
    note: String,
}

struct Holder {
    color: &'static str,
    initial: String,
    name: Text,
    tier: &'static str,
    rank: Option<Text>,
    /// How many the rank is of.
    of: String,
    amount: Text,
    /// Empty where it says little, or would say more than the tier.
    percent: String,
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

    /// The card of a holder, or of the board as a whole, [`SIZE`] large. The avatar is [`AVATAR_SIDE`] pixels square; without one the card
    /// has the initial. Takes some milliseconds of a processor.
    ///
    /// # Errors
    /// When there is no memory for it. Names cannot cause an error: what the font lacks is replaced.
    pub(super) fn draw(
        &self,
        person: Option<&Person>,
        avatar: Option<&RgbaImage>,
    ) -> Result<RgbImage, Box<dyn Error + Send + Sync>> {
        let memory = "there is no memory for the card";
        let options = usvg::Options {
            fontdb: Arc::clone(&self.fonts),
            ..usvg::Options::default()
        };
        let tree = usvg::Tree::from_str(&self.svg(person)?, &options)?;
        let mut pixels = Pixmap::new(SIZE.0, SIZE.1).ok_or(memory)?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        if let Some(avatar) = avatar {
            put_round(&mut pixels, avatar).ok_or(memory)?;
        }
        let pixels = RgbaImage::from_raw(SIZE.0, SIZE.1, pixels.take_demultiplied());
        Ok(DynamicImage::from(pixels.ok_or(memory)?).into_rgb8())
    }

    /// The card as SVG. The template escapes what it is given.
    fn svg(&self, person: Option<&Person>) -> Result<String, askama::Error> {
        let font = Font::embedded();
        let drawing = Drawing {
            brand: BRAND,
            avatar: circle(),
            host: Text::fitted(&font, &self.host, HOST),
            holder: person.map(|person| Holder::new(&font, person)),
            note: match person.and_then(|person| person.block) {
                Some(block) => format!("Checked to block {} · No coins moved", grouped(block)),
                None => "Signed, never broadcast".to_owned(),
            },
        };
        drawing.render()
    }
}

impl Holder {
    fn new(font: &Font, person: &Person) -> Self {
        let percent = person.rank.filter(|_| !person.is_range);
        let percent = percent.and_then(|rank| top_percent(rank, person.holders));
        let amount = person.short_amount().map(|amount| format!("{amount} BTC"));
        let amount = amount.as_deref().unwrap_or("Nothing proven yet");
        let rank = person.rank.map(|rank| format!("#{}", grouped(rank)));
        let initial = person.username.trim_start().chars().next();
        Self {
            color: color_of(&person.id.to_string()),
            initial: font.drawable(&initial.unwrap_or('?').to_uppercase().to_string()),
            name: Text::fitted(font, &person.name, NAME),
            tier: holder_tier(person.sats),
            rank: rank.map(|rank| Text::fitted(font, &rank, RANK)),
            of: format!("of {}", grouped(person.holders)),
            amount: Text::fitted(font, amount, AMOUNT),
            percent: percent.map_or_else(String::new, |percent| format!("top {percent}%")),
        }
    }
}

/// A whole number with separators of thousands.
fn grouped(number: impl ToString) -> String {
    group_digits(&number.to_string())
}

/// A rank in percent of all holders, rounded up; none where that says little. The web app has the same rule (`web/src/lib/shown.ts`).
fn top_percent(rank: i64, holders: usize) -> Option<i64> {
    let holders = i64::try_from(holders).ok()?;
    let percent = (rank * 100 + holders - 1).checked_div(holders)?.max(1);
    (holders >= 10 && percent <= 50).then_some(percent)
}

/// The background of an id's initial, as the web app chooses it.
fn color_of(id: &str) -> &'static str {
    let sum = id
        .bytes()
        .fold(0, |sum, letter| (sum * 31 + usize::from(letter)) % 9973);
    COLORS[sum % COLORS.len()]
}

/// Center and radius of the avatar's circle.
fn circle() -> (f32, f32, f32) {
    let radius = f32::from(AVATAR_SIDE) / 2.0;
    let (left, top) = AVATAR;
    (left as f32 + radius, top as f32 + radius, radius)
}

/// Puts the picture into the circle of the avatar; none when there is no memory for it.
fn put_round(card: &mut Pixmap, avatar: &RgbaImage) -> Option<()> {
    let mut picture = Pixmap::new(avatar.width(), avatar.height())?;
    for (to, from) in picture.pixels_mut().iter_mut().zip(avatar.pixels()) {
        let [red, green, blue, alpha] = from.0;
        *to = ColorU8::from_rgba(red, green, blue, alpha).premultiply();
    }
    let (x, y, radius) = circle();
    let mut mask = Mask::new(card.width(), card.height())?;
    let round = PathBuilder::from_circle(x, y, radius)?;
    mask.fill_path(&round, FillRule::Winding, true, Transform::identity());
    let (paint, moved) = (PixmapPaint::default(), Transform::identity());
    card.draw_pixmap(
        AVATAR.0,
        AVATAR.1,
        picture.as_ref(),
        &paint,
        moved,
        Some(&mask),
    );
    Some(())
}

#[cfg(test)]
#[path = "painter_tests.rs"]
mod tests;
