//! Settings of the payment provider.

use clap::Args;
use url::Url;

use super::checks::{ConfigError, private_url, require};
use chain::Secret;

/// Payment by Stripe, as it is read from the environment: all of it, or nothing.
#[derive(Clone, Debug, Args)]
pub struct BillingConfig {
    /// The secret or restricted key of the Stripe account, `sk_live_…`, `rk_live_…`, `sk_test_…` or `rk_test_…`.
    /// Without it nothing is sold.
    #[arg(long, env = "STRIPE_SECRET_KEY", hide_env_values = true)]
    pub stripe_secret_key: Option<Secret>,

    /// The signing secrets of the webhook endpoint, `whsec_…`, separated by commas. Two while one is
    /// being replaced.
    #[arg(
        long,
        env = "STRIPE_WEBHOOK_SECRET",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub stripe_webhook_secret: Vec<Secret>,

    /// The price of the premium plan, `price_…`. Of several, separated by commas, the first is sold, and
    /// subscriptions to the others still count.
    #[arg(long, env = "STRIPE_PRICE_ID", value_delimiter = ',')]
    pub stripe_price_id: Vec<String>,

    /// The address of the Stripe API.
    #[arg(long, env = "STRIPE_API_URL", default_value = "https://api.stripe.com", value_parser = private_url)]
    pub stripe_api_url: Url,
}

/// Complete and valid settings of Stripe.
#[derive(Clone, Debug)]
pub struct StripeSettings {
    pub secret_key: Secret,
    /// The secrets that events may be signed with.
    pub webhook_secrets: Vec<Secret>,
    /// The price that is sold, then those that still count.
    pub price_ids: Vec<String>,
    pub api_url: Url,
    /// Whether real money moves.
    pub live: bool,
}

impl BillingConfig {
    /// The settings, or none when nothing is sold.
    pub fn settings(&self, development: bool) -> Result<Option<StripeSettings>, ConfigError> {
        let key = self.stripe_secret_key.as_ref();
        let key = key.map_or("", Secret::expose).trim();
        let webhook_secrets = non_empty(self.stripe_webhook_secret.iter().map(Secret::expose));
        let price_ids = non_empty(self.stripe_price_id.iter().map(String::as_str));
        let missing = [
            key.is_empty(),
            webhook_secrets.is_empty(),
            price_ids.is_empty(),
        ];
        if missing == [true; 3] {
            return Ok(None);
        }
        require(
            !missing.contains(&true),
            "STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_ID belong together; set all of them, or none",
        )?;
        let is_of = |mode| ["sk", "rk"].map(|kind| key.starts_with(&format!("{kind}_{mode}_")));
        let live = is_of("live").contains(&true);
        require(
            live || is_of("test").contains(&true),
            "STRIPE_SECRET_KEY must be a secret or restricted key: sk_live_…, rk_live_…, sk_test_… or rk_test_…",
        )?;
        require(
            !(live && development),
            "APP_ENV=development accepts no live key; set STRIPE_SECRET_KEY to a test key",
        )?;
        require(
            webhook_secrets.iter().all(|it| it.starts_with("whsec_")),
            "STRIPE_WEBHOOK_SECRET must be signing secrets of Stripe, which begin with whsec_",
        )?;
        require(
            price_ids.iter().all(|it| it.starts_with("price_")),
            "STRIPE_PRICE_ID must be ids of prices, which begin with price_",
        )?;
        Ok(Some(StripeSettings {
            secret_key: key.to_owned().into(),
            webhook_secrets: webhook_secrets.into_iter().map(Secret::from).collect(),
            price_ids,
            api_url: self.stripe_api_url.clone(),
            live,
        }))
    }
}

/// The entries that are not empty: an empty variable counts as not set.
fn non_empty<'a>(entries: impl Iterator<Item = &'a str>) -> Vec<String> {
    let entries = entries.map(|entry| entry.trim().to_owned());
    entries.filter(|entry| !entry.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Settings {
        #[command(flatten)]
        billing: BillingConfig,
    }

    const KEY: &str = "--stripe-secret-key=sk_test_1";
    const SECRET: &str = "--stripe-webhook-secret=whsec_1";
    const PRICE: &str = "--stripe-price-id=price_1";

    fn read(development: bool, arguments: &[&str]) -> Result<Option<StripeSettings>, ConfigError> {
        let all = std::iter::once("server").chain(arguments.iter().copied());
        Settings::parse_from(all).billing.settings(development)
    }

    fn refused(development: bool, arguments: &[&str]) -> String {
        let refused = read(development, arguments).expect_err("a refusal");
        refused.to_string()
    }

    #[test]
    fn everything_or_nothing() {
        assert!(read(false, &[]).unwrap().is_none());
        assert!(read(false, &["--stripe-secret-key="]).unwrap().is_none());
        for some in [
            &[KEY][..],
            &[SECRET],
            &[PRICE],
            &[KEY, SECRET],
            &[KEY, PRICE],
            &[SECRET, PRICE],
        ] {
            assert!(refused(false, some).contains("belong together"));
        }
        let settings = read(false, &[KEY, SECRET, PRICE]).unwrap().unwrap();
        assert!(!settings.live);
        let two = "--stripe-webhook-secret=whsec_1, whsec_2";
        let settings = read(false, &[KEY, two, PRICE]).unwrap().unwrap();
        let secrets = settings.webhook_secrets.iter().map(Secret::expose);
        assert!(secrets.eq(["whsec_1", "whsec_2"]));
    }

    #[test]
    fn dangerous_settings_are_refused() {
        let live = "--stripe-secret-key=rk_live_1";
        assert!(read(false, &[live, SECRET, PRICE]).unwrap().unwrap().live);
        let local = "--stripe-api-url=http://127.0.0.1:1";
        assert!(read(false, &[KEY, SECRET, PRICE, local]).is_ok());
        let foreign = ["server", "--stripe-api-url=http://stripe.example"];
        assert!(Settings::try_parse_from(foreign).is_err());
        for (development, arguments, says) in [
            (true, &[live, SECRET, PRICE][..], "no live key"),
            (
                false,
                &["--stripe-secret-key=pk_live_1", SECRET, PRICE],
                "sk_live_",
            ),
            (
                false,
                &[KEY, "--stripe-webhook-secret=secret", PRICE],
                "whsec_",
            ),
            (false, &[KEY, SECRET, "--stripe-price-id=prod_1"], "price_"),
        ] {
            let refused = refused(development, arguments);
            assert!(refused.contains(says), "{refused}");
        }
    }

    #[test]
    fn secrets_are_not_in_the_debug_output() {
        let all = ["server", KEY, SECRET, PRICE];
        let shown = format!("{:?}", Settings::parse_from(all).billing);
        assert!(
            !shown.contains("sk_test") && !shown.contains("whsec"),
            "{shown}"
        );
    }
}
