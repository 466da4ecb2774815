//! What has to happen at the payment provider sooner or later: the subscriptions of deleted accounts are
//! cancelled, those that run are asked about once a day in case an event was lost, what was bought with test keys ends when
//! real ones take their place, and old records go.
//!
//! Everything due is in the database. Whoever moves its date takes it, so replicas share the work, and
//! the new date is when somebody else tries if this one fails or dies.

use std::sync::Arc;
use std::time::Duration;

use super::error::BillingError;
use super::stripe::StripeError;
use super::{Billing, Seller};
use crate::jobs::next::Next;
use chain::clock::{DAY, UnixTime};
use store::billing::Due;

/// The pause between two rounds.
const PAUSE: Duration = Duration::from_secs(60);

/// How many of each are dealt with in one round.
const BATCH: i64 = 20;

/// The wait after a first failure to close an account, in seconds. It doubles each time.
const FIRST_WAIT: i64 = 60;

/// The longest wait, in seconds.
const LONGEST_WAIT: i64 = 6 * 60 * 60;

/// How long a subscription that could not be asked about waits, in seconds.
const REFRESH_AGAIN: i64 = 60 * 60;

/// How long billing records of deleted accounts are kept: seven years, in seconds (privacy policy).
const RETENTION: i64 = 7 * 365 * DAY + 2 * DAY;

/// How long events are remembered, in seconds. The provider sends none again after 30 days.
const EVENTS_KEPT: i64 = 60 * DAY;

impl Billing {
    /// One round of everything that is due. Failures of the provider are logged and tried again later.
    pub async fn step(&self) -> Result<Next, sqlx::Error> {
        let now = self.clock.now();
        if let Some(seller) = &self.seller {
            self.close_accounts(seller, now).await?;
            self.refresh_running(seller, now).await?;
            if seller.live {
                self.store.end_test_premium(now).await?;
            }
        }
        let (closed_before, received_before) = (now - RETENTION, now - EVENTS_KEPT);
        self.store
            .forget_billing(closed_before, received_before)
            .await?;
        Ok(Next::After(PAUSE))
    }

    /// Begins a round now, because something has become due, and does not wait for it: what fails is done by a later one.
    pub fn soon(self: &Arc<Self>) {
        if self.seller.is_none() {
            return;
        }
        let billing = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(error) = billing.step().await {
                tracing::error!(%error, "the upkeep of billing failed");
            }
        });
    }

    async fn close_accounts(&self, seller: &Seller, now: UnixTime) -> Result<(), sqlx::Error> {
        for due in self
            .store
            .accounts_to_close(seller.live, now, BATCH)
            .await?
        {
            let wait = wait_after(due.attempts);
            if !self.store.take_closing(&due, now + wait).await? {
                continue;
            }
            match seller.close(&due).await {
                Ok(()) => self.store.close_billing_account(&due.id, now).await?,
                Err(error) => {
                    tracing::warn!(%error, wait, "a deleted account's subscription is not cancelled yet");
                }
            }
        }
        Ok(())
    }

    async fn refresh_running(&self, seller: &Seller, now: UnixTime) -> Result<(), sqlx::Error> {
        let due = self.store.subscriptions_to_refresh(seller.live, now, BATCH);
        for due in due.await? {
            if !self.store.take_refresh(&due, now + REFRESH_AGAIN).await? {
                continue;
            }
            match self.refresh(&due.id, &due.remote_id).await {
                Ok(()) => {}
                Err(BillingError::Database(error)) => return Err(error),
                Err(error) => {
                    // Its next date is set. The others would fail in the same way.
                    tracing::warn!(%error, "a running subscription cannot be asked about");
                    break;
                }
            }
        }
        Ok(())
    }
}

impl Seller {
    /// Closes the payment page, cancels what runs, then deletes the customer with everything personal. The provider keeps the invoices.
    async fn close(&self, account: &Due) -> Result<(), StripeError> {
        let (stripe, customer) = (&self.stripe, &account.remote_id);
        // First, so that nothing begins to run after the list of what runs.
        for page in stripe.open_checkouts(customer).await? {
            stripe.expire_checkout(&page.id).await?;
        }
        for subscription in stripe.running_subscriptions(customer).await? {
            stripe.delete(&["subscriptions", &subscription.id]).await?;
        }
        stripe.delete(&["customers", customer]).await
    }
}

/// How long to wait after so many failures.
fn wait_after(failures: i64) -> i64 {
    let doublings = u32::try_from(failures.clamp(0, 16)).unwrap_or(0);
    (FIRST_WAIT << doublings).min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::wait_after;

    #[test]
    fn the_wait_doubles_up_to_six_hours() {
        assert_eq!([0, 1, 2].map(wait_after), [60, 120, 240]);
        assert_eq!([9, 60, i64::MAX].map(wait_after), [21_600; 3]);
    }
}
