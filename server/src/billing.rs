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
use crate::error::Error;
use crate::state::AppState;

pub mod checkout;
pub mod signature;
pub mod stripe;
pub mod subscription;
pub mod upkeep;
pub mod webhook;

use signature::Signatures;
use stripe::{Stripe, StripeError};

/// The payment provider, when there is one.
#[derive(Debug)]
pub struct Billing {
    stripe: Stripe,
    signatures: Signatures,
    price_ids: Vec<String>,
    live: bool,
}

impl Billing {
    /// With these settings.
    ///
    /// # Errors
    /// When the key cannot be sent in a header.
    pub fn new(settings: StripeSettings, http: reqwest::Client) -> Result<Self, StripeError> {
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

    /// The provider of this server.
    ///
    /// # Errors
    /// The specification's error when there is none.
    pub fn of(state: &AppState) -> Result<&Self, Error> {
        state.billing.as_ref().ok_or_else(unavailable)
    }

    /// Checks who sent an event, and reads it.
    ///
    /// # Errors
    /// 400 when the provider did not sign it just now, or it is no event.
    pub fn read_event(
        &self,
        header: Option<&str>,
        payload: &[u8],
        now: crate::clock::UnixTime,
    ) -> Result<webhook::Event, Error> {
        self.signatures
            .check(header.unwrap_or_default(), payload, now)
            .map_err(|refused| Error::bad_request("invalid-signature", refused.to_string()))?;
        webhook::Event::read(payload)
    }
}

/// What a buyer is told whatever the trouble is (specification, section 7).
fn unavailable() -> Error {
    Error::Unavailable {
        code: "payment-unavailable",
        message: "Stripe session error".to_owned(),
    }
}

impl From<StripeError> for Error {
    fn from(cause: StripeError) -> Self {
        tracing::warn!(%cause, "the payment provider failed");
        unavailable()
    }
}
