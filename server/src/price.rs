//! The current price of a bitcoin, from public sources, asked at most once a minute.

use std::sync::Arc;

use tokio::sync::{Mutex, RwLock};
use url::Url;

use crate::clock::{Clock, UnixTime};

mod source;

/// How long an answer is good for, in seconds: any number of visitors cause one call a minute.
const FRESH: i64 = 60;

/// How long the last known price is shown while no source answers, in seconds. Then it is unknown.
const STALE: i64 = 10 * 60;

/// The price as the last call told it. Each replica asks for itself.
#[derive(Debug)]
pub struct Price(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    sources: Vec<Url>,
    http: reqwest::Client,
    clock: Clock,
    known: RwLock<Known>,
    /// Held by whoever asks the sources.
    asking: Mutex<()>,
}

/// What has been found out, and when.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// When the sources were last asked, whether or not one answered.
    asked_at: Option<UnixTime>,
    price: Option<(f64, UnixTime)>,
}

impl Known {
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
    /// A price that is unknown until it is asked for, and forever without sources. They are asked in
    /// this order, until one answers.
    #[must_use]
    pub fn new(sources: Vec<Url>, http: reqwest::Client, clock: Clock) -> Self {
        Self(Arc::new(Shared {
            sources,
            http,
            clock,
            known: RwLock::default(),
            asking: Mutex::default(),
        }))
    }

    /// US dollars for one bitcoin, or none when no source has said in the last ten minutes.
    pub async fn usd(&self) -> Option<f64> {
        if self.0.sources.is_empty() {
            return None;
        }
        let now = self.0.clock.now();
        let known = *self.0.known.read().await;
        if known.fresh(now) {
            return known.usd(now);
        }
        // A task of its own: the call goes on when the visitor who caused it goes away, and counts.
        let shared = self.0.clone();
        let asked = tokio::spawn(async move { shared.ask_once().await });
        // Nobody waits for a new price while there is one to show.
        match known.usd(now) {
            Some(usd) => Some(usd),
            None => asked.await.ok().flatten(),
        }
    }
}

impl Shared {
    /// Asks the sources, unless somebody else just did: everybody who comes meanwhile shares the answer.
    async fn ask_once(&self) -> Option<f64> {
        let _asking = self.asking.lock().await;
        let now = self.clock.now();
        if self.known.read().await.fresh(now) {
            return self.known.read().await.usd(now);
        }
        let answer = self.ask().await;
        let mut known = self.known.write().await;
        known.asked_at = Some(now);
        if let Some(usd) = answer {
            known.price = Some((usd, now));
        }
        known.usd(now)
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
