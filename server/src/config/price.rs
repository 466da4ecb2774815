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

#[derive(Clone, Debug, Args)]
pub struct PriceConfig {
    /// Where the current bitcoin price is read: JSON addresses in the form of mempool.space
    /// (`/api/v1/prices`), Coinbase, Kraken or CoinGecko, divided by commas, asked in this order until one answers.
    /// `none` turns it off. Default: public sources; in development none.
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
