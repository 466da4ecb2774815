//! Looks a picture up: in memory, in the database, at the provider.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::RgbaImage;
use tokio::time::timeout;
use url::Url;

use super::fetch;
use super::form::{Cached, Drawn};
use super::picture::{self, KINDS, Picture, PictureError};
use super::{Pictures, TIMEOUT};
use crate::limits::queue::{Full, Sender};
use crate::limits::single_flight::get_or_compute;
use chain::clock::{DAY, UnixTime};
use store::pictures::StoredPicture;

/// How long a missing picture is not fetched again, in seconds.
const MISSING_FOR: i64 = 6 * 60 * 60;

/// How long a provider in trouble is not asked again, in seconds.
const TROUBLE_FOR: i64 = 15 * 60;

impl Pictures {
    /// The cached picture, or a new look-up when it is outdated. Concurrent requests share one look-up, which completes even if
    /// their clients disconnect.
    pub(super) async fn get_or_look_up(
        self: &Arc<Self>,
        profile_id: &str,
        source: Url,
        sender: Option<Sender>,
    ) -> Result<Arc<Cached>, Full> {
        let (key, now) = ((profile_id.to_owned(), source), self.clock.now());
        match self.cache.get(&key).await {
            Some(cached) if now < cached.fresh_until => return Ok(cached),
            Some(_) => self.cache.invalidate(&key).await,
            None => {}
        }
        let pictures = Arc::clone(self);
        let looking_up = tokio::spawn(async move {
            let look_up = async || {
                let _turn = pictures.look_ups.turn_at_once(sender.clone())?;
                pictures.look_up(&key.0, &key.1, now).await
            };
            get_or_compute(&pictures.cache, &key, look_up).await
        });
        match timeout(TIMEOUT, looking_up).await {
            Ok(Ok(cached)) => cached,
            // It takes too long, or has panicked, which the server log says.
            _ => Err(Full::InTotal),
        }
    }

    /// The stored picture of a profile as a square with sides of this many pixels; none when none is stored. Nothing is fetched.
    pub async fn stored(&self, profile_id: &str, side: u32) -> Option<RgbaImage> {
        let (profile, stored) = {
            let _turn = self.database.turn(None).await.ok()?;
            let profile = self.store.profile(profile_id).await.ok()??;
            (profile, self.store.picture(profile_id).await.ok()??)
        };
        let source = self.hosts.allowed(&profile.avatar_url?)?;
        let current = Some(stored).filter(|stored| stored.source_url == source.as_str());
        let picture = decode(current?)?;
        let square = move || Ok(picture::cover(&picture::decode(&picture.bytes)?, side)?);
        self.off_thread(square).await.ok()
    }

    /// Reads the database, where replicas share pictures, or else asks the provider.
    async fn look_up(
        &self,
        profile_id: &str,
        source: &Url,
        now: UnixTime,
    ) -> Result<Arc<Cached>, Full> {
        let stored = {
            let _turn = self.database.turn(None).await?;
            self.store.picture(profile_id).await
        };
        let stored = stored.inspect_err(|error| tracing::error!(%error, "database error"));
        let stored = stored.ok().flatten();
        let stored = stored.filter(|stored| stored.source_url == source.as_str());
        let fresh_until = stored.as_ref().map(|stored| stored.fresh_until);
        let older = stored.and_then(decode);
        let (picture, fresh_until) = match fresh_until {
            Some(fresh_until) if now < fresh_until => (older, fresh_until),
            _ => self.fetch_again(profile_id, source, older, now).await,
        };
        let drawn = match picture {
            Some(picture) => {
                let drawn = self.off_thread(move || Drawn::new(picture)).await;
                drawn
                    .inspect_err(|error| tracing::warn!(%error, "cannot draw a stored picture"))
                    .ok()
            }
            None => None,
        };
        Ok(Arc::new(Cached { fresh_until, drawn }))
    }

    /// Fetches a picture from the provider and stores it. Returns it, and until when it is fresh. `older` is stored while the
    /// provider is in trouble.
    async fn fetch_again(
        &self,
        profile_id: &str,
        source: &Url,
        older: Option<Picture>,
        now: UnixTime,
    ) -> (Option<Picture>, UnixTime) {
        let (picture, good_for) = match self.fetch(source.clone()).await {
            Ok(Some(picture)) => (Some(picture), DAY),
            Ok(None) => (None, MISSING_FOR),
            Err(trouble) => {
                tracing::warn!(%trouble, profile_id, "cannot fetch a picture");
                (older, TROUBLE_FOR)
            }
        };
        let stored = StoredPicture {
            source_url: source.as_str().to_owned(),
            fresh_until: now + good_for,
            media_type: picture.as_ref().map(|it| it.media_type.to_owned()),
            content: picture.as_ref().map(|it| STANDARD.encode(&it.bytes)),
        };
        if let Err(error) = self.store.store_picture(profile_id, &stored).await {
            // The account may have been deleted meanwhile.
            tracing::warn!(%error, "cannot store a picture");
        }
        (picture, stored.fresh_until)
    }

    /// The picture as it is stored; none when the provider has none.
    async fn fetch(&self, source: Url) -> Result<Option<Picture>, PictureError> {
        let turn = self.fetches.turn(None).await?;
        let file = fetch::bytes(&self.client, source, fetch::TIMEOUT).await?;
        drop(turn);
        let Some(file) = file else {
            return Ok(None);
        };
        let picture = self.off_thread(move || picture::read(&file)).await?;
        Ok(Some(picture))
    }

    /// Runs heavy work on a thread, in its turn. A panic in a decoder only makes the picture invalid.
    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PictureError> + Send + 'static,
    ) -> Result<T, PictureError> {
        let turn = self.drawings.turn(None).await?;
        turn.run(work).await?
    }
}

fn decode(stored: StoredPicture) -> Option<Picture> {
    let kind = stored.media_type?;
    let media_type = KINDS.into_iter().find(|known| *known == kind)?;
    let bytes = STANDARD.decode(stored.content?).ok()?.into();
    Some(Picture { media_type, bytes })
}
