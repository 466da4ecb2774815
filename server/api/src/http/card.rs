//! The preview picture of a shared link: rank, name and holdings, 1200 by 630 pixels, drawn by the server.

use std::io::Cursor;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::BoxError;
use axum::body::Bytes;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, RgbaImage};
use moka::future::Cache;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};
use tokio::sync::Semaphore;

mod font;

use crate::board::person::{self, Person};
use crate::http::error::Error;
use crate::limits::blocking::with_permit;
use crate::limits::permits::{Limits, Permits};
use crate::limits::single_flight::get_or_compute;
use font::Font;

/// What social networks show large (X's summary_large_image, OpenGraph).
const SIZE: (u32, u32) = (1200, 630);

/// The room for a name, in pixels, and the sizes that it may have.
const NAME_ROOM: f32 = 1056.0;
const NAME_SIZES: (f32, f32) = (84.0, 44.0);

/// What drawn cards may take in memory, in bytes.
const MEMORY: u64 = 16 * 1024 * 1024;

/// How many cards are drawn at a time, those that wait for their turn included: in all, and for one address.
const QUEUE: Limits = Limits {
    total: 64,
    per_sender: 8,
};

const NO_ROOM: &str = "there is no room for the card";

/// A cache of the drawn cards, by what they show: a change is another card.
#[derive(Debug)]
pub struct Cards {
    host: String,
    fonts: Arc<fontdb::Database>,
    drawn: Cache<Option<Person>, Bytes>,
    queue: Permits,
    drawing: Arc<Semaphore>,
}

#[derive(Template)]
#[template(path = "card.svg")]
struct Drawing {
    rank: Option<String>,
    title: String,
    title_size: f32,
    amount: String,
    note: String,
    host: String,
}

impl Cards {
    /// No cards yet. The host of `origin` stands in a corner of each.
    pub fn new(origin: &str) -> Self {
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        let mut fonts = fontdb::Database::new();
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(font::FILE)));
        Self {
            host: host.to_owned(),
            fonts: Arc::new(fonts),
            drawn: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|_, png: &Bytes| u32::try_from(png.len()).unwrap_or(u32::MAX))
                .time_to_live(Duration::from_secs(60 * 60))
                .build(),
            queue: Permits::by_network(QUEUE),
            drawing: Arc::new(Semaphore::new(1)),
        }
    }

    /// The card of a user, or of the board as a whole, as PNG, for a client at this address.
    ///
    /// # Errors
    /// 503 when the queue is full, 429 when this network has its share of it.
    pub async fn card(
        &self,
        person: Option<Person>,
        address: Option<IpAddr>,
    ) -> Result<Bytes, Error> {
        let drawing = async || {
            let _waiting = self.queue.acquire(address)?;
            let permit = Arc::clone(&self.drawing).acquire_owned().await.ok();
            let svg = self.write(person.as_ref()).map_err(Error::internal)?;
            let fonts = Arc::clone(&self.fonts);
            let png = with_permit(permit, move || draw(&svg, fonts).map_err(Error::internal));
            png.await.map_err(Error::internal)?
        };
        get_or_compute(&self.drawn, &person, drawing).await
    }

    /// The card as SVG. The template escapes what it is given.
    fn write(&self, person: Option<&Person>) -> Result<String, askama::Error> {
        let font = Font::embedded();
        let host = font.drawable(&self.host);
        let Some(person) = person else {
            let board = Drawing {
                rank: None,
                title: "Bitcoin Leaderboard".to_owned(),
                title_size: NAME_SIZES.0,
                amount: "Holders ranked by what they prove".to_owned(),
                note: "Signed, never broadcast".to_owned(),
                host,
            };
            return board.render();
        };
        let (title, title_size) = font.fitted(&person.name, NAME_ROOM, NAME_SIZES);
        let tier = person::holder_tier(person.holdings_sats);
        let (amount, note) = match person.holdings_sats {
            Some(sats) => {
                let verified = person.last_verified.and_then(person::short_day);
                let on = verified.map_or_else(String::new, |day| format!(" on {day}"));
                let amount = person::amount_words(Some(sats), person.shown_as);
                (format!("{amount} BTC"), format!("{tier} · Verified{on}"))
            }
            None => ("Nothing proven yet".to_owned(), tier.to_owned()),
        };
        let rank = person.rank.map(|rank| format!("#{rank}"));
        let card = Drawing {
            rank,
            title,
            title_size,
            amount,
            note,
            host,
        };
        card.render()
    }
}

fn draw(svg: &str, fonts: Arc<fontdb::Database>) -> Result<Bytes, BoxError> {
    let options = usvg::Options {
        fontdb: fonts,
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let mut pixels = Pixmap::new(SIZE.0, SIZE.1).ok_or(NO_ROOM)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    let pixels = RgbaImage::from_raw(SIZE.0, SIZE.1, pixels.take_demultiplied());
    let picture = DynamicImage::from(pixels.ok_or(NO_ROOM)?).into_rgb8();
    let mut png = Vec::new();
    picture.write_with_encoder(PngEncoder::new_with_quality(
        Cursor::new(&mut png),
        CompressionType::Best,
        FilterType::Adaptive,
    ))?;
    Ok(png.into())
}

#[cfg(test)]
mod tests;
