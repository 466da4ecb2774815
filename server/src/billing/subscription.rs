//! Which tier somebody has: what the provider says about their subscriptions right now.

use super::Billing;
use super::stripe::{Customer, StripeError, Subscription};
use crate::error::Error;
use crate::state::AppState;
use crate::store::billing::{Applied, BillingAccount, SubscriptionRecord};

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
        state: &AppState,
        subscription_id: &str,
        customer_id: &str,
    ) -> Result<(), Error> {
        let mut customer_id = customer_id.to_owned();
        for _ in 0..TRIES {
            let account = state
                .store
                .billing_account_of_customer(&customer_id)
                .await?;
            let fetched = self.fetch(subscription_id).await?;
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
            let record = self.record(subscription_id, fetched.as_ref());
            let now = state.clock.now();
            match state
                .store
                .apply_subscription(&account, &record, now)
                .await?
            {
                Applied::Outdated => {}
                Applied::Done { tier_changed } => {
                    if tier_changed {
                        state.live.changed();
                    }
                    return Ok(());
                }
            }
        }
        Err(StripeError::Busy.into())
    }

    /// Asks the provider about a customer who is said to be deleted: nothing of theirs is charged for any more, and
    /// the next purchase begins with a new one.
    ///
    /// # Errors
    /// When the provider or the database fails.
    pub async fn refresh_customer(&self, state: &AppState, customer_id: &str) -> Result<(), Error> {
        let Some(account) = state.store.billing_account_of_customer(customer_id).await? else {
            return Ok(());
        };
        let deleted = match self
            .stripe
            .get::<Customer>(&["customers", customer_id])
            .await
        {
            Ok(customer) => customer.deleted,
            Err(StripeError::Missing) => true,
            Err(error) => return Err(error.into()),
        };
        if deleted {
            self.forget_customer(state, &account).await?;
        }
        Ok(())
    }

    async fn forget_customer(
        &self,
        state: &AppState,
        account: &BillingAccount,
    ) -> Result<(), Error> {
        let customer_id = account.customer_id.as_deref().unwrap_or_default();
        for id in state.store.subscriptions_of(&account.id).await? {
            self.refresh(state, &id, customer_id).await?;
        }
        let now = state.clock.now();
        state.store.close_billing_account(&account.id, now).await?;
        Ok(())
    }

    async fn fetch(&self, id: &str) -> Result<Option<Subscription>, StripeError> {
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
