//! How a picture becomes known: from memory, from the database, from the provider.

use std::net::IpAddr;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::time::timeout;
use url::Url;

use super::fetch::{self, FetchError};
use super::form::Drawn;
use super::known::Known;
use super::picture::{self, KINDS, Picture, PictureError};
use super::{Busy, PATIENCE, Pictures};
use crate::limits::blocking::with_permit;
use crate::limits::single_flight::get_or_compute;
use chain::clock::{DAY, UnixTime};
use store::pictures::KeptPicture;

/// How long the provider is left alone when it had no picture, in seconds.
const MISSING_FOR: i64 = 6 * 60 * 60;

/// And when it could not be asked, in seconds.
const TROUBLE_FOR: i64 = 15 * 60;

impl Pictures {
    /// What is known of the picture, asking the provider if that is too long ago. Everybody who asks meanwhile waits for
    /// the same answer, and nobody who goes away takes it along: asking goes on by itself.
    pub(super) async fn known(
        self: &Arc<Self>,
        profile_id: &str,
        source: Url,
        address: Option<IpAddr>,
    ) -> Result<Arc<Known>, Busy> {
        let (key, now) = ((profile_id.to_owned(), source), self.clock.now());
        match self.known.get(&key).await {
            Some(known) if now < known.fresh_until => return Ok(known),
            Some(_) => self.known.invalidate(&key).await,
            None => {}
        }
        let pictures = Arc::clone(self);
        let asking = tokio::spawn(async move {
            let look_up = async || {
                let _place = pictures.queue.take(address).map_err(Busy::Full)?;
                Ok(pictures.look_up(&key.0, &key.1, now).await)
            };
            get_or_compute(&pictures.known, &key, look_up).await
        });
        match timeout(PATIENCE, asking).await {
            Ok(Ok(known)) => known,
            Ok(Err(error)) => {
                tracing::error!(%error, "asking for a picture did not end normally");
                Err(Busy::Slow)
            }
            Err(_) => Err(Busy::Slow),
        }
    }

    /// From the database, which other replicas fill too, or else from the provider.
    async fn look_up(&self, profile_id: &str, source: &Url, now: UnixTime) -> Arc<Known> {
        let kept = {
            let _turn = self.store.turn_of_a_visitor().await;
            self.store.picture(profile_id).await
        };
        let kept = kept.unwrap_or_else(|error| {
            tracing::error!(%error, "database error");
            None
        });
        let kept = kept.filter(|kept| kept.source_url == source.as_str());
        let fresh_until = kept.as_ref().map(|kept| kept.fresh_until);
        let older = kept.and_then(restored);
        let (picture, fresh_until) = match fresh_until {
            Some(fresh_until) if now < fresh_until => (older, fresh_until),
            _ => {
                let fetched = self.fetch(source.clone()).await;
                self.refreshed(profile_id, source, older, fetched, now)
                    .await
            }
        };
        let drawn = match picture {
            Some(picture) => {
                let draw = move || Drawn::new(picture);
                self.off_thread(draw).await
            }
            None => {
                return Arc::new(Known {
                    fresh_until,
                    drawn: None,
                });
            }
        };
        let drawn = drawn
            .inspect_err(|error| tracing::warn!(%error, "a kept picture cannot be drawn"))
            .ok();
        Arc::new(Known { fresh_until, drawn })
    }

    /// What the provider said, which is kept, and until when it counts. A picture that was there stays while the
    /// provider is in trouble.
    async fn refreshed(
        &self,
        profile_id: &str,
        source: &Url,
        older: Option<Picture>,
        fetched: Result<Option<Picture>, PictureError>,
        now: UnixTime,
    ) -> (Option<Picture>, UnixTime) {
        let (picture, good_for) = match fetched {
            Ok(Some(picture)) => (Some(picture), DAY),
            Ok(None) => (None, MISSING_FOR),
            Err(trouble) => {
                tracing::warn!(%trouble, profile_id, "a picture cannot be had");
                (older, TROUBLE_FOR)
            }
        };
        let kept = KeptPicture {
            source_url: source.as_str().to_owned(),
            fresh_until: now + good_for,
            media_type: picture.as_ref().map(|it| it.media_type.to_owned()),
            content: picture.as_ref().map(|it| STANDARD.encode(&it.bytes)),
        };
        if let Err(error) = self.store.keep_picture(profile_id, &kept).await {
            // The account may have been deleted meanwhile.
            tracing::warn!(%error, "a picture cannot be kept");
        }
        (picture, kept.fresh_until)
    }

    /// The picture as it is to be kept; none when the provider has none.
    async fn fetch(&self, source: Url) -> Result<Option<Picture>, PictureError> {
        let permit = self.fetching.acquire().await.ok();
        let file = match fetch::bytes(&self.client, source).await {
            Err(FetchError::Missing) => return Ok(None),
            file => file?,
        };
        drop(permit);
        let picture = self.off_thread(move || picture::read(&file)).await?;
        Ok(Some(picture))
    }

    /// Runs heavy work when a permit is free. A panic in a decoder is a broken picture, never more.
    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PictureError> + Send + 'static,
    ) -> Result<T, PictureError> {
        let permit = Arc::clone(&self.drawing).acquire_owned().await.ok();
        with_permit(permit, work).await?
    }
}

fn restored(kept: KeptPicture) -> Option<Picture> {
    let kind = kept.media_type?;
    let media_type = KINDS.into_iter().find(|known| *known == kind)?;
    let bytes = STANDARD.decode(kept.content?).ok()?.into();
    Some(Picture { media_type, bytes })
}
