//! Profile pictures. The server fetches them from the provider once a day, decodes and re-encodes them, and serves them itself,
//! so that a visitor's browser never connects to the provider.

use std::fmt::Display;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use reqwest::Client;
use sha2::{Digest, Sha256};
use url::Url;

mod address;
mod fetch;
mod form;
mod look_up;
mod picture;

use crate::limits::queue::{Full, Queue, Sender, Size, network_of};
use address::Hosts;
use chain::clock::Clock;
use form::Cached;
pub use form::{Form, SMALL_SIDE};
pub use picture::{KEPT_SIDE, Picture};
use store::Store;

/// How many look-ups run at a time: in total, and for one network, which needs the pictures of a board's first rows.
pub const LOOK_UPS: Size = Size::without_waiting(384, 128);

/// How long a request waits for a picture. The look-up continues, for a later request.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Longer than all look-ups together.
const DAYS: Duration = Duration::from_secs(24 * 60 * 60);

/// How many pictures are fetched, and how many are drawn, at a time. Each look-up waits for both, however long that takes.
const FETCHES: Size = Size::waiting(8, LOOK_UPS.places, LOOK_UPS.places, DAYS);
const DRAWINGS: Size = Size {
    turns: 2,
    ..FETCHES
};

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
    /// Reads of the database for visitors.
    database: Queue,
    look_ups: Queue,
    fetches: Queue,
    drawings: Queue,
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

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum NoPicture {
    #[error("There is no such profile.")]
    NoProfile,
    /// It has none, or none could be fetched.
    #[error("This profile has no picture.")]
    None,
    #[error(transparent)]
    Full(#[from] Full),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl Pictures {
    /// `database` is the queue of visitors who read it; `extra_hosts` are of this machine, and only in development.
    pub fn new(
        (store, clock): (Store, Clock),
        database: Queue,
        extra_hosts: &[Url],
    ) -> Result<Self, reqwest::Error> {
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
            database,
            look_ups: Queue::new(LOOK_UPS),
            fetches: Queue::new(FETCHES),
            drawings: Queue::new(DRAWINGS),
        })
    }

    /// The picture of a profile, for a client at `address`.
    ///
    /// # Errors
    /// When there is none, a queue is full, in total or for this network, or the look-up takes too long.
    pub async fn picture(
        self: &Arc<Self>,
        profile_id: &str,
        form: Form,
        address: Option<IpAddr>,
    ) -> Result<Picture, NoPicture> {
        let sender = address.map(network_of);
        let profile = {
            let _turn = self.database.turn(sender.clone()).await?;
            self.store.profile(profile_id).await?
        };
        let avatar_url = profile.ok_or(NoPicture::NoProfile)?.avatar_url;
        let avatar_url = avatar_url.ok_or(NoPicture::None)?;
        let picture = self.picture_at(profile_id, &avatar_url, form, sender);
        picture.await?.ok_or(NoPicture::None)
    }

    /// The picture at this address of a provider; none when there is no picture, or it could not be fetched.
    ///
    /// # Errors
    /// When the queue is full, in total or for this sender, or the look-up takes too long.
    pub async fn picture_at(
        self: &Arc<Self>,
        profile_id: &str,
        avatar_url: &str,
        form: Form,
        sender: Option<Sender>,
    ) -> Result<Option<Picture>, Full> {
        let Some(source) = self.hosts.allowed(avatar_url) else {
            return Ok(None);
        };
        let cached = self.get_or_look_up(profile_id, source, sender).await?;
        Ok(cached.drawn.as_ref().map(|drawn| drawn.form(form).clone()))
    }
}
