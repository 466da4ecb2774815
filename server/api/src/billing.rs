//! Plans and payment: a customer's subscriptions at Stripe decide who has the premium plan.
//!
//! A buyer pays on Stripe's own page ([`checkout`]), so this server never sees a card. Stripe then reports changes by signed
//! events ([`webhook`]). An event only says which customer changed; the subscriptions that Stripe's API returns decide
//! ([`subscription`]), so events may arrive late, twice or in any order. Deleted accounts are canceled at Stripe, and each customer's
//! subscriptions are read once a day in case an event was lost.
//!
//! Operators handle refunds and disputes at Stripe: cancel the subscription there, and the plan follows.

mod checkout;
mod stripe;
mod subscription;
mod webhook;

use crate::config::StripeSettings;
use chain::clock::Clock;
use store::Store;
use stripe::{Stripe, StripeError};

/// How often to start over when another request changed the same account meanwhile.
const TRIES: usize = 5;

/// Sells the premium plan, and gives every profile the plan that follows from its subscriptions.
#[derive(Debug)]
pub struct Billing {
    store: Store,
    clock: Clock,
    /// The site to which buyers return.
    origin: String,
    /// None when nothing is sold.
    stripe: Option<Stripe>,
}

impl Billing {
    pub fn new(
        store: &Store,
        clock: &Clock,
        origin: &str,
        settings: Option<StripeSettings>,
        http: &reqwest::Client,
    ) -> Self {
        if settings.as_ref().is_some_and(|settings| !settings.live) {
            tracing::warn!("STRIPE_SECRET_KEY is a test key: test cards buy the premium plan");
        }
        Self {
            store: store.clone(),
            clock: clock.clone(),
            origin: origin.to_owned(),
            stripe: settings.map(|settings| Stripe {
                settings,
                http: http.clone(),
            }),
        }
    }

    /// Whether the premium plan can be bought.
    pub fn sells(&self) -> bool {
        self.stripe.is_some()
    }

    fn stripe(&self) -> Result<&Stripe, BillingError> {
        self.stripe.as_ref().ok_or(BillingError::NothingSold)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BillingError {
    #[error("this server sells no plans: STRIPE_SECRET_KEY is not set")]
    NothingSold,
    #[error("the account no longer exists")]
    NoAccount,
    #[error("You already have the premium plan.")]
    AlreadyPremium,
    #[error(
        "Your payment for the premium plan is still being processed. Check again in a few minutes."
    )]
    Pending,
    /// An event is not Stripe's, or not for this server.
    #[error("{0}")]
    Event(&'static str),
    #[error(transparent)]
    Provider(#[from] StripeError),
    #[error("other requests kept changing the account during the request to Stripe; try again")]
    Busy,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}
