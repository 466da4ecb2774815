//! Billing accounts and subscriptions that are due. A replica takes them by moving their date.

use std::collections::BTreeSet;

use sqlx::FromRow;

use crate::Store;
use chain::clock::UnixTime;

/// The billing account of a deleted profile.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct AccountToClose {
    pub id: String,
    /// The customer at the provider.
    pub customer_id: String,
}

impl Store {
    /// Takes up to twenty accounts of deleted profiles whose customer is still to be closed. They are due again a minute later, and
    /// after twice the time following each further attempt, at most six hours.
    pub async fn take_closings(
        &self,
        livemode: bool,
        now: UnixTime,
    ) -> sqlx::Result<Vec<AccountToClose>> {
        let sql = "update billing_accounts
            set attempts = attempts + 1,
                next_attempt_at = $2 + case when attempts < 9 then 60 << cast(attempts as integer) else 21600 end
            where next_attempt_at <= $2
              and id in (select id from billing_accounts
                         where user_id is null and closed_at is null and customer_id is not null
                           and livemode = $1 and next_attempt_at <= $2
                         order by next_attempt_at limit 20)
            returning id, customer_id";
        self.query(sql, &[&livemode, &now]).all().await
    }

    /// Closes an account after everything was canceled at the provider. It stays as a record without a name.
    pub async fn close_billing_account(&self, id: &str, now: UnixTime) -> sqlx::Result<()> {
        let sql = "update billing_accounts
            set user_id = null, closed_at = coalesce(closed_at, $2), version = version + 1
            where id = $1";
        self.query(sql, &[&id, &now]).run().await
    }

    /// Takes up to twenty running subscriptions that were not read for a day, and returns their customers. They are due again in an
    /// hour, unless they are read meanwhile.
    pub async fn take_refreshes(
        &self,
        livemode: bool,
        now: UnixTime,
    ) -> sqlx::Result<BTreeSet<String>> {
        let sql = "update subscriptions set next_refresh_at = $2 + 3600
            where next_refresh_at <= $2
              and id in (select subscriptions.id
                         from subscriptions join billing_accounts on billing_accounts.id = account_id
                         where running and next_refresh_at <= $2 and livemode = $1 and customer_id is not null
                         order by next_refresh_at limit 20)
            returning (select customer_id from billing_accounts where billing_accounts.id = account_id)";
        let customers: Vec<String> = self.query(sql, &[&livemode, &now]).column().await?;
        Ok(customers.into_iter().collect())
    }

    /// Deletes records of accounts that were closed before one time, and events received before another. An
    /// account that never became a customer leaves no record.
    pub async fn forget_billing(
        &self,
        closed_before: UnixTime,
        received_before: UnixTime,
    ) -> sqlx::Result<()> {
        let sql = "delete from billing_accounts where closed_at < $1";
        self.query(sql, &[&closed_before]).run().await?;
        let sql = "delete from billing_accounts
            where user_id is null and customer_id is null and created_at < $1";
        self.query(sql, &[&received_before]).run().await?;
        let sql = "delete from billing_events where received_at < $1";
        self.query(sql, &[&received_before]).run().await
    }
}
