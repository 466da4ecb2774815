//! The current price of a bitcoin, from public sources, fetched at most once a minute.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use reqwest::Client;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::{Mutex, RwLock};
use url::Url;

use chain::clock::{Clock, UnixTime};
use outbound::fetch;

/// How long a price is fresh, in seconds: any number of visitors cause one request a minute.
const FRESH: i64 = 60;

/// How long the last price is shown while no source responds, in seconds. After that it is unknown.
const STALE: i64 = 10 * 60;

/// The longest that one source may take: visitors wait for it when there is no price yet.
const TIMEOUT: Duration = Duration::from_secs(4);

/// The largest response that is read, in bytes.
const MAX_RESPONSE: usize = 64 * 1024;

/// A higher price is taken for an error.
const MAX_USD: f64 = 1e9;

/// The price. Each replica fetches it.
#[derive(Debug)]
pub struct Price {
    sources: Vec<Url>,
    /// The price when there are no sources, in development.
    stand_in: Option<f64>,
    http: Client,
    clock: Clock,
    cached: RwLock<Cached>,
    /// Held while the sources are asked.
    asking: Mutex<()>,
}

/// The price as it is shown.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ShownPrice {
    /// US dollars for one bitcoin; none when it is not known.
    #[serde(rename = "price")]
    pub usd: Option<f64>,
    /// Whether it is the fixed one of development.
    pub stand_in: bool,
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
    /// The sources are asked in this order, until one responds. Without sources the price is `stand_in`, or unknown.
    pub fn new(sources: Vec<Url>, stand_in: Option<f64>, http: Client, clock: Clock) -> Self {
        Self {
            sources,
            stand_in,
            http,
            clock,
            cached: RwLock::default(),
            asking: Mutex::default(),
        }
    }

    /// The price, if it is cached. If not, begins to fetch it.
    pub fn cached(self: &Arc<Self>) -> ShownPrice {
        self.shown(self.usd().now_or_never().flatten())
    }

    /// The price, which is fetched first if it is not cached.
    pub async fn fetched(self: &Arc<Self>) -> ShownPrice {
        self.shown(self.usd().await)
    }

    fn shown(&self, usd: Option<f64>) -> ShownPrice {
        let stand_in = self.sources.is_empty() && self.stand_in.is_some();
        ShownPrice { usd, stand_in }
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
            match read(&self.http, source).await {
                Ok(usd) => return Some(usd),
                Err(error) => tracing::warn!(host, %error, "a price source failed"),
            }
        }
        None
    }
}

/// The price in US dollars from this source.
async fn read(http: &Client, source: &Url) -> Result<f64, Box<dyn Error + Send + Sync>> {
    let request = http.get(source.clone()).timeout(TIMEOUT);
    let response = fetch(request, MAX_RESPONSE).await?;
    if !response.status().is_success() {
        return Err(format!("the response is {}", response.status()).into());
    }
    let usd = find(&serde_json::from_slice(response.body())?);
    let usd = usd.filter(|usd| usd.is_finite() && *usd > 0.0 && *usd <= MAX_USD);
    usd.ok_or_else(|| "the response has no plausible price".into())
}

/// Where each known source has the price (RFC 6901).
const PLACES: [&str; 4] = [
    // mempool.space and compatible: {"time": 1, "USD": 84000, "EUR": 72000}
    "/USD",
    // Coinbase: {"data": {"amount": "84000.12", "base": "BTC", "currency": "USD"}}
    "/data/amount",
    // CoinGecko: {"bitcoin": {"usd": 84000}}
    "/bitcoin/usd",
    // Kraken: {"error": [], "result": {"XXBTZUSD": {"c": ["84000.1", "0.01"]}}}, c being the last trade
    "/result/XXBTZUSD/c/0",
];

/// Finds the price in a response of any known source.
fn find(answer: &Value) -> Option<f64> {
    let is_other = |pair: &Value| pair["base"] != "BTC" || pair["currency"] != "USD";
    if answer.get("data").is_some_and(is_other) {
        return None;
    }
    PLACES.iter().find_map(|place| {
        let price = answer.pointer(place)?;
        price.as_f64().or_else(|| price.as_str()?.parse().ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_known_forms_are_read() {
        for (answer, usd) in [
            (
                json!({"time": 1, "USD": 84_000, "EUR": 72_000}),
                Some(84_000.0),
            ),
            (
                json!({"data": {"amount": "84000.12", "base": "BTC", "currency": "USD"}}),
                Some(84_000.12),
            ),
            (
                json!({"data": {"amount": "72000", "base": "BTC", "currency": "EUR"}}),
                None,
            ),
            (json!({"bitcoin": {"usd": 84_000.5}}), Some(84_000.5)),
            (
                json!({"error": [], "result": {"XXBTZUSD": {"c": ["84000.1", "0.01"]}}}),
                Some(84_000.1),
            ),
            (json!({"error": ["EGeneral:Too many requests"]}), None),
            (json!({"USD": "soon"}), None),
            (json!([84_000]), None),
        ] {
            assert_eq!(find(&answer), usd, "{answer}");
        }
    }
}
