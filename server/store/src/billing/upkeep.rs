//! Billing accounts and subscriptions that are due, and who takes them.

use sqlx::FromRow;

use crate::Store;
use chain::clock::UnixTime;

/// Something that is due at the provider.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Due {
    pub id: String,
    /// The customer at the provider.
    pub remote_id: String,
    /// The moment since which it is due, unix seconds.
    pub due_at: UnixTime,
    /// The number of times that it has failed.
    pub attempts: i64,
}

impl Store {
    /// Accounts of deleted profiles whose customer is still to be closed, the longest due first.
    pub async fn accounts_to_close(
        &self,
        livemode: bool,
        now: UnixTime,
        limit: i64,
    ) -> Result<Vec<Due>, sqlx::Error> {
        let due = "select id, customer_id as remote_id, next_attempt_at as due_at, attempts from billing_accounts
             where user_id is null and closed_at is null and customer_id is not null
               and livemode = $1 and next_attempt_at <= $2
             order by next_attempt_at limit $3";
        self.due(due, livemode, now, limit).await
    }

    /// Takes an account for closing, until `until`. False when somebody else has it.
    pub async fn take_closing(&self, due: &Due, until: UnixTime) -> Result<bool, sqlx::Error> {
        let take = "update billing_accounts set next_attempt_at = $3, attempts = attempts + 1
             where id = $1 and next_attempt_at = $2 and user_id is null and closed_at is null";
        self.take(take, due, until).await
    }

    /// Closes an account of which everything is cancelled at the provider. It stays as a record that names nobody.
    pub async fn close_billing_account(&self, id: &str, now: UnixTime) -> Result<(), sqlx::Error> {
        self.query(
            "update billing_accounts
             set user_id = null, closed_at = coalesce(closed_at, $2), version = version + 1
             where id = $1",
            &[&id, &now],
        )
        .run()
        .await
    }

    /// Running subscriptions that have not been asked about for a day.
    pub async fn subscriptions_to_refresh(
        &self,
        livemode: bool,
        now: UnixTime,
        limit: i64,
    ) -> Result<Vec<Due>, sqlx::Error> {
        let due = "select subscriptions.id, customer_id as remote_id, next_refresh_at as due_at,
                    cast(0 as bigint) as attempts
             from subscriptions join billing_accounts on billing_accounts.id = account_id
             where running and next_refresh_at <= $2 and livemode = $1 and customer_id is not null
             order by next_refresh_at limit $3";
        self.due(due, livemode, now, limit).await
    }

    /// Takes a subscription for asking about it, until `until`. False when somebody else has it.
    pub async fn take_refresh(&self, due: &Due, until: UnixTime) -> Result<bool, sqlx::Error> {
        let take = "update subscriptions set next_refresh_at = $3
             where id = $1 and next_refresh_at = $2";
        self.take(take, due, until).await
    }

    /// What a query finds due.
    async fn due(
        &self,
        query: &'static str,
        livemode: bool,
        now: UnixTime,
        limit: i64,
    ) -> Result<Vec<Due>, sqlx::Error> {
        self.query(query, &[&livemode, &now, &limit]).all().await
    }

    /// Moves what is due to another time. False when somebody else has moved it since it was found.
    async fn take(
        &self,
        update: &'static str,
        due: &Due,
        until: UnixTime,
    ) -> Result<bool, sqlx::Error> {
        let taken = self
            .query(update, &[&due.id, &due.due_at, &until])
            .execute()
            .await?;
        Ok(taken == 1)
    }

    /// Deletes records of accounts that were closed before one time, and events received before another. An
    /// account that never became a customer leaves no record.
    pub async fn forget_billing(
        &self,
        closed_before: UnixTime,
        received_before: UnixTime,
    ) -> Result<(), sqlx::Error> {
        self.query(
            "delete from billing_accounts where closed_at < $1",
            &[&closed_before],
        )
        .execute()
        .await?;
        self.query(
            "delete from billing_accounts
             where user_id is null and customer_id is null and created_at < $1",
            &[&received_before],
        )
        .execute()
        .await?;
        self.query(
            "delete from billing_events where received_at < $1",
            &[&received_before],
        )
        .run()
        .await
    }
}
