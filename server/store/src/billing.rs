//! Customers at the payment provider, and their subscriptions.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::json;
use sqlx::FromRow;

use crate::Store;
use chain::clock::{DAY, UnixTime};

/// One row of `billing_accounts`.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct BillingAccount {
    /// Random; the only id of ours that the provider stores.
    pub id: String,
    /// The customer at the provider, once there is one.
    pub customer_id: Option<String>,
    /// The newest checkout.
    pub checkout_id: Option<String>,
    /// Increases with every change.
    pub version: i64,
}

/// A subscription as the provider returned it.
#[derive(Clone, Debug, Serialize)]
pub struct SubscriptionRecord {
    /// `sub_…`.
    pub id: String,
    pub status: String,
    /// The premium plan's price, when it is for that plan.
    pub price_id: Option<String>,
    /// Whether it gives its owner the premium plan.
    pub premium: bool,
    /// Whether the provider may still charge for it.
    pub running: bool,
}

impl Store {
    /// The billing account of this user in this mode; made with the new id if there is none. None when the user is
    /// deleted.
    pub async fn billing_account(
        &self,
        new_id: &str,
        user_id: &str,
        livemode: bool,
        now: UnixTime,
    ) -> sqlx::Result<Option<BillingAccount>> {
        let sql = "insert into billing_accounts
              (id, user_id, livemode, version, next_attempt_at, attempts, created_at)
            select $1, id, $3, 0, 0, 0, $4 from profiles where id = $2
            on conflict (user_id, livemode) do update set user_id = excluded.user_id returning *";
        self.query(sql, &[&new_id, &user_id, &livemode, &now])
            .optional()
            .await
    }

    /// The billing account that has this customer.
    pub async fn billing_account_of_customer(
        &self,
        customer_id: &str,
    ) -> sqlx::Result<Option<BillingAccount>> {
        let sql = "select * from billing_accounts where customer_id = $1";
        self.query(sql, &[&customer_id]).optional().await
    }

    /// Sets the customer of an account that has none, and returns its customer. None when the owner was deleted
    /// meanwhile; the row stays and is closed later.
    pub async fn set_customer(&self, id: &str, customer_id: &str) -> sqlx::Result<Option<String>> {
        let sql =
            "update billing_accounts set customer_id = coalesce(customer_id, $2) where id = $1
            returning user_id, customer_id";
        let account: Option<(Option<String>, String)> =
            self.query(sql, &[&id, &customer_id]).optional().await?;
        Ok(account.and_then(|(owner, customer)| owner.map(|_| customer)))
    }

    /// Replaces the checkout that `account` has. False when another request has replaced it meanwhile.
    pub async fn set_checkout(
        &self,
        account: &BillingAccount,
        checkout_id: &str,
    ) -> sqlx::Result<bool> {
        let before = account.checkout_id.as_deref().unwrap_or_default();
        let sql = "update billing_accounts set checkout_id = $2
            where id = $1 and coalesce(checkout_id, '') in ($2, $3)";
        self.query(sql, &[&account.id, &checkout_id, &before])
            .has_changed()
            .await
    }

    /// Records a customer's subscriptions, all that are not canceled, and gives the owner the tier that follows, in one
    /// transaction. False when the account has changed since it was read, so that the provider's response may be outdated.
    ///
    /// A subscription that runs although the account has been deleted makes the account due for closing again.
    pub async fn apply_subscriptions(
        &self,
        account: &BillingAccount,
        records: &[SubscriptionRecord],
        now: UnixTime,
    ) -> sqlx::Result<bool> {
        let next =
            "update billing_accounts set version = version + 1 where id = $1 and version = $2";
        // The provider lists no canceled subscriptions, so those that are not set afterwards stay canceled.
        let cancel = "update subscriptions
            set status = 'canceled', premium = false, running = false, updated_at = $2
            where account_id = $1 and running";
        let set = "insert into subscriptions
              (id, account_id, status, price_id, premium, running, created_at, updated_at, next_refresh_at)
            select id, $1, status, price_id, premium, running, $2, $2, $3 from $rows where true
            on conflict (id) do update set
              status = excluded.status, price_id = excluded.price_id, premium = excluded.premium,
              running = excluded.running, updated_at = excluded.updated_at,
              next_refresh_at = excluded.next_refresh_at";
        let settle = "update profiles
            set updated_at = $2,
                tier = case when exists (select 1 from subscriptions where account_id = $1 and premium)
                            then 'premium' else 'free' end
            where id = (select user_id from billing_accounts where id = $1)
              and (coalesce(tier, '') = 'premium')
               <> exists (select 1 from subscriptions where account_id = $1 and premium)";
        let close_again =
            "update billing_accounts set closed_at = null, next_attempt_at = $2, attempts = 0
            where id = $1 and user_id is null and closed_at is not null
              and exists (select 1 from subscriptions where account_id = $1 and running)";
        let (id, due) = (&account.id, now + DAY);
        self.write(|mut tx| async move {
            if !tx
                .query(next, &[id, &account.version])
                .has_changed()
                .await?
            {
                return Ok(false);
            }
            tx.query(cancel, &[id, &now]).run().await?;
            let rows = records.iter().map(|it| json!(it));
            let columns = "id text, status text, price_id text, premium boolean, running boolean";
            let set = tx.query(set, &[id, &now, &due]);
            set.rows(columns, rows.collect()).run().await?;
            if tx.query(settle, &[id, &now]).has_changed().await? {
                tx.notify();
            }
            tx.query(close_again, &[id, &now]).run().await?;
            tx.end(true).await
        })
        .await
    }

    /// Ends premium plans that were bought in test mode, when the server sells in live mode.
    pub async fn end_test_premium(&self, now: UnixTime) -> sqlx::Result<()> {
        let end = "update profiles set tier = 'free', updated_at = $1
            where tier = 'premium'
              and id in (select user_id from billing_accounts
                         join subscriptions on account_id = billing_accounts.id
                         where premium and not livemode)
              and id not in (select user_id from billing_accounts
                             join subscriptions on account_id = billing_accounts.id
                             where premium and livemode and user_id is not null)";
        if self.query(end, &[&now]).has_changed().await? {
            self.notify();
        }
        Ok(())
    }

    /// Takes up to twenty accounts of deleted profiles whose customer is still to be closed, and returns their ids and customers.
    /// They are due again a minute later, and after twice the time following each further attempt, at most six hours.
    pub async fn take_closings(
        &self,
        livemode: bool,
        now: UnixTime,
    ) -> sqlx::Result<Vec<(String, String)>> {
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

    /// Deletes records of accounts that were closed before one time, and of accounts of nobody that were made before another and never became
    /// a customer.
    pub async fn forget_billing(
        &self,
        closed_before: UnixTime,
        unused_before: UnixTime,
    ) -> sqlx::Result<()> {
        let sql = "delete from billing_accounts where closed_at < $1";
        self.query(sql, &[&closed_before]).run().await?;
        let sql = "delete from billing_accounts
            where user_id is null and customer_id is null and created_at < $1";
        self.query(sql, &[&unused_before]).run().await
    }
}
