//! Customers at the payment provider, their subscriptions, and the events that have been handled.

use sqlx::FromRow;

use super::Store;
use super::tx::Tx;
use chain::clock::{DAY, UnixTime};

pub mod upkeep;

pub use upkeep::AccountToClose;

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
#[derive(Clone, Debug)]
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
        self.query(
            "insert into billing_accounts
               (id, user_id, livemode, version, next_attempt_at, attempts, created_at)
             select $1, id, $3, 0, 0, 0, $4 from profiles where id = $2
             on conflict (user_id, livemode) do nothing",
            &[&new_id, &user_id, &livemode, &now],
        )
        .run()
        .await?;
        self.query(
            "select * from billing_accounts where user_id = $1 and livemode = $2",
            &[&user_id, &livemode],
        )
        .optional()
        .await
    }

    /// The billing account that has this customer.
    pub async fn billing_account_of_customer(
        &self,
        customer_id: &str,
    ) -> sqlx::Result<Option<BillingAccount>> {
        self.query(
            "select * from billing_accounts where customer_id = $1",
            &[&customer_id],
        )
        .optional()
        .await
    }

    /// Sets the customer of an account that has none, and returns its customer. None when the owner was deleted
    /// meanwhile; the row stays and is closed later.
    pub async fn set_customer(&self, id: &str, customer_id: &str) -> sqlx::Result<Option<String>> {
        let account: Option<(Option<String>, String)> = self
            .query(
                "update billing_accounts set customer_id = coalesce(customer_id, $2) where id = $1
                 returning user_id, customer_id",
                &[&id, &customer_id],
            )
            .optional()
            .await?;
        Ok(account.and_then(|(owner, customer)| owner.map(|_| customer)))
    }

    /// Replaces the checkout that `account` has. False when another request has replaced it meanwhile.
    pub async fn set_checkout(
        &self,
        account: &BillingAccount,
        checkout_id: &str,
    ) -> sqlx::Result<bool> {
        let before = account.checkout_id.as_deref().unwrap_or_default();
        self.query(
            "update billing_accounts set checkout_id = $2
                 where id = $1 and coalesce(checkout_id, '') in ($2, $3)",
            &[&account.id, &checkout_id, &before],
        )
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
        self.write(|mut tx| async move {
            if !tx.next_version(account).await? {
                return Ok(false);
            }
            tx.cancel_subscriptions(account, now).await?;
            for record in records {
                tx.set_subscription(account, record, now).await?;
            }
            tx.settle_tier(account, now).await?;
            tx.close_again(account, now).await?;
            tx.end(true).await
        })
        .await
    }

    /// Ends premium plans that were bought in test mode, when the server sells in live mode.
    pub async fn end_test_premium(&self, now: UnixTime) -> sqlx::Result<()> {
        let mut tx = self.begin().await?;
        let taken = tx
            .query(
                "update profiles set tier = 'free', updated_at = $1
                 where tier = 'premium'
                   and id in (select user_id from billing_accounts
                              join subscriptions on account_id = billing_accounts.id
                              where premium and not livemode)
                   and id not in (select user_id from billing_accounts
                                  join subscriptions on account_id = billing_accounts.id
                                  where premium and livemode and user_id is not null)",
                &[&now],
            )
            .has_changed()
            .await?;
        if taken {
            tx.notify();
        }
        tx.commit().await
    }

    /// Whether an event has been handled.
    pub async fn billing_event_known(&self, id: &str) -> sqlx::Result<bool> {
        let known: Option<String> = self
            .query("select id from billing_events where id = $1", &[&id])
            .scalar()
            .await?;
        Ok(known.is_some())
    }

    /// Records that an event has been handled.
    pub async fn add_billing_event(&self, id: &str, now: UnixTime) -> sqlx::Result<()> {
        self.query(
            "insert into billing_events (id, received_at) values ($1, $2) on conflict (id) do nothing",
            &[&id, &now],
        )
        .run()
        .await
    }
}

impl Tx {
    /// Increases the version of an account. False when it has changed since the account was read.
    async fn next_version(&mut self, account: &BillingAccount) -> sqlx::Result<bool> {
        let next =
            "update billing_accounts set version = version + 1 where id = $1 and version = $2";
        self.query(next, &[&account.id, &account.version])
            .has_changed()
            .await
    }

    /// The provider lists no canceled subscriptions, so those that are not set afterwards stay canceled.
    async fn cancel_subscriptions(
        &mut self,
        account: &BillingAccount,
        now: UnixTime,
    ) -> sqlx::Result<()> {
        self.query(
            "update subscriptions
             set status = 'canceled', premium = false, running = false, updated_at = $2
             where account_id = $1 and running",
            &[&account.id, &now],
        )
        .run()
        .await
    }

    async fn set_subscription(
        &mut self,
        account: &BillingAccount,
        record: &SubscriptionRecord,
        now: UnixTime,
    ) -> sqlx::Result<()> {
        self.query(
            "insert into subscriptions
               (id, account_id, status, price_id, premium, running, created_at, updated_at, next_refresh_at)
             values ($1, $2, $3, $4, $5, $6, $7, $7, $8)
             on conflict (id) do update set
               status = excluded.status, price_id = excluded.price_id, premium = excluded.premium,
               running = excluded.running, updated_at = excluded.updated_at,
               next_refresh_at = excluded.next_refresh_at",
            &[
                &record.id,
                &account.id,
                &record.status,
                &record.price_id,
                &record.premium,
                &record.running,
                &now,
                &(now + DAY),
            ],
        )
        .run()
        .await
    }

    /// Gives the owner of an account the tier that follows from its subscriptions.
    async fn settle_tier(&mut self, account: &BillingAccount, now: UnixTime) -> sqlx::Result<()> {
        let changed = self
            .query(
                "update profiles
                 set updated_at = $2,
                     tier = case when exists (select 1 from subscriptions where account_id = $1 and premium)
                                 then 'premium' else 'free' end
                 where id = (select user_id from billing_accounts where id = $1)
                   and (coalesce(tier, '') = 'premium')
                    <> exists (select 1 from subscriptions where account_id = $1 and premium)",
                &[&account.id, &now],
            )
            .has_changed()
            .await?;
        if changed {
            self.notify();
        }
        Ok(())
    }

    /// Makes the account of a deleted profile due for closing once more, when a subscription still runs.
    async fn close_again(&mut self, account: &BillingAccount, now: UnixTime) -> sqlx::Result<()> {
        self.query(
            "update billing_accounts set closed_at = null, next_attempt_at = $2, attempts = 0
             where id = $1 and user_id is null and closed_at is not null
               and exists (select 1 from subscriptions where account_id = $1 and running)",
            &[&account.id, &now],
        )
        .run()
        .await
    }
}
