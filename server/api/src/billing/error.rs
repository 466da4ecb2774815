//! Errors of purchases and events.

use super::signature::BadSignature;
use super::stripe::StripeError;

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
    #[error(transparent)]
    Signature(#[from] BadSignature),
    #[error("The body is not a Stripe event. Only Stripe may call this address.")]
    NoEvent,
    #[error(
        "This event is from Stripe's other mode (test or live). Send it to a server whose STRIPE_SECRET_KEY has the same mode."
    )]
    OtherMode,
    #[error(transparent)]
    Provider(#[from] StripeError),
    #[error("other requests kept changing the account during the request to Stripe; try again")]
    Busy,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}
