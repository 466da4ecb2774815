//! The preview picture of a shared link: drawn once per change and cached.

use std::io::Cursor;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use image::ImageFormat;
use moka::future::Cache;

use crate::board::person::Person;
use crate::http::error::Error;
use crate::limits::queue::{Queue, Size, network_of};
use crate::limits::single_flight::get_or_compute;
use crate::pictures::Pictures;
use painter::{AVATAR_SIDE, Painter};

mod font;
mod painter;

/// What drawn cards may take in memory, in bytes.
const MEMORY: u64 = 16 * 1024 * 1024;

/// One card is drawn at a time. The most that wait: in total, and of one network.
const QUEUE: Size = Size::waiting(1, 64, 8, Duration::from_secs(20));

/// A cache of the drawn cards, by what they show: a change is another card.
#[derive(Debug)]
pub struct Cards {
    painter: Painter,
    pictures: Arc<Pictures>,
    drawn: Cache<Option<Person>, Bytes>,
    queue: Queue,
}

impl Cards {
    /// No cards yet. The host of `origin` is in a corner of each.
    pub fn new(origin: &str, pictures: Arc<Pictures>) -> Self {
        Self {
            painter: Painter::new(origin),
            pictures,
            drawn: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|_, png: &Bytes| u32::try_from(png.len()).unwrap_or(u32::MAX))
                .time_to_live(Duration::from_secs(60 * 60))
                .build(),
            queue: Queue::new(QUEUE),
        }
    }

    /// The card of a holder, or of the board as a whole, as PNG, for a client at this address. The avatar in it is the stored one: none is fetched.
    ///
    /// # Errors
    /// 503 when the queue is full, 429 when this network has its share of it.
    pub async fn card(
        &self,
        person: Option<Person>,
        address: Option<IpAddr>,
    ) -> Result<Bytes, Error> {
        let drawing = async || {
            let turn = self.queue.turn(address.map(network_of)).await?;
            let avatar = match &person {
                Some(person) if person.picture.is_some() => {
                    let id = person.id.to_string();
                    self.pictures.stored(&id, AVATAR_SIDE.into()).await
                }
                _ => None,
            };
            let (painter, person) = (self.painter.clone(), person.clone());
            let drawing = turn.run(move || {
                let picture = painter.draw(person.as_ref(), avatar.as_ref());
                let picture = picture.map_err(Error::internal)?;
                let mut png = Cursor::new(Vec::new());
                let written = picture.write_to(&mut png, ImageFormat::Png);
                written.map_err(Error::internal)?;
                Ok(png.into_inner().into())
            });
            drawing.await.map_err(Error::internal)?
        };
        get_or_compute(&self.drawn, &person, drawing).await
    }
}

#[cfg(test)]
mod tests;
