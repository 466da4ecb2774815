//! The current price of a bitcoin, from public sources, asked at most once a minute.

use std::sync::Arc;

use tokio::sync::{Mutex, RwLock};
use url::Url;

use chain::clock::{Clock, UnixTime};

mod source;

/// Seconds for which an answer is good: any number of visitors cause one call a minute.
const FRESH: i64 = 60;

/// Seconds for which the last known price is shown while no source answers. Then it is unknown.
const STALE: i64 = 10 * 60;

/// The price as the last call told it. Each replica asks for itself.
#[derive(Debug)]
pub struct Price {
    sources: Vec<Url>,
    /// What is said where there are no sources.
    stand_in: Option<f64>,
    http: reqwest::Client,
    clock: Clock,
    known: RwLock<Known>,
    /// Lock that is held by whoever asks the sources.
    asking: Mutex<()>,
}

/// The last answer, and when it came.
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
        Self {
            sources,
            stand_in: None,
            http,
            clock,
            known: RwLock::default(),
            asking: Mutex::default(),
        }
    }

    /// The same, with a price to show where nobody is asked.
    #[must_use]
    pub fn with_stand_in(self, stand_in: Option<f64>) -> Self {
        Self { stand_in, ..self }
    }

    /// Whether the price is made up.
    #[must_use]
    pub fn is_stand_in(&self) -> bool {
        self.sources.is_empty() && self.stand_in.is_some()
    }

    /// US dollars for one bitcoin, or none when no source has said in the last ten minutes.
    pub async fn usd(self: &Arc<Self>) -> Option<f64> {
        if self.sources.is_empty() {
            return self.stand_in;
        }
        let now = self.clock.now();
        let known = *self.known.read().await;
        if known.fresh(now) {
            return known.usd(now);
        }
        // A task of its own: the call goes on when the visitor who caused it goes away, and counts.
        let price = Arc::clone(self);
        let asked = tokio::spawn(async move { price.ask_once().await });
        // Nobody waits for a new price while there is one to show.
        match known.usd(now) {
            Some(usd) => Some(usd),
            None => asked.await.ok().flatten(),
        }
    }

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
