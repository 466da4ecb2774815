//! What has to happen at the payment provider sooner or later: the subscriptions of deleted accounts are
//! cancelled, those that run are asked about once a day in case an event was lost, and old records go.
//!
//! Everything due is in the database. Whoever moves its date takes it, so replicas share the work, and
//! the new date is when somebody else tries if this one fails or dies.

use std::time::Duration;

use super::Billing;
use super::stripe::StripeError;
use crate::clock::{DAY, UnixTime};
use crate::error::Error;
use crate::jobs::Next;
use crate::state::AppState;
use crate::store::billing::Due;

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
pub const RETENTION: i64 = 7 * 365 * DAY + 2 * DAY;

/// How long events are remembered, in seconds. The provider sends none again after 30 days.
const EVENTS_KEPT: i64 = 60 * DAY;

/// One round of everything that is due. Failures of the provider are logged and tried again later.
///
/// # Errors
/// When the database fails.
pub async fn step(state: &AppState) -> Result<Next, sqlx::Error> {
    let now = state.clock.now();
    if let Some(billing) = &state.billing {
        billing.close_accounts(state, now).await?;
        billing.refresh_running(state, now).await?;
    }
    state
        .store
        .forget_billing(now - RETENTION, now - EVENTS_KEPT)
        .await?;
    Ok(Next::After(PAUSE))
}

/// Begins a round now, because something has become due, and does not wait for it: what fails is done by a later one.
pub fn soon(state: &AppState) {
    if state.billing.is_none() {
        return;
    }
    let state = state.clone();
    tokio::spawn(async move {
        if let Err(error) = step(&state).await {
            tracing::error!(%error, "the upkeep of billing failed");
        }
    });
}

impl Billing {
    async fn close_accounts(&self, state: &AppState, now: UnixTime) -> Result<(), sqlx::Error> {
        for due in state.store.accounts_to_close(self.live, now, BATCH).await? {
            let wait = wait_after(due.attempts);
            if !state.store.take_closing(&due, now + wait).await? {
                continue;
            }
            match self.close(&due).await {
                Ok(()) => state.store.close_billing_account(&due.id, now).await?,
                Err(error) => {
                    tracing::warn!(%error, wait, "a deleted account's subscription is not cancelled yet");
                }
            }
        }
        Ok(())
    }

    /// Cancels what runs, then deletes the customer with everything personal. The provider keeps the invoices.
    async fn close(&self, account: &Due) -> Result<(), StripeError> {
        match self.stripe.running_subscriptions(&account.remote_id).await {
            Ok(running) => {
                for subscription in running {
                    self.stripe
                        .delete(&["subscriptions", &subscription.id])
                        .await?;
                }
            }
            Err(StripeError::Missing) => {}
            Err(error) => return Err(error),
        }
        self.stripe.delete(&["customers", &account.remote_id]).await
    }

    async fn refresh_running(&self, state: &AppState, now: UnixTime) -> Result<(), sqlx::Error> {
        let due = state
            .store
            .subscriptions_to_refresh(self.live, now, BATCH)
            .await?;
        for due in due {
            if !state.store.take_refresh(&due, now + REFRESH_AGAIN).await? {
                continue;
            }
            match self.refresh(state, &due.id, &due.remote_id).await {
                Ok(()) => {}
                Err(Error::Database(error)) => return Err(error),
                // It has been logged, and its next date is set. The others would fail in the same way.
                Err(_) => break,
            }
        }
        Ok(())
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
