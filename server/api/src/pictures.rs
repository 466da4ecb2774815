//! Profile pictures. The server fetches them from the provider once a day, decodes and re-encodes them, and serves them itself,
//! so that a visitor's browser never connects to the provider.

use std::fmt::Display;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use reqwest::Client;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use url::Url;

mod address;
mod fetch;
mod form;
mod look_up;
mod picture;

use crate::limits::permits::{Limits, Permits, TooMany, network_of};
use address::Hosts;
use chain::clock::Clock;
use form::Cached;
pub use form::{Form, SMALL_SIDE};
pub use picture::{KEPT_SIDE, Picture};
use store::Store;

/// How many look-ups may run or wait: in all, and for one address, which needs the pictures of a board's first rows.
pub const QUEUE: Limits = Limits {
    total: 384,
    per_sender: 128,
};

/// How long a request waits for a picture. The look-up continues, for a later request.
const TIMEOUT: Duration = Duration::from_secs(20);

/// How many pictures are fetched at a time.
const FETCHES: usize = 8;

/// How many pictures are drawn at a time.
const DRAWINGS: usize = 2;

/// How long pictures are cached in memory. After that the picture of a deleted account is gone here too.
const IN_MEMORY: Duration = Duration::from_secs(10 * 60);

/// The size of the cache in memory, in bytes.
const MEMORY: u64 = 64 * 1024 * 1024;

#[derive(Debug)]
pub struct Pictures {
    store: Store,
    clock: Clock,
    hosts: Hosts,
    client: Client,
    /// By profile and address at the provider.
    cache: Cache<(String, Url), Arc<Cached>>,
    queue: Permits,
    fetching: Semaphore,
    drawing: Arc<Semaphore>,
}

/// Identifies the picture of a profile, by its address at the provider; none without a picture.
pub fn version(avatar_url: Option<&str>) -> Option<[u8; 4]> {
    let source = avatar_url.filter(|url| !url.is_empty())?;
    Sha256::digest(source).first_chunk().copied()
}

/// The path of a profile's picture on this site, which changes with the picture; none without a picture.
pub fn public_path(profile_id: impl Display, version: Option<[u8; 4]>) -> Option<String> {
    let version = hex::encode(version?);
    Some(format!(
        "/api/storage/v1/render/image/public/avatars/{profile_id}?v={version}"
    ))
}

impl Pictures {
    /// `extra_hosts` are of this machine, and only in development.
    pub fn new(store: Store, clock: Clock, extra_hosts: &[Url]) -> Result<Self, reqwest::Error> {
        Ok(Self {
            store,
            clock,
            hosts: Hosts::new(extra_hosts),
            client: outbound::client()?,
            cache: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|_, cached: &Arc<Cached>| cached.weight())
                .time_to_live(IN_MEMORY)
                .build(),
            queue: Permits::new(QUEUE, network_of),
            fetching: Semaphore::new(FETCHES),
            drawing: Arc::new(Semaphore::new(DRAWINGS)),
        })
    }

    /// A profile's picture at `avatar_url`, for a client at `address`; none when there is no picture, or it could not be
    /// fetched.
    ///
    /// # Errors
    /// When the queue is full, in all or for this address, or the look-up takes too long.
    pub async fn picture(
        self: &Arc<Self>,
        profile_id: &str,
        avatar_url: &str,
        form: Form,
        address: Option<IpAddr>,
    ) -> Result<Option<Picture>, TooMany> {
        let Some(source) = self.hosts.allowed(avatar_url) else {
            return Ok(None);
        };
        let cached = self.get_or_look_up(profile_id, source, address).await?;
        Ok(cached.drawn.as_ref().map(|drawn| drawn.form(form).clone()))
    }
}
