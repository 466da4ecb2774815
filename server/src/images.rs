//! Pictures of people. The server fetches them from the provider once a day, draws them anew and serves them itself,
//! so that the browser of whoever looks at the board never talks to the provider.

use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use reqwest::dns::Resolve;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use url::Url;

mod address;
mod fetch;
mod known;
mod picture;
mod resize;
mod resolver;
mod variant;

use crate::state::AppState;
use address::Hosts;
use fetch::Fetcher;
use known::Known;
pub use picture::{Kind, Picture, PictureError};
pub use variant::{Rendered, Variant, VariantQuery};

/// How many pictures are fetched at a time.
const FETCHES: usize = 8;

/// How many are drawn at a time.
const DRAWINGS: usize = 2;

/// How long copies stay in memory: after that the picture of a deleted account is gone here too.
const IN_MEMORY: Duration = Duration::from_secs(10 * 60);

/// What the copies in memory may take, in bytes, of pictures and of their forms each.
const MEMORY: u64 = 32 * 1024 * 1024;

/// The pictures that this process knows.
#[derive(Debug)]
pub struct Images {
    hosts: Hosts,
    fetcher: Fetcher,
    /// By profile.
    known: Cache<String, Arc<Known>>,
    /// By the hash of the picture, in the forms that were asked for.
    rendered: Cache<([u8; 32], Variant), Arc<Rendered>>,
    fetching: Semaphore,
    drawing: Arc<Semaphore>,
}

/// The address of somebody's picture on our own origin, or none without a picture. It changes with the picture.
#[must_use]
pub fn public_path(profile_id: &str, avatar_url: Option<&str>) -> Option<String> {
    let source = avatar_url.filter(|url| !url.is_empty())?;
    let version = hex::encode(&Sha256::digest(source)[..4]);
    Some(format!("/api/storage/v1/avatar/{profile_id}?v={version}"))
}

impl Images {
    /// Nothing known yet. `extra_hosts` are of this machine, in development alone.
    ///
    /// # Errors
    /// When the outbound client cannot be made.
    pub fn new(extra_hosts: &[Url]) -> Result<Self, reqwest::Error> {
        let lookup: Arc<dyn Resolve> = Arc::new(resolver::System);
        Ok(Self {
            hosts: Hosts::new(extra_hosts),
            fetcher: Fetcher::new(lookup)?,
            known: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|id: &String, known: &Arc<Known>| weight(id.len() + known.size()))
                .time_to_live(IN_MEMORY)
                .build(),
            rendered: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|_, rendered: &Arc<Rendered>| weight(rendered.bytes.len()))
                .time_to_live(IN_MEMORY)
                .build(),
            fetching: Semaphore::new(FETCHES),
            drawing: Arc::new(Semaphore::new(DRAWINGS)),
        })
    }
}

/// Entries have a weight of their own, so that empty ones are bounded too.
fn weight(bytes: usize) -> u32 {
    u32::try_from(bytes + 256).unwrap_or(u32::MAX)
}

/// The picture that a profile has at `avatar_url`, in the form that was asked for; none when it has none, or the
/// provider does not give it.
pub async fn variant(
    state: &AppState,
    profile_id: &str,
    avatar_url: &str,
    variant: Variant,
) -> Option<Arc<Rendered>> {
    let images = &state.images;
    let source = images.hosts.allowed(avatar_url)?;
    let known = known::known(state, profile_id, source).await?;
    let (picture, hash) = known.picture.clone()?;
    let rendering = async {
        let permit = Arc::clone(&images.drawing).acquire_owned().await.ok();
        off_thread(permit, move || variant::render(&picture, variant)).await
    };
    let rendered = images
        .rendered
        .try_get_with((hash, variant), async { rendering.await.map(Arc::new) })
        .await;
    rendered
        .inspect_err(|error| tracing::warn!(%error, "a kept picture cannot be drawn"))
        .ok()
}

/// Runs heavy work on a thread of its own, and holds the permit until it is done, whoever still waits for it. A panic
/// in a decoder is a broken picture, never more.
async fn off_thread<T: Send + 'static>(
    permit: Option<tokio::sync::OwnedSemaphorePermit>,
    work: impl FnOnce() -> Result<T, PictureError> + Send + 'static,
) -> Result<T, PictureError> {
    tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    })
    .await
    .unwrap_or_else(|error| {
        tracing::error!(%error, "drawing a picture did not end normally");
        Err(PictureError::OtherKind)
    })
}
