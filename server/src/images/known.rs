//! What is known of a picture, and how it becomes known: from memory, from the database, from the provider.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use url::Url;

use super::fetch::FetchError;
use super::picture::{self, Kind, Picture, PictureError};
use super::{Images, off_thread};
use crate::clock::{DAY, UnixTime};
use crate::state::AppState;
use crate::store::pictures::KeptPicture;

/// How long the provider is left alone when it had no picture, in seconds.
const MISSING_FOR: i64 = 6 * 60 * 60;

/// And when it could not be asked, in seconds.
const TROUBLE_FOR: i64 = 15 * 60;

/// What is known of the picture at an address.
#[derive(Debug)]
pub(super) struct Known {
    source: String,
    fresh_until: UnixTime,
    /// The picture and its hash; none when there is none, or it could not be had.
    pub(super) picture: Option<(Arc<Picture>, [u8; 32])>,
}

impl Known {
    /// What it takes in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let picture = self.picture.as_ref();
        self.source.len() + picture.map_or(0, |(picture, _)| picture.bytes.len())
    }

    fn serves(&self, source: &Url, now: UnixTime) -> bool {
        self.source == source.as_str() && now < self.fresh_until
    }

    fn new(source: String, fresh_until: UnixTime, picture: Option<Picture>) -> Self {
        let picture = picture.map(|picture| {
            let hash = Sha256::digest(&picture.bytes).into();
            (Arc::new(picture), hash)
        });
        Self {
            source,
            fresh_until,
            picture,
        }
    }
}

/// What is known of the picture, asking the provider if that is too long ago. Everybody who asks meanwhile waits for
/// the same answer, and nobody who goes away takes it along: asking goes on by itself.
pub(super) async fn known(state: &AppState, profile_id: &str, source: Url) -> Option<Arc<Known>> {
    let now = state.clock.now();
    if let Some(known) = state.images.known.get(profile_id).await
        && known.serves(&source, now)
    {
        return Some(known);
    }
    let (state, id) = (state.clone(), profile_id.to_owned());
    let asking = tokio::spawn(async move {
        let stale = {
            let source = source.clone();
            move |known: &Arc<Known>| !known.serves(&source, now)
        };
        let entry = state.images.known.entry(id.clone());
        let look_up = look_up(&state, &id, &source, now);
        entry.or_insert_with_if(look_up, stale).await.into_value()
    });
    asking
        .await
        .inspect_err(|error| tracing::error!(%error, "asking for a picture did not end normally"))
        .ok()
}

/// From the database, which other replicas fill too, or else from the provider.
async fn look_up(state: &AppState, profile_id: &str, source: &Url, now: UnixTime) -> Arc<Known> {
    let kept = state
        .store
        .picture(profile_id)
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "database error");
            None
        });
    let kept = kept
        .filter(|kept| kept.source_url == source.as_str())
        .map(restored);
    match kept {
        Some(known) if known.serves(source, now) => Arc::new(known),
        older => Arc::new(refreshed(state, profile_id, source, older, now).await),
    }
}

fn restored(kept: KeptPicture) -> Known {
    let kind = kept.media_type.as_deref().and_then(Kind::of);
    let bytes = kept.content.and_then(|text| STANDARD.decode(text).ok());
    let picture = kind.zip(bytes).map(|(kind, bytes)| Picture { kind, bytes });
    Known::new(kept.source_url, kept.fresh_until, picture)
}

/// Asks the provider, and keeps what it says. A picture that was there stays while the provider is in trouble.
async fn refreshed(
    state: &AppState,
    profile_id: &str,
    source: &Url,
    older: Option<Known>,
    now: UnixTime,
) -> Known {
    let (picture, good_for) = match fetch_and_read(&state.images, source.clone()).await {
        Ok(picture) => (Some(picture), DAY),
        Err(Trouble::Gone) => (None, MISSING_FOR),
        Err(trouble) => {
            tracing::warn!(%trouble, profile_id, "a picture cannot be had");
            let older = older.and_then(|known| known.picture);
            (
                older.map(|(picture, _)| picture.as_ref().clone()),
                TROUBLE_FOR,
            )
        }
    };
    let kept = KeptPicture {
        source_url: source.as_str().to_owned(),
        fresh_until: now + good_for,
        media_type: picture.as_ref().map(|it| it.kind.media_type().to_owned()),
        content: picture.as_ref().map(|it| STANDARD.encode(&it.bytes)),
    };
    if let Err(error) = state.store.keep_picture(profile_id, &kept).await {
        // The account may have been deleted meanwhile.
        tracing::warn!(%error, "a picture cannot be kept");
    }
    Known::new(kept.source_url, kept.fresh_until, picture)
}

/// Why there is no new picture.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("there is none")]
    Gone,
    #[error(transparent)]
    Fetch(FetchError),
    #[error(transparent)]
    Read(#[from] PictureError),
}

impl From<FetchError> for Trouble {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Missing => Self::Gone,
            error => Self::Fetch(error),
        }
    }
}

async fn fetch_and_read(images: &Images, source: Url) -> Result<Picture, Trouble> {
    let file = {
        let _turn = images.fetching.acquire().await.ok();
        images.fetcher.bytes(source).await?
    };
    let permit = Arc::clone(&images.drawing).acquire_owned().await.ok();
    Ok(off_thread(permit, move || picture::read(&file)).await?)
}
