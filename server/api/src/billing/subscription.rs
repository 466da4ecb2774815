//! The plan that follows from a customer's subscriptions, and the work at Stripe that no request waits for: customers of
//! deleted accounts are deleted, the others' subscriptions are read once a day in case an event was lost, and old records are deleted.
//!
//! What is due is in the database. A replica takes it by moving its date, which is also when another replica tries if this
//! one fails.

use std::time::Duration;

use serde_json::Value;

use super::stripe::{Stripe, StripeError, Subscription};
use super::{Billing, BillingError, TRIES};
use crate::jobs::Next;
use chain::clock::DAY;
use store::billing::{DueCustomer, SubscriptionRecord};

/// The pause between two rounds.
const PAUSE: Duration = Duration::from_secs(60);

/// How long billing records of deleted accounts are kept, in seconds: seven years (privacy policy).
const RETENTION: i64 = 7 * 365 * DAY + 2 * DAY;

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
        let deleted = match self.stripe()?.get::<Value>(&path, &[]).await {
            Ok(customer) => customer["deleted"] == true,
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

    /// One round of everything that is due. Errors of Stripe are logged, and that customer's turn comes again later.
    pub async fn step(&self) -> sqlx::Result<Next> {
        let now = self.clock.now();
        if let Some(stripe) = &self.stripe {
            for due in self.store.take_due_customers(now).await? {
                let done = match due.owned {
                    true => self.refresh(&due.customer_id).await.map(drop),
                    false => self.close(stripe, &due).await,
                };
                match done {
                    Ok(()) => {}
                    Err(BillingError::Database(error)) => return Err(error),
                    Err(error) => {
                        tracing::warn!(%error, customer_id = due.customer_id, "Stripe cannot be asked about a customer yet");
                    }
                }
            }
        }
        // An account without a customer may have a purchase under way for a moment.
        self.store
            .forget_billing(now - RETENTION, now - DAY)
            .await?;
        Ok(Next::After(PAUSE))
    }

    /// Closes the payment pages of a deleted account, cancels its subscriptions, and deletes the customer with all personal data. Stripe
    /// keeps the invoices.
    async fn close(&self, stripe: &Stripe, due: &DueCustomer) -> Result<(), BillingError> {
        // First the pages, so that no subscription begins after the list of subscriptions.
        for page in stripe.open_checkouts(&due.customer_id).await? {
            stripe.expire_checkout(&page.id).await?;
        }
        for running in stripe.subscriptions(&due.customer_id).await? {
            if running.is_running() {
                stripe.delete(&["subscriptions", &running.id]).await?;
            }
        }
        stripe.delete(&["customers", &due.customer_id]).await?;
        let now = self.clock.now();
        Ok(self.store.close_billing_account(&due.id, now).await?)
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
