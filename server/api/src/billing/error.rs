//! Errors of purchases and events.

use super::signature::BadSignature;
use super::stripe::StripeError;

#[derive(Debug, thiserror::Error)]
pub enum BillingError {
    #[error("nothing is sold here")]
    NothingSold,
    #[error("the account is gone")]
    NoAccount,
    #[error("You already have the premium plan.")]
    AlreadyPremium,
    #[error(
        "Your payment for the premium plan is still being processed. Look again in a few minutes."
    )]
    Pending,
    #[error(transparent)]
    Signature(#[from] BadSignature),
    #[error("The body is not an event of Stripe.")]
    NoEvent,
    #[error("This event is of the other mode, test or live, than the key of this server.")]
    OtherMode,
    #[error(transparent)]
    Provider(#[from] StripeError),
    #[error("other requests kept changing the account while Stripe was asked")]
    Busy,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}
