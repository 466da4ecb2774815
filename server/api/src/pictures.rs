//! Pictures of people. The server fetches them from the provider once a day, draws them anew and serves them itself,
//! so that the browser of whoever looks at the board never talks to the provider.

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
mod known;
mod look_up;
mod picture;
mod resize;

use crate::limits::places::{Limits, Places, TooMany};
use address::Hosts;
use chain::clock::Clock;
pub use form::Form;
use known::Known;
pub use picture::Picture;
use store::Store;

/// How many pictures are looked up at a time, those that wait for their turn included: in all, and for one address, which
/// has the pictures of a board's first rows to ask for.
pub const QUEUE: Limits = Limits {
    total: 384,
    per_sender: 128,
};

/// How long anybody waits for a picture. Looking it up goes on, so that it is there for whoever comes again.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many are fetched at a time.
const FETCHES: usize = 8;

/// How many are drawn at a time.
const DRAWINGS: usize = 2;

/// How long copies stay in memory: after that the picture of a deleted account is gone here too.
const IN_MEMORY: Duration = Duration::from_secs(10 * 60);

/// What the copies in memory may take, in bytes.
const MEMORY: u64 = 64 * 1024 * 1024;

/// The pictures of people, each by the profile that has it.
#[derive(Debug)]
pub struct Pictures {
    store: Store,
    clock: Clock,
    hosts: Hosts,
    client: Client,
    /// By profile and address at the provider.
    known: Cache<(String, Url), Arc<Known>>,
    queue: Places,
    fetching: Semaphore,
    drawing: Arc<Semaphore>,
}

/// The reason why a picture cannot be had for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    /// As many are looked up as can be.
    Full(TooMany),
    /// It takes long.
    Slow,
}

/// Tells the pictures of a profile apart, by their address at the provider; none without a picture.
#[must_use]
pub fn version(avatar_url: Option<&str>) -> Option<[u8; 4]> {
    let source = avatar_url.filter(|url| !url.is_empty())?;
    Sha256::digest(source).first_chunk().copied()
}

/// The address of somebody's picture on our own origin, or none without a picture. It changes with the picture.
#[must_use]
pub fn public_path(profile_id: impl Display, version: Option<[u8; 4]>) -> Option<String> {
    let version = hex::encode(version?);
    Some(format!("/api/storage/v1/avatar/{profile_id}?v={version}"))
}

impl Pictures {
    /// `extra_hosts` are of this machine, in development alone.
    pub fn new(store: Store, clock: Clock, extra_hosts: &[Url]) -> Result<Self, reqwest::Error> {
        Ok(Self {
            store,
            clock,
            hosts: Hosts::new(extra_hosts),
            client: fetch::client(fetch::PATIENCE)?,
            known: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|_, known: &Arc<Known>| known.weight())
                .time_to_live(IN_MEMORY)
                .build(),
            queue: Places::by_network(QUEUE),
            fetching: Semaphore::new(FETCHES),
            drawing: Arc::new(Semaphore::new(DRAWINGS)),
        })
    }

    /// The picture that a profile has at `avatar_url`, in the form that `address` asks for; none when it has none, or the
    /// provider does not give it.
    ///
    /// # Errors
    /// When the queue is full, or this address has its share of it, or the picture takes long.
    pub async fn picture(
        self: &Arc<Self>,
        profile_id: &str,
        avatar_url: &str,
        form: Form,
        address: Option<IpAddr>,
    ) -> Result<Option<Picture>, Busy> {
        let Some(source) = self.hosts.allowed(avatar_url) else {
            return Ok(None);
        };
        let known = self.known(profile_id, source, address).await?;
        Ok(known.drawn.as_ref().map(|drawn| drawn.form(form).clone()))
    }
}
