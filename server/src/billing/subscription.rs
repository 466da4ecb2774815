//! Which tier somebody has: what the provider says about their subscriptions right now.

use super::error::BillingError;
use super::stripe::{Customer, StripeError, Subscription};
use super::{Billing, Seller};
use crate::store::billing::SubscriptionRecord;

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
    /// When the provider or the database fails; another attempt does what is missing.
    pub async fn refresh(
        &self,
        subscription_id: &str,
        customer_id: &str,
    ) -> Result<(), BillingError> {
        if let Some(customer_id) = self.refresh_one(subscription_id, customer_id).await? {
            self.keep_one(&customer_id).await?;
        }
        Ok(())
    }

    /// Cancels all but one of a customer's running subscriptions: the oldest that is paid for stays, else the oldest.
    async fn keep_one(&self, customer_id: &str) -> Result<(), BillingError> {
        let seller = self.seller()?;
        let mut running = seller.running(customer_id).await?;
        if running.len() < 2 {
            return Ok(());
        }
        running.sort_by_cached_key(|it| (!Worth::of(&it.status).paid, it.created, it.id.clone()));
        for second in &running[1..] {
            seller.stripe.delete(&["subscriptions", &second.id]).await?;
            tracing::warn!(
                subscription_id = second.id,
                "cancelled a second subscription of the same customer; refund its payment at the payment provider"
            );
        }
        for subscription in &running {
            self.refresh_one(&subscription.id, customer_id).await?;
        }
        Ok(())
    }

    /// The customer whose running subscription this is; none when it has ended or is of nobody here.
    async fn refresh_one(
        &self,
        subscription_id: &str,
        customer_id: &str,
    ) -> Result<Option<String>, BillingError> {
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
                return Ok(None);
            };
            let record = seller.record(subscription_id, fetched.as_ref());
            let now = self.clock.now();
            let applied = self.store.apply_subscription(&account, &record, now);
            if applied.await? {
                return Ok(record.running.then_some(customer_id));
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

    /// A customer's subscriptions of the premium plan that the provider may still charge for, `incomplete` ones among them.
    pub(super) async fn running(
        &self,
        customer_id: &str,
    ) -> Result<Vec<Subscription>, StripeError> {
        let mut running = self.stripe.running_subscriptions(customer_id).await?;
        running.retain(|it| {
            let fits = it.livemode == self.live && self.price(it).is_some();
            fits && Worth::of(&it.status).running
        });
        Ok(running)
    }

    /// The one of our prices that a subscription is for.
    fn price<'s>(&self, subscription: &'s Subscription) -> Option<&'s String> {
        let mut prices = subscription.items.data.iter().map(|item| &item.price.id);
        prices.find(|price| self.price_ids.contains(price))
    }

    fn record(&self, id: &str, fetched: Option<&Subscription>) -> SubscriptionRecord {
        let status = fetched.map_or("missing", |subscription| &subscription.status);
        let worth = Worth::of(status);
        let ours = fetched.and_then(|subscription| self.price(subscription));
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
