//! A request to a price source, and the formats of the responses.

use std::error::Error;
use std::time::Duration;

use chain::outbound::fetch;
use serde_json::Value;
use url::Url;

/// The longest that one source may take: visitors wait for it when there is no price yet.
const TIMEOUT: Duration = Duration::from_secs(4);

/// The largest response that is read, in bytes.
const MAX_RESPONSE: usize = 64 * 1024;

/// A higher price is taken for an error.
const MAX_USD: f64 = 1e9;

/// The price in US dollars from this source.
pub(super) async fn read(
    http: &reqwest::Client,
    source: &Url,
) -> Result<f64, Box<dyn Error + Send + Sync>> {
    let request = http.get(source.clone()).timeout(TIMEOUT);
    let (status, body) = fetch(request, MAX_RESPONSE).await?;
    if !status.is_success() {
        return Err(format!("the response is {status}").into());
    }
    let usd = find(&serde_json::from_slice(&body)?);
    let usd = usd.filter(|usd| usd.is_finite() && *usd > 0.0 && *usd <= MAX_USD);
    usd.ok_or_else(|| "the response has no plausible price".into())
}

/// Finds the price in a response of any known source.
fn find(answer: &Value) -> Option<f64> {
    // mempool.space and compatible: {"time": 1, "USD": 84000, "EUR": 72000}
    let mempool = || number(&answer["USD"]);
    // Coinbase: {"data": {"amount": "84000.12", "base": "BTC", "currency": "USD"}}
    let coinbase = || {
        let data = &answer["data"];
        let pair = data["base"] == "BTC" && data["currency"] == "USD";
        number(&data["amount"]).filter(|_| pair)
    };
    // CoinGecko: {"bitcoin": {"usd": 84000}}
    let coingecko = || number(&answer["bitcoin"]["usd"]);
    // Kraken: {"error": [], "result": {"XXBTZUSD": {"c": ["84000.1", "0.01"]}}}, c being the last trade
    let kraken = || number(&answer["result"]["XXBTZUSD"]["c"][0]);
    mempool()
        .or_else(coinbase)
        .or_else(coingecko)
        .or_else(kraken)
}

fn number(value: &Value) -> Option<f64> {
    value
        .as_f64()
        .or_else(|| value.as_str().and_then(|text| text.parse().ok()))
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
