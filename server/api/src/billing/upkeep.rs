//! The work at Stripe that no request waits for: subscriptions of deleted accounts are canceled, running ones are read once a day
//! in case an event was lost, purchases with test keys end when live keys replace them, and old records are deleted.
//!
//! What is due is in the database. A replica takes it by moving its date, which is also when another replica tries if this
//! one fails.

use std::sync::Arc;
use std::time::Duration;

use super::Billing;
use super::error::BillingError;
use super::stripe::{Stripe, StripeError};
use crate::jobs::Next;
use chain::clock::DAY;

/// The pause between two rounds.
const PAUSE: Duration = Duration::from_secs(60);

/// How long billing records of deleted accounts are kept, in seconds: seven years (privacy policy).
const RETENTION: i64 = 7 * 365 * DAY + 2 * DAY;

/// How long the ids of events are kept, in seconds. Stripe sends none again after 30 days.
const EVENTS_KEPT: i64 = 60 * DAY;

impl Billing {
    /// One round of everything that is due. Errors of Stripe are logged, and the work is tried again later.
    pub async fn step(&self) -> sqlx::Result<Next> {
        let now = self.clock.now();
        if let Some(stripe) = &self.stripe {
            for account in self.store.take_closings(stripe.settings.live, now).await? {
                match close(stripe, &account.customer_id).await {
                    Ok(()) => self.store.close_billing_account(&account.id, now).await?,
                    Err(error) => {
                        tracing::warn!(%error, "cannot cancel the subscription of a deleted account yet");
                    }
                }
            }
            for customer_id in self.store.take_refreshes(stripe.settings.live, now).await? {
                match self.refresh(&customer_id).await {
                    Ok(_) => {}
                    Err(BillingError::Database(error)) => return Err(error),
                    Err(error) => {
                        // The others would fail in the same way.
                        tracing::warn!(%error, "cannot read a running subscription");
                        break;
                    }
                }
            }
            if stripe.settings.live {
                self.store.end_test_premium(now).await?;
            }
        }
        let (closed_before, received_before) = (now - RETENTION, now - EVENTS_KEPT);
        self.store
            .forget_billing(closed_before, received_before)
            .await?;
        Ok(Next::After(PAUSE))
    }

    /// Begins a round in the background, because an account was deleted. A later round does what fails.
    pub fn start_round(self: &Arc<Self>) {
        if self.stripe.is_none() {
            return;
        }
        let billing = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(error) = billing.step().await {
                tracing::error!(%error, "billing maintenance failed; it will be retried");
            }
        });
    }
}

/// Closes a customer's payment pages, cancels the subscriptions, and deletes the customer with all personal data. Stripe keeps the
/// invoices.
async fn close(stripe: &Stripe, customer_id: &str) -> Result<(), StripeError> {
    // First the pages, so that no subscription begins after the list of subscriptions.
    for page in stripe.open_checkouts(customer_id).await? {
        stripe.expire_checkout(&page.id).await?;
    }
    let subscriptions = stripe.subscriptions(customer_id).await?;
    for subscription in subscriptions.iter().filter(|it| it.is_running()) {
        stripe.delete(&["subscriptions", &subscription.id]).await?;
    }
    stripe.delete(&["customers", customer_id]).await
}
