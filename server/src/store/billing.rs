//! Customers of the payment provider, their subscriptions, and the events that told of them. See
//! [`crate::billing`].

use sqlx::FromRow;

use super::{Store, begin, each};
use crate::clock::{DAY, UnixTime};

pub mod upkeep;

pub use upkeep::Due;

/// One row of `billing_accounts`.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct BillingAccount {
    /// Random; what the provider knows the account by.
    pub id: String,
    /// The customer at the provider, once there is one.
    pub customer_id: Option<String>,
    /// The checkout that was begun last.
    pub checkout_id: Option<String>,
    /// Moves with every change.
    pub version: i64,
}

/// What the provider said about a subscription.
#[derive(Clone, Debug)]
pub struct SubscriptionRecord {
    /// `sub_…`.
    pub id: String,
    /// The provider's word.
    pub status: String,
    /// Which of our prices it is for, if any.
    pub price_id: Option<String>,
    /// Whether it makes its owner premium.
    pub premium: bool,
    /// Whether the provider may still charge for it.
    pub running: bool,
}

/// What became of news about a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// The account has changed since before the provider was asked, so the news may be old.
    Outdated,
    /// It is recorded.
    Done {
        /// Whether its owner's tier is another one now.
        tier_changed: bool,
    },
}

impl Store {
    /// The billing account of this person in this mode; made with the new id if there is none. None when the
    /// person is gone.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn billing_account(
        &self,
        new_id: &str,
        user_id: &str,
        livemode: bool,
        now: UnixTime,
    ) -> Result<Option<BillingAccount>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query(
                "insert into billing_accounts
                   (id, user_id, livemode, version, next_attempt_at, attempts, created_at)
                 select $1, id, $3, 0, 0, 0, $4 from profiles where id = $2
                 on conflict (user_id, livemode) do nothing",
            )
            .bind(new_id)
            .bind(user_id)
            .bind(livemode)
            .bind(now)
            .execute(pool)
            .await?;
            sqlx::query_as("select * from billing_accounts where user_id = $1 and livemode = $2")
                .bind(user_id)
                .bind(livemode)
                .fetch_optional(pool)
                .await
        })
    }

    /// The billing account that has this customer.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn billing_account_of_customer(
        &self,
        customer_id: &str,
    ) -> Result<Option<BillingAccount>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as("select * from billing_accounts where customer_id = $1")
                .bind(customer_id)
                .fetch_optional(pool)
                .await
        })
    }

    /// Remembers the customer of an account. False when the owner has gone meanwhile; the row stays, and
    /// becomes due for closing.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_customer(&self, id: &str, customer_id: &str) -> Result<bool, sqlx::Error> {
        each!(self, |pool| {
            let owner: Option<Option<String>> = sqlx::query_scalar(
                "update billing_accounts set customer_id = $2 where id = $1 returning user_id",
            )
            .bind(id)
            .bind(customer_id)
            .fetch_optional(pool)
            .await?;
            Ok(owner.flatten().is_some())
        })
    }

    /// Remembers the checkout that was begun last.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn set_checkout(&self, id: &str, checkout_id: &str) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            sqlx::query("update billing_accounts set checkout_id = $2 where id = $1")
                .bind(id)
                .bind(checkout_id)
                .execute(pool)
                .await?;
            Ok(())
        })
    }

    /// Records what the provider said, and gives the owner the tier that follows from all their subscriptions: one
    /// transaction, which counts only if the account is still as it was before the provider was asked.
    ///
    /// A subscription that runs although the account has been deleted makes the account due for closing again.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn apply_subscription(
        &self,
        account: &BillingAccount,
        record: &SubscriptionRecord,
        now: UnixTime,
    ) -> Result<Applied, sqlx::Error> {
        begin!(self, |transaction| {
            let moved = sqlx::query(
                "update billing_accounts set version = version + 1 where id = $1 and version = $2",
            )
            .bind(&account.id)
            .bind(account.version)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
            if moved == 0 {
                return Ok(Applied::Outdated);
            }
            sqlx::query(
                "insert into subscriptions
                   (id, account_id, status, price_id, premium, running, created_at, updated_at, next_refresh_at)
                 values ($1, $2, $3, $4, $5, $6, $7, $7, $8)
                 on conflict (id) do update set
                   status = excluded.status, price_id = excluded.price_id, premium = excluded.premium,
                   running = excluded.running, updated_at = excluded.updated_at,
                   next_refresh_at = excluded.next_refresh_at",
            )
            .bind(&record.id)
            .bind(&account.id)
            .bind(&record.status)
            .bind(&record.price_id)
            .bind(record.premium)
            .bind(record.running)
            .bind(now)
            .bind(now + DAY)
            .execute(&mut *transaction)
            .await?;
            let given = sqlx::query(
                "update profiles set tier = 'premium', updated_at = $2
                 where id = (select user_id from billing_accounts where id = $1)
                   and (tier is null or tier <> 'premium')
                   and exists (select 1 from subscriptions where account_id = $1 and premium)",
            )
            .bind(&account.id)
            .bind(now)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
            let taken = sqlx::query(
                "update profiles set tier = 'free', updated_at = $2
                 where id = (select user_id from billing_accounts where id = $1)
                   and tier = 'premium'
                   and not exists (select 1 from subscriptions where account_id = $1 and premium)",
            )
            .bind(&account.id)
            .bind(now)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
            sqlx::query(
                "update billing_accounts set closed_at = null, next_attempt_at = $2, attempts = 0
                 where id = $1 and user_id is null and closed_at is not null
                   and exists (select 1 from subscriptions where account_id = $1 and running)",
            )
            .bind(&account.id)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            Ok(Applied::Done {
                tier_changed: given + taken > 0,
            })
        })
    }

    /// The ids of every subscription of an account.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn subscriptions_of(&self, account_id: &str) -> Result<Vec<String>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_scalar("select id from subscriptions where account_id = $1 order by id")
                .bind(account_id)
                .fetch_all(pool)
                .await
        })
    }

    /// Whether an event has been dealt with.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn billing_event_known(&self, id: &str) -> Result<bool, sqlx::Error> {
        each!(self, |pool| {
            let known: Option<String> =
                sqlx::query_scalar("select id from billing_events where id = $1")
                    .bind(id)
                    .fetch_optional(pool)
                    .await?;
            Ok(known.is_some())
        })
    }

    /// Remembers that an event has been dealt with.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add_billing_event(&self, id: &str, now: UnixTime) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            sqlx::query(
                "insert into billing_events (id, received_at) values ($1, $2) on conflict (id) do nothing",
            )
            .bind(id)
            .bind(now)
            .execute(pool)
            .await?;
            Ok(())
        })
    }
}
