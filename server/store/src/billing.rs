//! Customers at the payment provider, and their subscriptions.

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
    /// Increases with every change.
    pub version: i64,
}

/// A customer whose turn it is.
#[derive(Debug, FromRow)]
pub struct DueCustomer {
    /// The billing account.
    pub id: String,
    pub customer_id: String,
    /// False when the user was deleted.
    pub owned: bool,
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
    /// The billing account of this user; made with the new id if there is none. None when the user is deleted.
    pub async fn billing_account(
        &self,
        new_id: &str,
        user_id: &str,
        now: UnixTime,
    ) -> sqlx::Result<Option<BillingAccount>> {
        let sql = "insert into billing_accounts (id, user_id, version, due_at, created_at)
            select $1, id, 0, $3, $3 from profiles where id = $2
            on conflict (user_id) do update set user_id = excluded.user_id returning *";
        self.query(sql, &[&new_id, &user_id, &now]).optional().await
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
        let next = "update billing_accounts set version = version + 1, due_at = $3 where id = $1 and version = $2";
        // The provider lists no canceled subscriptions, so those that are not set afterwards stay canceled.
        let cancel = "update subscriptions
            set status = 'canceled', premium = false, running = false, updated_at = $2
            where account_id = $1 and running";
        let set = "insert into subscriptions
              (id, account_id, status, price_id, premium, running, created_at, updated_at)
            select id, $1, status, price_id, premium, running, $2, $2 from $rows where true
            on conflict (id) do update set
              status = excluded.status, price_id = excluded.price_id, premium = excluded.premium,
              running = excluded.running, updated_at = excluded.updated_at";
        let settle = "update profiles
            set updated_at = $2,
                tier = case when exists (select 1 from subscriptions where account_id = $1 and premium)
                            then 'premium' else 'free' end
            where id = (select user_id from billing_accounts where id = $1)
              and (coalesce(tier, '') = 'premium')
               <> exists (select 1 from subscriptions where account_id = $1 and premium)";
        let close_again = "update billing_accounts set closed_at = null, due_at = $2
            where id = $1 and user_id is null and closed_at is not null
              and exists (select 1 from subscriptions where account_id = $1 and running)";
        let (id, due) = (&account.id, now + DAY);
        self.write(|mut tx| async move {
            if !tx
                .query(next, &[id, &account.version, &due])
                .has_changed()
                .await?
            {
                return Ok(false);
            }
            tx.query(cancel, &[id, &now]).run().await?;
            let rows = records.iter().map(|it| json!(it));
            let columns = "id text, status text, price_id text, premium boolean, running boolean";
            let set = tx.query(set, &[id, &now]);
            set.rows(columns, rows.collect()).run().await?;
            if tx.query(settle, &[id, &now]).has_changed().await? {
                tx.notify();
            }
            tx.query(close_again, &[id, &now]).run().await?;
            tx.end(true).await
        })
        .await
    }

    /// Takes up to twenty customers whose subscriptions were not read for a day, or whose user was deleted. Their turn comes again ten
    /// minutes later, unless that was done meanwhile.
    pub async fn take_due_customers(&self, now: UnixTime) -> sqlx::Result<Vec<DueCustomer>> {
        let sql = "update billing_accounts set due_at = $1 + 600
            where due_at <= $1
              and id in (select id from billing_accounts
                         where due_at <= $1 and closed_at is null and customer_id is not null
                         order by due_at limit 20)
            returning id, customer_id, user_id is not null as owned";
        self.query(sql, &[&now]).all().await
    }

    /// Closes an account after everything was canceled at the provider. It stays as a record without a name.
    pub async fn close_billing_account(&self, id: &str, now: UnixTime) -> sqlx::Result<()> {
        let sql = "update billing_accounts
            set user_id = null, closed_at = coalesce(closed_at, $2), version = version + 1
            where id = $1";
        self.query(sql, &[&id, &now]).run().await
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
