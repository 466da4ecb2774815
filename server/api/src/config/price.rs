//! The sources of the bitcoin price.

use clap::Args;
use url::Url;

use super::checks::private_url;

/// Public sources without a key, from four operators.
const PUBLIC: [&str; 4] = [
    "https://mempool.space/api/v1/prices",
    "https://api.coinbase.com/v2/prices/BTC-USD/spot",
    "https://api.kraken.com/0/public/Ticker?pair=XBTUSD",
    "https://api.coingecko.com/api/v3/simple/price?ids=bitcoin&vs_currencies=usd",
];

/// The price of a bitcoin in development, in US dollars.
const STAND_IN: f64 = 100_000.0;

#[derive(Clone, Debug, Args)]
pub struct PriceConfig {
    /// Where the current bitcoin price is read: JSON addresses in the form of mempool.space
    /// (`/api/v1/prices`), Coinbase, Kraken or CoinGecko, separated by commas, asked in this order until one responds.
    /// `none` turns it off. Default: public sources; in development a fixed price that is marked as one.
    #[arg(long, env = "PRICE_URL", value_delimiter = ',', value_parser = source)]
    price_url: Vec<Option<Url>>,
}

/// An entry of `PRICE_URL`; none for `none`.
fn source(text: &str) -> Result<Option<Url>, &'static str> {
    match text.trim() {
        "" | "none" => Ok(None),
        address => private_url(address).map(Some),
    }
}

impl PriceConfig {
    /// The sources, in the order in which they are asked. The default is the public ones, and none in development, which needs no
    /// network.
    pub fn sources(&self, development: bool) -> Vec<Url> {
        if self.price_url.is_empty() && !development {
            return PUBLIC.iter().filter_map(|url| url.parse().ok()).collect();
        }
        self.price_url.iter().flatten().cloned().collect()
    }

    /// The fixed price of development, unless `PRICE_URL` is set.
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

    #[test]
    fn production_has_public_sources_and_development_a_stand_in() {
        let two = "https://a.example/p,http://127.0.0.1:1/q";
        let both = ["https://a.example/p", "http://127.0.0.1:1/q"];
        for (development, setting, sources, stand_in) in [
            (false, None, &PUBLIC[..], None),
            (true, None, &[], Some(STAND_IN)),
            (false, Some("none"), &[], None),
            (true, Some("none"), &[], None),
            (true, Some(two), &both, None),
        ] {
            let argument = setting.map(|it| format!("--price-url={it}"));
            let arguments = ["server".to_owned()].into_iter().chain(argument);
            let price = Settings::parse_from(arguments).price;
            let found: Vec<_> = price
                .sources(development)
                .into_iter()
                .map(String::from)
                .collect();
            assert_eq!(found, sources, "{setting:?}");
            assert_eq!(price.stand_in(development), stand_in, "{setting:?}");
        }
    }

    #[test]
    fn a_price_does_not_travel_in_the_clear() {
        for text in [
            "http://a.example/",
            "ftp://127.0.0.1/",
            "a.example",
            "https://u:p@a.example",
        ] {
            assert!(source(text).is_err(), "{text}");
        }
    }
}
