//! The plan that follows from a customer's subscriptions.

use super::error::BillingError;
use super::stripe::{Customer, Stripe, StripeError, Subscription};
use super::{Billing, TRIES};
use store::billing::SubscriptionRecord;

impl Subscription {
    /// Whether it is paid for. While a payment is late (`past_due`) Stripe tries again for as long as it is set up to, and then
    /// cancels the subscription or marks it `unpaid`.
    fn is_paid(&self) -> bool {
        matches!(self.status.as_str(), "active" | "trialing" | "past_due")
    }

    /// Whether Stripe may still charge for it. `incomplete` is one of these: the first payment is under way.
    pub(super) fn is_running(&self) -> bool {
        !matches!(self.status.as_str(), "canceled" | "incomplete_expired")
    }
}

impl Billing {
    /// Reads a customer's subscriptions from Stripe, records them, and gives the owner the plan that follows. Of several running
    /// subscriptions to the premium plan the oldest that is paid for stays, else the oldest; the others are canceled.
    /// Returns the one that runs, if any.
    ///
    /// Two refreshes at the same moment cannot overwrite newer data with older: a response counts only if the account has not
    /// changed since before the request.
    ///
    /// # Errors
    /// When Stripe or the database fails. Another refresh completes what is missing.
    pub async fn refresh(&self, customer_id: &str) -> Result<Option<Subscription>, BillingError> {
        let stripe = self.stripe()?;
        for _ in 0..TRIES {
            let account = self.store.billing_account_of_customer(customer_id).await?;
            let Some(account) = account else {
                tracing::info!(customer_id, "ignoring a customer who has no account here");
                return Ok(None);
            };
            let subscriptions = stripe.subscriptions(customer_id).await?;
            let records: Vec<_> = subscriptions.iter().map(|it| stripe.record(it)).collect();
            let now = self.clock.now();
            let applied = self.store.apply_subscriptions(&account, &records, now);
            if !applied.await? {
                continue;
            }
            let mut running = subscriptions;
            running.retain(|it| it.is_running() && stripe.premium_price(it).is_some());
            running.sort_by_cached_key(|it| (!it.is_paid(), it.created, it.id.clone()));
            if running.len() < 2 {
                return Ok(running.pop());
            }
            for extra in &running[1..] {
                stripe.delete(&["subscriptions", &extra.id]).await?;
                tracing::warn!(
                    subscription_id = extra.id,
                    "canceled a second subscription of the same customer; refund its payment at Stripe"
                );
            }
        }
        Err(BillingError::Busy)
    }

    /// Asks Stripe whether a customer was deleted. If so, the account is closed, and the next purchase begins with a new customer.
    pub(super) async fn close_if_deleted(&self, customer_id: &str) -> Result<(), BillingError> {
        let path = ["customers", customer_id];
        let deleted = match self.stripe()?.get::<Customer>(&path, &[]).await {
            Ok(customer) => customer.deleted,
            Err(StripeError::Missing) => true,
            Err(error) => return Err(error.into()),
        };
        if deleted
            && let Some(account) = self.store.billing_account_of_customer(customer_id).await?
        {
            self.refresh(customer_id).await?;
            let now = self.clock.now();
            self.store.close_billing_account(&account.id, now).await?;
        }
        Ok(())
    }
}

impl Stripe {
    fn record(&self, subscription: &Subscription) -> SubscriptionRecord {
        let price = self.premium_price(subscription);
        SubscriptionRecord {
            id: subscription.id.clone(),
            status: subscription.status.clone(),
            price_id: price.map(str::to_owned),
            premium: subscription.is_paid() && price.is_some(),
            running: subscription.is_running(),
        }
    }
}
