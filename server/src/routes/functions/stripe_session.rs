//! Starting a purchase.

use crate::auth::session::User;
use crate::error::{Error, Problem};

/// A checkout session with the payment provider. No provider is configured, so there is none to
/// begin; premium is 'Coming Soon' on the plan page.
///
/// # Errors
/// 401 when nobody is signed in, 503 without a payment provider.
#[utoipa::path(post, path = "/create-stripe-session", tag = "functions",
    responses(
        (status = 401, description = "Not signed in", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "No payment provider", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn create(_user: User) -> Error {
    Error::Unavailable {
        code: "payment-unavailable",
        message: "Stripe session error".to_owned(),
    }
}
