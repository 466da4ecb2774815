//! Plans and payment: what the payment provider says about a subscription decides who is premium.
//!
//! Somebody who buys is sent to the provider's own page ([`checkout`]) and never shows us a card. The
//! provider then reports by signed events ([`webhook`]). An event only says which subscription to ask about: what
//! the API answers at that moment decides ([`subscription`]), so it does not matter how often an event arrives, how late or
//! in which order. What has to happen at the provider after an account was deleted is kept in the database until
//! it has happened ([`upkeep`]).
//!
//! Refunds and disputes are dealt with by people at the provider: cancel the subscription there, and the tier follows.

use crate::config::StripeSettings;
use chain::clock::Clock;
use store::Store;

mod checkout;
mod error;
mod signature;
mod stripe;
mod subscription;
mod upkeep;
mod webhook;

pub use error::BillingError;
use signature::Signatures;
use stripe::Stripe;
pub use stripe::StripeError;

/// Who is premium, and how somebody becomes so.
#[derive(Debug)]
pub struct Billing {
    store: Store,
    clock: Clock,
    /// Where buyers come back to.
    origin: String,
    /// None when nothing is sold.
    seller: Option<Seller>,
}

/// This server's account at the payment provider.
#[derive(Debug)]
struct Seller {
    stripe: Stripe,
    signatures: Signatures,
    /// The price that is sold, then those that still count.
    price_ids: Vec<String>,
    /// Whether real money moves.
    live: bool,
}

impl Billing {
    pub fn new(
        store: Store,
        clock: Clock,
        origin: String,
        settings: Option<StripeSettings>,
        http: reqwest::Client,
    ) -> Result<Self, StripeError> {
        let seller = settings.map(|settings| Seller::new(settings, http));
        Ok(Self {
            store,
            clock,
            origin,
            seller: seller.transpose()?,
        })
    }

    /// Chooses the free plan for somebody who has none.
    pub async fn choose_free(&self, user_id: &str) -> Result<(), sqlx::Error> {
        let now = self.clock.now();
        self.store.choose_free_tier(user_id, now).await?;
        Ok(())
    }

    /// Whether the premium plan can be bought.
    #[must_use]
    pub fn sells(&self) -> bool {
        self.seller.is_some()
    }

    fn seller(&self) -> Result<&Seller, BillingError> {
        self.seller.as_ref().ok_or(BillingError::NothingSold)
    }
}

impl Seller {
    fn new(settings: StripeSettings, http: reqwest::Client) -> Result<Self, StripeError> {
        if !settings.live {
            tracing::warn!(
                "STRIPE_SECRET_KEY is a test key: people become premium with test cards"
            );
        }
        Ok(Self {
            stripe: Stripe::new(settings.api_url, &settings.secret_key, http)?,
            signatures: Signatures::new(&settings.webhook_secrets),
            price_ids: settings.price_ids,
            live: settings.live,
        })
    }
}
