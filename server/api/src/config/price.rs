//! Where the bitcoin price is read.

use std::str::FromStr;

use clap::Args;
use url::Url;

use super::transport::{has_user, is_private};

/// Public sources that anybody may ask without a key, of four operators.
const PUBLIC: [&str; 4] = [
    "https://mempool.space/api/v1/prices",
    "https://api.coinbase.com/v2/prices/BTC-USD/spot",
    "https://api.kraken.com/0/public/Ticker?pair=XBTUSD",
    "https://api.coingecko.com/api/v3/simple/price?ids=bitcoin&vs_currencies=usd",
];

/// What a bitcoin is said to cost in development, in US dollars.
const STAND_IN: f64 = 100_000.0;

#[derive(Clone, Debug, Args)]
pub struct PriceConfig {
    /// Where the current bitcoin price is read: JSON addresses in the form of mempool.space
    /// (`/api/v1/prices`), Coinbase, Kraken or CoinGecko, divided by commas, asked in this order until one answers.
    /// `none` turns it off. Default: public sources; in development a stand-in that is marked as one.
    #[arg(long, env = "PRICE_URL", value_delimiter = ',')]
    pub price_url: Vec<PriceSource>,
}

/// One entry of `PRICE_URL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriceSource {
    /// The word `none`: nobody is asked.
    None,
    /// A JSON address.
    Url(Url),
}

/// Why an entry of `PRICE_URL` cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PriceSourceError {
    /// Not an address.
    #[error("not an address; an https address, or none")]
    NoUrl,
    /// Anybody on the way could change the price.
    #[error("an address that is neither https nor of this machine")]
    NotHttps,
    /// Settings that may hold a password are treated otherwise, everywhere.
    #[error("an address with a user name or a password, which no source of prices needs")]
    Password,
}

impl FromStr for PriceSource {
    type Err = PriceSourceError;

    fn from_str(text: &str) -> Result<Self, PriceSourceError> {
        let text = text.trim();
        if text.is_empty() || text == "none" {
            return Ok(Self::None);
        }
        let url: Url = text.parse().map_err(|_| PriceSourceError::NoUrl)?;
        if has_user(&url) {
            Err(PriceSourceError::Password)
        } else if is_private(&url) {
            Ok(Self::Url(url))
        } else {
            Err(PriceSourceError::NotHttps)
        }
    }
}

impl PriceConfig {
    /// Where the price is read, in the order in which the sources are asked. Without a setting: the public ones,
    /// and in development mode, which needs no network, none.
    #[must_use]
    pub fn sources(&self, development: bool) -> Vec<Url> {
        if self.price_url.is_empty() && !development {
            return PUBLIC.iter().filter_map(|url| url.parse().ok()).collect();
        }
        let set = self.price_url.iter().filter_map(|source| match source {
            PriceSource::None => None,
            PriceSource::Url(url) => Some(url.clone()),
        });
        set.collect()
    }

    /// The price that stands in for a real one where nobody is asked and nobody said that there shall be none: in development.
    #[must_use]
    pub fn stand_in(&self, development: bool) -> Option<f64> {
        (development && self.price_url.is_empty()).then_some(STAND_IN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Settings {
        #[command(flatten)]
        price: PriceConfig,
    }

    fn sources(development: bool, arguments: &[&str]) -> Vec<String> {
        let all = std::iter::once("server").chain(arguments.iter().copied());
        let sources = Settings::parse_from(all).price.sources(development);
        sources.into_iter().map(String::from).collect()
    }

    #[test]
    fn a_stand_in_is_for_development_alone_unless_there_shall_be_no_price() {
        let stand_in = |development, arguments: &[&str]| {
            let all = std::iter::once(&"server").chain(arguments);
            Settings::parse_from(all).price.stand_in(development)
        };
        assert_eq!(stand_in(true, &[]), Some(STAND_IN));
        assert_eq!(stand_in(false, &[]), None);
        for url in ["--price-url=none", "--price-url=http://127.0.0.1:1/q"] {
            assert_eq!(stand_in(true, &[url]), None, "{url}");
        }
    }

    #[test]
    fn production_has_public_sources_and_development_none() {
        assert_eq!(sources(false, &[]), PUBLIC);
        assert!(sources(true, &[]).is_empty());
        assert!(sources(false, &["--price-url=none"]).is_empty());
        assert_eq!(
            sources(
                false,
                &["--price-url=https://a.example/p,http://127.0.0.1:1/q"]
            ),
            ["https://a.example/p", "http://127.0.0.1:1/q"]
        );
    }

    #[test]
    fn a_price_does_not_travel_in_the_clear() {
        for (text, error) in [
            ("http://a.example/", PriceSourceError::NotHttps),
            ("ftp://127.0.0.1/", PriceSourceError::NotHttps),
            ("a.example", PriceSourceError::NoUrl),
        ] {
            assert_eq!(text.parse::<PriceSource>(), Err(error));
        }
    }
}
