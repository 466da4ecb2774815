//! Profiles of users who have signed in.

use sqlx::FromRow;
use uuid::Uuid;

use super::Store;
use super::removals::What;
use super::shown_as::ShownAs;
use super::sql::Value;
use super::tx::{Tx, is_unique_violation, retry};
use chain::clock::UnixTime;

/// One row of `profiles`.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Profile {
    /// The signed-in user's id, a UUID.
    pub id: String,
    /// The name of the provider.
    pub provider: String,
    /// The provider's stable id of the account.
    pub subject: String,
    /// The name shown.
    pub username: String,
    /// False while that is a generated name, which the provider did not give.
    pub named: bool,
    /// From the provider, when it gives one.
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
    /// When the profile last changed, unix seconds.
    pub updated_at: UnixTime,
    /// How much of the total others see.
    pub shown_as: ShownAs,
    /// When that was last chosen, unix seconds; `None` if never.
    pub shown_since: Option<UnixTime>,
}

/// A user as their provider describes them.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The name of the provider.
    pub provider: &'static str,
    /// The provider's stable id of the account.
    pub subject: String,
    /// The name at the provider, when it has one.
    pub username: Option<String>,
    /// The e-mail address, when the provider gives one.
    pub email: Option<String>,
    /// Address of the picture at the provider.
    pub avatar_url: Option<String>,
}

/// How often a sign-in is tried while users with the same name sign in at the same moment.
const SIGN_IN_TRIES: usize = 8;

/// The generated name of a user whose provider gave none: 'user_' and the id's first five characters.
pub fn default_username(id: &str) -> String {
    format!("user_{}", id.chars().take(5).collect::<String>())
}

/// Whether a name was given by the provider. A generated name belongs to nobody at the provider, or to another user (decisions, D7).
pub fn is_named(id: &str, username: &str) -> bool {
    username != default_username(id)
}

impl Store {
    /// Creates or updates the profile of the user who signed in, and takes the name away from an
    /// older profile that no longer has it at the provider (decisions, D7).
    pub async fn sign_in(&self, identity: &Identity, now: UnixTime) -> sqlx::Result<Profile> {
        // Two users with one name may sign in at the same moment: the later one finds the name taken, and takes it over in another attempt.
        let sign_in = |mut tx: Tx| async move {
            let profile = tx.sign_in(identity, now).await?;
            tx.end(profile).await
        };
        let signed_in = || self.write(sign_in);
        retry(SIGN_IN_TRIES, is_unique_violation, signed_in).await
    }

    /// The profile with this id.
    pub async fn profile(&self, id: &str) -> sqlx::Result<Option<Profile>> {
        let sql = "select * from profiles where id = $1";
        self.query(sql, &[&id]).optional().await
    }

    /// The ids of all profiles; development mode uses them to rebuild its chain.
    pub async fn profile_ids(&self) -> sqlx::Result<Vec<String>> {
        let sql = "select id from profiles";
        self.query(sql, &[]).column().await
    }

    /// Ids and subjects of the profiles of a provider whose subject begins with this text, which has no `%` and no `_`.
    pub async fn profiles_with_subject(
        &self,
        provider: &str,
        begins: &str,
    ) -> sqlx::Result<Vec<(String, String)>> {
        let sql = "select id, subject from profiles where provider = $1 and subject like $2 order by subject";
        let pattern = format!("{begins}%");
        self.query(sql, &[&provider, &pattern]).all().await
    }

    /// Chooses the free plan for a user who has none yet: the only tier change that a client can
    /// make (decisions, D1).
    pub async fn choose_free_tier(&self, id: &str, now: UnixTime) -> sqlx::Result<()> {
        let choose =
            "update profiles set tier = 'free', updated_at = $2 where id = $1 and tier is null";
        self.query(choose, &[&id, &now]).run().await?;
        self.notify();
        Ok(())
    }

    /// Deletes the profile and, by the schema's cascades, everything of its owner. Only the hashes of transactions stay that
    /// never prove again, and they name nobody. Returns whether there was a profile.
    pub async fn delete_profile(&self, id: &str, now: UnixTime) -> sqlx::Result<bool> {
        let delete = "delete from profiles where id = $1";
        // Its subscription is canceled now.
        let cancel = "update billing_accounts set due_at = 0 where user_id = $1";
        let deleted = self
            .write(|mut tx| async move {
                tx.withdraw_line(id, false).await?;
                tx.query(cancel, &[&id]).run().await?;
                let deleted = tx.query(delete, &[&id]).has_changed().await?;
                if deleted {
                    tx.note_removal(What::Erased, id, now).await?;
                }
                tx.end(deleted).await
            })
            .await?;
        // This also deletes the user's rows in the list of changes.
        let passed_on = self.pass_on_changes().await;
        self.notify();
        if let Err(error) = passed_on.map(drop).and(self.empty_wal().await) {
            tracing::warn!(%error, "deleted data is still in the list of changes or SQLite's write-ahead log, which are emptied later");
        }
        Ok(deleted)
    }
}

impl Tx {
    async fn sign_in(&mut self, identity: &Identity, now: UnixTime) -> sqlx::Result<Profile> {
        let id = Uuid::new_v4().to_string();
        let name = identity.username.as_deref().filter(|name| !name.is_empty());
        let username = name.map_or_else(|| default_username(&id), str::to_owned);
        let sql = "update profiles
            set username = 'user_' || substr(id, 1, 5), username_folded = 'user_' || substr(id, 1, 5),
                named = false, updated_at = $4
            where provider = $1 and username_folded = $2 and subject <> $3 and named";
        let values: &[&dyn Value] = &[
            &identity.provider,
            &username.to_lowercase(),
            &identity.subject,
            &now,
        ];
        self.query(sql, values).run().await?;
        // A returning user whose provider gives no name keeps the generated name of their id.
        let sql = "insert into profiles
              (id, provider, subject, username, username_folded, named, email, avatar_url, created_at, updated_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
            on conflict (provider, subject) do update set
              username = case when excluded.named then excluded.username
                              else 'user_' || substr(profiles.id, 1, 5) end,
              username_folded = case when excluded.named then excluded.username_folded
                                     else 'user_' || substr(profiles.id, 1, 5) end,
              named = excluded.named, email = excluded.email,
              avatar_url = excluded.avatar_url, updated_at = excluded.updated_at
            returning *";
        let values: &[&dyn Value] = &[
            &id,
            &identity.provider,
            &identity.subject,
            &username,
            &username.to_lowercase(),
            &name.is_some(),
            &identity.email,
            &identity.avatar_url,
            &now,
        ];
        let profile = self.query(sql, values).one().await?;
        self.notify();
        Ok(profile)
    }
}
