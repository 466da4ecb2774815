//! People who have signed in.

use sqlx::FromRow;
use uuid::Uuid;

use super::claims::deadlock::is_deadlock;
use super::{Store, begin, each};
use crate::clock::UnixTime;

/// One row of `profiles`.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Profile {
    /// The signed-in user's id, a UUID.
    pub id: String,
    /// `twitter`, `google`, `github` or `mock`.
    pub provider: String,
    /// The provider's stable id of the account.
    pub subject: String,
    /// The name shown.
    pub username: String,
    /// From the provider, when it tells.
    pub email: Option<String>,
    /// Address of the picture at the provider.
    pub avatar_url: Option<String>,
    /// `free`, `premium`, or none while no plan is chosen (decisions, D6).
    pub tier: Option<String>,
    /// Sum of the live claims in sats; none when nothing is proven.
    pub holdings_sats: Option<i64>,
    /// When a proof was last accepted, unix seconds.
    pub last_verified: Option<UnixTime>,
    /// When the daily re-verification last ran, unix seconds.
    pub last_auto_reverify: Option<UnixTime>,
    /// When the profile was made, unix seconds.
    pub created_at: UnixTime,
    /// When anything about it last changed, unix seconds.
    pub updated_at: UnixTime,
}

/// Who a provider says somebody is.
#[derive(Clone, Debug)]
pub struct Identity {
    /// `twitter`, `google`, `github` or `mock`.
    pub provider: &'static str,
    /// The provider's stable id of the account.
    pub subject: String,
    /// The name at the provider, when it has one.
    pub username: Option<String>,
    /// The e-mail address, when the provider tells.
    pub email: Option<String>,
    /// Address of the picture at the provider.
    pub avatar_url: Option<String>,
}

/// How often a sign-in is tried when others with the same name come at the same moment.
const SIGN_IN_TRIES: u32 = 8;

/// Whether somebody else's transaction was in the way.
fn is_crossed(error: &sqlx::Error) -> bool {
    let unique = error
        .as_database_error()
        .is_some_and(sqlx::error::DatabaseError::is_unique_violation);
    unique || is_deadlock(error)
}

/// The name of somebody whose provider told none: 'user_' and the id's first five characters.
#[must_use]
pub fn default_username(id: &str) -> String {
    format!("user_{}", id.chars().take(5).collect::<String>())
}

impl Store {
    /// Creates or updates the profile of whoever just signed in, and takes the name away from an
    /// older profile that no longer has it at the provider (decisions, D7).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sign_in(
        &self,
        identity: &Identity,
        now: UnixTime,
    ) -> Result<Profile, sqlx::Error> {
        // People with one name may come at the same moment: whoever was later finds the name taken, or a lock
        // that two wait for crosswise, and takes the name over in another try.
        let mut tries = 1;
        loop {
            match self.try_sign_in(identity, now).await {
                Err(error) if tries < SIGN_IN_TRIES && is_crossed(&error) => tries += 1,
                outcome => return outcome,
            }
        }
    }

    async fn try_sign_in(
        &self,
        identity: &Identity,
        now: UnixTime,
    ) -> Result<Profile, sqlx::Error> {
        let id = Uuid::new_v4().to_string();
        let name = identity.username.as_deref().filter(|name| !name.is_empty());
        let username = name.map_or_else(|| default_username(&id), str::to_owned);
        begin!(self, |transaction| {
            sqlx::query(
                "update profiles
                 set username = 'user_' || substr(id, 1, 5), username_folded = 'user_' || substr(id, 1, 5),
                     named = false, updated_at = $4
                 where provider = $1 and username_folded = $2 and subject <> $3 and named",
            )
            .bind(identity.provider)
            .bind(username.to_lowercase())
            .bind(&identity.subject)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
            // The name of a returning person without one stays the default of the id they have.
            let profile = sqlx::query_as(
                "insert into profiles
                   (id, provider, subject, username, username_folded, named, email, avatar_url, created_at, updated_at)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
                 on conflict (provider, subject) do update set
                   username = case when excluded.named then excluded.username
                                   else 'user_' || substr(profiles.id, 1, 5) end,
                   username_folded = case when excluded.named then excluded.username_folded
                                          else 'user_' || substr(profiles.id, 1, 5) end,
                   named = excluded.named, email = excluded.email,
                   avatar_url = excluded.avatar_url, updated_at = excluded.updated_at
                 returning *",
            )
            .bind(&id)
            .bind(identity.provider)
            .bind(&identity.subject)
            .bind(&username)
            .bind(username.to_lowercase())
            .bind(name.is_some())
            .bind(&identity.email)
            .bind(&identity.avatar_url)
            .bind(now)
            .fetch_one(&mut *transaction)
            .await?;
            transaction.commit().await?;
            Ok(profile)
        })
    }

    /// The profile with this id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn profile(&self, id: &str) -> Result<Option<Profile>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as("select * from profiles where id = $1")
                .bind(id)
                .fetch_optional(pool)
                .await
        })
    }

    /// The ids of every profile; development mode uses it to rebuild its chain.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn profile_ids(&self) -> Result<Vec<String>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_scalar("select id from profiles")
                .fetch_all(pool)
                .await
        })
    }

    /// Chooses the free plan for somebody who has none yet: the only tier change that a client can
    /// make (decisions, D1).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn choose_free_tier(&self, id: &str, now: UnixTime) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            sqlx::query(
                "update profiles set tier = 'free', updated_at = $2 where id = $1 and tier is null",
            )
            .bind(id)
            .bind(now)
            .execute(pool)
            .await?;
            Ok(())
        })
    }

    /// Deletes the profile and, by the schema's cascades, everything of its owner. What stays is
    /// the list of transactions that never prove again, which names nobody.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_profile(&self, id: &str) -> Result<bool, sqlx::Error> {
        each!(self, |pool| {
            let deleted = sqlx::query("delete from profiles where id = $1")
                .bind(id)
                .execute(pool)
                .await?
                .rows_affected();
            Ok(deleted == 1)
        })
    }
}
