//! The current price of a bitcoin, from a public source, asked at most once a minute.

use serde::Deserialize;
use tokio::sync::Mutex;
use url::Url;

use crate::clock::{Clock, UnixTime};

/// How long an answer is good for, in seconds: any number of visitors cause one call a minute.
const FRESH: i64 = 60;

/// The price as the last call told it.
#[derive(Debug)]
pub struct Price {
    source: Option<Url>,
    http: reqwest::Client,
    clock: Clock,
    cached: Mutex<Cached>,
}

#[derive(Debug, Default)]
struct Cached {
    asked_at: Option<UnixTime>,
    usd: Option<f64>,
}

/// What a mempool.space compatible `/api/v1/prices` answers.
#[derive(Deserialize)]
struct Prices {
    #[serde(rename = "USD")]
    usd: f64,
}

impl Price {
    /// A price that is unknown until it is asked for, and forever without a source.
    #[must_use]
    pub fn new(source: Option<Url>, http: reqwest::Client, clock: Clock) -> Self {
        Self {
            source,
            http,
            clock,
            cached: Mutex::default(),
        }
    }

    /// US dollars for one bitcoin, or none when the source does not say.
    pub async fn usd(&self) -> Option<f64> {
        let source = self.source.as_ref()?;
        // Held over the call on purpose: everybody who comes meanwhile shares its answer.
        let mut cached = self.cached.lock().await;
        let now = self.clock.now();
        if cached
            .asked_at
            .is_none_or(|asked_at| now - asked_at >= FRESH)
        {
            cached.asked_at = Some(now);
            cached.usd = self
                .ask(source)
                .await
                .inspect_err(|error| tracing::warn!(%error, "the price source failed"))
                .ok()
                .filter(|usd| usd.is_finite() && *usd > 0.0);
        }
        cached.usd
    }

    async fn ask(&self, source: &Url) -> Result<f64, reqwest::Error> {
        let answer = self.http.get(source.clone()).send().await?;
        let prices: Prices = answer.error_for_status()?.json().await?;
        Ok(prices.usd)
    }
}
