//! Settings of the payment provider.

use std::fmt;

use clap::Args;
use url::Url;

use super::is_loopback;

/// Payment by Stripe, as it is read from the environment. All of it is set, or nothing.
#[derive(Clone, Args)]
pub struct BillingConfig {
    /// The secret or restricted key of the Stripe account, `sk_live_…`, `rk_live_…`, `sk_test_…` or `rk_test_…`.
    /// Without it nothing can be bought.
    #[arg(long, env = "STRIPE_SECRET_KEY", hide_env_values = true)]
    pub stripe_secret_key: Option<String>,

    /// The signing secrets of the webhook endpoint, `whsec_…`, divided by commas. Two while one is
    /// being replaced.
    #[arg(
        long,
        env = "STRIPE_WEBHOOK_SECRET",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub stripe_webhook_secret: Vec<String>,

    /// The price of the premium plan, `price_…`. Several, divided by commas: the first is sold, and
    /// subscriptions to the others still count.
    #[arg(long, env = "STRIPE_PRICE_ID", value_delimiter = ',')]
    pub stripe_price_id: Vec<String>,

    /// Where the Stripe API is.
    #[arg(long, env = "STRIPE_API_URL", default_value = "https://api.stripe.com")]
    pub stripe_api_url: Url,
}

impl fmt::Debug for BillingConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BillingConfig")
            .field("stripe_price_id", &self.stripe_price_id)
            .finish_non_exhaustive()
    }
}

/// A complete set of settings.
#[derive(Clone)]
pub struct StripeSettings {
    /// The key that requests carry.
    pub secret_key: String,
    /// The secrets that events may be signed with.
    pub webhook_secrets: Vec<String>,
    /// The price that is sold, then those that still count.
    pub price_ids: Vec<String>,
    /// Where the API is.
    pub api_url: Url,
    /// Whether real money moves.
    pub live: bool,
}

/// Payment settings that cannot work, or are dangerous.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BillingConfigError {
    /// Money could be taken without anybody becoming premium.
    #[error(
        "STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_ID belong together; set all of them, or none"
    )]
    Incomplete,
    /// Its mode decides which events count.
    #[error(
        "STRIPE_SECRET_KEY must be a secret or restricted key: sk_live_…, rk_live_…, sk_test_… or rk_test_…"
    )]
    KeyOfUnknownMode,
    /// Not what Stripe calls a signing secret.
    #[error("STRIPE_WEBHOOK_SECRET must be signing secrets of Stripe, which begin with whsec_")]
    NoSigningSecret,
    /// Not what Stripe calls a price.
    #[error("STRIPE_PRICE_ID must be ids of prices, which begin with price_")]
    NoPrice,
    /// The key would cross the network in the clear.
    #[error("STRIPE_API_URL must be https, or an address of this machine")]
    ApiNotHttps,
    /// Mock users would pay real money.
    #[error("APP_ENV=development takes no live key; set STRIPE_SECRET_KEY to a test key")]
    LiveInDevelopment,
}

impl BillingConfig {
    /// The settings, or none when nothing is sold.
    ///
    /// # Errors
    /// When they are incomplete or dangerous.
    pub fn settings(
        &self,
        development: bool,
    ) -> Result<Option<StripeSettings>, BillingConfigError> {
        let key = self.stripe_secret_key.as_deref().unwrap_or_default().trim();
        let webhook_secrets = listed(&self.stripe_webhook_secret);
        let price_ids = listed(&self.stripe_price_id);
        if key.is_empty() && webhook_secrets.is_empty() && price_ids.is_empty() {
            return Ok(None);
        }
        if key.is_empty() || webhook_secrets.is_empty() || price_ids.is_empty() {
            return Err(BillingConfigError::Incomplete);
        }
        let live = mode(key).ok_or(BillingConfigError::KeyOfUnknownMode)?;
        if live && development {
            return Err(BillingConfigError::LiveInDevelopment);
        }
        if !webhook_secrets.iter().all(|it| it.starts_with("whsec_")) {
            return Err(BillingConfigError::NoSigningSecret);
        }
        if !price_ids.iter().all(|it| it.starts_with("price_")) {
            return Err(BillingConfigError::NoPrice);
        }
        if self.stripe_api_url.scheme() != "https" && !is_loopback(&self.stripe_api_url) {
            return Err(BillingConfigError::ApiNotHttps);
        }
        Ok(Some(StripeSettings {
            secret_key: key.to_owned(),
            webhook_secrets,
            price_ids,
            api_url: self.stripe_api_url.clone(),
            live,
        }))
    }
}

/// The entries that say something: an empty variable is as good as none.
fn listed(entries: &[String]) -> Vec<String> {
    let entries = entries.iter().map(|entry| entry.trim().to_owned());
    entries.filter(|entry| !entry.is_empty()).collect()
}

/// Whether real money moves with this key; none when it is no key that a server may hold.
fn mode(key: &str) -> Option<bool> {
    let rest = key
        .strip_prefix("sk_")
        .or_else(|| key.strip_prefix("rk_"))?;
    let printable = rest.bytes().all(|byte| byte.is_ascii_graphic());
    match rest.split_once('_') {
        Some(("live", secret)) if printable && !secret.is_empty() => Some(true),
        Some(("test", secret)) if printable && !secret.is_empty() => Some(false),
        _ => None,
    }
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

    fn read(
        development: bool,
        arguments: &[&str],
    ) -> Result<Option<StripeSettings>, BillingConfigError> {
        let all = std::iter::once("server").chain(arguments.iter().copied());
        Settings::parse_from(all).billing.settings(development)
    }

    fn refused(development: bool, arguments: &[&str]) -> Option<BillingConfigError> {
        read(development, arguments).err()
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
            assert_eq!(refused(false, some), Some(BillingConfigError::Incomplete));
        }
        let settings = read(false, &[KEY, SECRET, PRICE]).unwrap().unwrap();
        assert!(!settings.live);
        let two = "--stripe-webhook-secret=whsec_1, whsec_2";
        let settings = read(false, &[KEY, two, PRICE]).unwrap().unwrap();
        assert_eq!(settings.webhook_secrets, ["whsec_1", "whsec_2"]);
    }

    #[test]
    fn dangerous_settings_are_refused() {
        let live = "--stripe-secret-key=rk_live_1";
        assert!(read(false, &[live, SECRET, PRICE]).unwrap().unwrap().live);
        for (development, arguments, error) in [
            (
                true,
                [live, SECRET, PRICE],
                BillingConfigError::LiveInDevelopment,
            ),
            (
                false,
                ["--stripe-secret-key=pk_live_1", SECRET, PRICE],
                BillingConfigError::KeyOfUnknownMode,
            ),
            (
                false,
                [KEY, "--stripe-webhook-secret=secret", PRICE],
                BillingConfigError::NoSigningSecret,
            ),
            (
                false,
                [KEY, SECRET, "--stripe-price-id=prod_1"],
                BillingConfigError::NoPrice,
            ),
        ] {
            assert_eq!(refused(development, &arguments), Some(error));
        }
        for (url, error) in [
            (
                "--stripe-api-url=http://stripe.example",
                Some(BillingConfigError::ApiNotHttps),
            ),
            ("--stripe-api-url=http://127.0.0.1:1", None),
        ] {
            assert_eq!(refused(false, &[KEY, SECRET, PRICE, url]), error);
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
