//! Which tier somebody has: what the provider says about their subscriptions right now.

use super::error::BillingError;
use super::stripe::{Customer, StripeError, Subscription};
use super::{Billing, Seller};
use store::billing::SubscriptionRecord;

/// How often the provider is asked again when somebody else changed the account meanwhile.
const TRIES: usize = 5;

/// What a subscription is worth.
struct Worth {
    /// It is paid for. While a payment is late (`past_due`) the provider tries again for as long as it is set up to, and
    /// then cancels or marks it `unpaid`: until then its owner keeps what they had.
    paid: bool,
    /// The provider may still charge for it one day.
    running: bool,
}

impl Worth {
    fn of(status: &str) -> Self {
        Self {
            paid: matches!(status, "active" | "trialing" | "past_due"),
            running: !matches!(status, "canceled" | "incomplete_expired" | "missing"),
        }
    }
}

impl Billing {
    /// Asks the provider about a subscription and lets the answer decide its owner's tier. The customer is a
    /// hint: whose subscription it is, the provider says.
    ///
    /// Two that ask at the same moment cannot overwrite newer news with older: an answer counts only if the
    /// account has not changed since before it was asked for.
    ///
    /// # Errors
    /// When the provider or the database fails; nothing has changed then.
    pub async fn refresh(
        &self,
        subscription_id: &str,
        customer_id: &str,
    ) -> Result<(), BillingError> {
        let seller = self.seller()?;
        let mut customer_id = customer_id.to_owned();
        for _ in 0..TRIES {
            let account = self.store.billing_account_of_customer(&customer_id).await?;
            let fetched = seller.subscription(subscription_id).await?;
            if let Some(subscription) = &fetched
                && subscription.customer != customer_id
            {
                customer_id.clone_from(&subscription.customer);
                continue;
            }
            let Some(account) = account else {
                tracing::info!(subscription_id, "a subscription of nobody here");
                return Ok(());
            };
            let record = seller.record(subscription_id, fetched.as_ref());
            let now = self.clock.now();
            let applied = self.store.apply_subscription(&account, &record, now);
            if applied.await? {
                return Ok(());
            }
        }
        Err(BillingError::Busy)
    }

    /// Asks the provider about a customer who is said to be deleted: nothing of theirs is charged for any more, and
    /// the next purchase begins with a new one.
    pub(super) async fn refresh_customer(&self, customer_id: &str) -> Result<(), BillingError> {
        let Some(account) = self.store.billing_account_of_customer(customer_id).await? else {
            return Ok(());
        };
        let path = ["customers", customer_id];
        let deleted = match self.seller()?.stripe.get::<Customer>(&path).await {
            Ok(customer) => customer.deleted,
            Err(StripeError::Missing) => true,
            Err(error) => return Err(error.into()),
        };
        if deleted {
            for id in self.store.subscriptions_of(&account.id).await? {
                self.refresh(&id, customer_id).await?;
            }
            let now = self.clock.now();
            self.store.close_billing_account(&account.id, now).await?;
        }
        Ok(())
    }
}

impl Seller {
    async fn subscription(&self, id: &str) -> Result<Option<Subscription>, StripeError> {
        match self.stripe.get(&["subscriptions", id]).await {
            Ok(subscription) => Ok(Some(subscription)),
            // A key of the other mode, or an account that was replaced.
            Err(StripeError::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn record(&self, id: &str, fetched: Option<&Subscription>) -> SubscriptionRecord {
        let status = fetched.map_or("missing", |subscription| &subscription.status);
        let worth = Worth::of(status);
        let ours = fetched.and_then(|subscription| {
            let mut prices = subscription.items.data.iter().map(|item| &item.price.id);
            prices.find(|price| self.price_ids.contains(price))
        });
        let mode_fits = fetched.is_some_and(|subscription| subscription.livemode == self.live);
        SubscriptionRecord {
            id: id.to_owned(),
            status: status.to_owned(),
            price_id: ours.cloned(),
            premium: worth.paid && mode_fits && ours.is_some(),
            running: worth.running,
        }
    }
}
