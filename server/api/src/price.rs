//! The current price of a bitcoin, from public sources, fetched at most once a minute.

use std::sync::Arc;

use tokio::sync::{Mutex, RwLock};
use url::Url;

use chain::clock::{Clock, UnixTime};

mod source;

/// How long a price is fresh, in seconds: any number of visitors cause one request a minute.
const FRESH: i64 = 60;

/// How long the last price is shown while no source responds, in seconds. After that it is unknown.
const STALE: i64 = 10 * 60;

/// The price. Each replica fetches it.
#[derive(Debug)]
pub struct Price {
    sources: Vec<Url>,
    /// The price when there are no sources, in development.
    stand_in: Option<f64>,
    http: reqwest::Client,
    clock: Clock,
    cached: RwLock<Cached>,
    /// Held while the sources are asked.
    asking: Mutex<()>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cached {
    /// When the sources were asked last, whether or not one responded.
    asked_at: Option<UnixTime>,
    /// The price, and when it was fetched.
    price: Option<(f64, UnixTime)>,
}

impl Cached {
    fn fresh(&self, now: UnixTime) -> bool {
        self.asked_at
            .is_some_and(|at| (0..FRESH).contains(&(now - at)))
    }

    fn usd(&self, now: UnixTime) -> Option<f64> {
        let (usd, at) = self.price?;
        (now - at < STALE).then_some(usd)
    }
}

impl Price {
    /// The sources are asked in this order, until one responds. Without sources the price is unknown.
    pub fn new(sources: Vec<Url>, http: reqwest::Client, clock: Clock) -> Self {
        Self {
            sources,
            stand_in: None,
            http,
            clock,
            cached: RwLock::default(),
            asking: Mutex::default(),
        }
    }

    /// Sets a fixed price for development, where there are no sources.
    pub fn with_stand_in(self, stand_in: Option<f64>) -> Self {
        Self { stand_in, ..self }
    }

    /// Whether the price is the fixed one of development.
    pub fn is_stand_in(&self) -> bool {
        self.sources.is_empty() && self.stand_in.is_some()
    }

    /// US dollars for one bitcoin; none when no source has responded in the last ten minutes.
    pub async fn usd(self: &Arc<Self>) -> Option<f64> {
        if self.sources.is_empty() {
            return self.stand_in;
        }
        let now = self.clock.now();
        let cached = *self.cached.read().await;
        if cached.fresh(now) {
            return cached.usd(now);
        }
        // In a task, so that the fetch completes when the visitor who caused it disconnects.
        let price = Arc::clone(self);
        let asked = tokio::spawn(async move { price.ask_once().await });
        // Nobody waits while there is a price to show.
        match cached.usd(now) {
            Some(usd) => Some(usd),
            None => asked.await.ok().flatten(),
        }
    }

    /// Asks the sources, unless another request just did. Concurrent requests share the result.
    async fn ask_once(&self) -> Option<f64> {
        let _asking = self.asking.lock().await;
        let now = self.clock.now();
        let cached = *self.cached.read().await;
        if cached.fresh(now) {
            return cached.usd(now);
        }
        let usd = self.ask().await;
        let mut cached = self.cached.write().await;
        cached.asked_at = Some(now);
        if let Some(usd) = usd {
            cached.price = Some((usd, now));
        }
        cached.usd(now)
    }

    async fn ask(&self) -> Option<f64> {
        for source in &self.sources {
            let host = source.host_str().unwrap_or_default();
            match source::read(&self.http, source).await {
                Ok(usd) => return Some(usd),
                Err(error) => tracing::warn!(host, %error, "a price source failed"),
            }
        }
        None
    }
}
