//! All data of a user, for an export, and the users whom the operator has blocked.

use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use super::Store;
use super::claims::Publication;
use super::profiles::Profile;
use super::removals::What;
use super::values::Time;
use chain::clock::UnixTime;

/// All data of one user. Times are RFC 3339, amounts sats.
#[derive(Debug, Serialize, ToSchema)]
pub struct Record {
    made_at: Time,
    account: Account,
    proofs: Vec<Proof>,
    sessions: Vec<SessionRecord>,
    subscriptions: Vec<Subscription>,
    #[schema(required)]
    picture: Option<Picture>,
    /// The row's line in the newest snapshot of the log, without its salt; null when it is withdrawn or not in there yet.
    #[schema(required)]
    logged: Option<String>,
}

#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
pub struct Account {
    id: String,
    /// The sign-in provider.
    provider: String,
    /// The account's id at the provider.
    provider_id: String,
    username: String,
    #[schema(required)]
    email: Option<String>,
    /// The picture's address at the provider.
    #[schema(required)]
    picture_url: Option<String>,
    /// `free`, `premium`, or null while no plan is chosen.
    #[schema(required)]
    plan: Option<String>,
    #[schema(required)]
    holdings_sats: Option<i64>,
    /// What others see of the holdings: `exact`, or `range`.
    shown_as: String,
    /// When `shown_as` was chosen last.
    #[schema(required)]
    shown_since: Option<Time>,
    #[schema(required)]
    last_verified: Option<Time>,
    #[schema(required)]
    last_auto_reverify: Option<Time>,
    created_at: Time,
    updated_at: Time,
}

#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
pub struct Proof {
    id: String,
    file_name: String,
    /// Identifies the transaction, which is not stored: a hash with a key of the server.
    transaction_hash: String,
    amount_sats: i64,
    status: String,
    binding: String,
    /// Height of the block to which the statement commits, and the full name as signed; null when the proof is not dated.
    statement_height: Option<i64>,
    statement_name: Option<String>,
    created_at: Time,
    expires_at: Time,
    #[schema(required)]
    ended_at: Option<Time>,
    #[sqlx(skip)]
    coins: Vec<Coin>,
    /// The published part of the proof; null when it is not published.
    #[sqlx(skip)]
    #[schema(required)]
    publication: Option<Publication>,
}

#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
pub struct Coin {
    network: String,
    txid: String,
    vout: i64,
    value_sats: i64,
    /// When the coin stopped counting.
    #[schema(required)]
    ended_at: Option<Time>,
    #[schema(required)]
    end_reason: Option<String>,
}

/// A device on which the user is signed in.
#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
pub struct SessionRecord {
    id: String,
    created_at: Time,
    last_refreshed_at: Time,
    expires_at: Time,
}

#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
pub struct Subscription {
    /// The user's id at the payment provider.
    #[schema(required)]
    customer_id: Option<String>,
    #[schema(required)]
    subscription_id: Option<String>,
    #[schema(required)]
    status: Option<String>,
    created_at: Time,
    #[schema(required)]
    updated_at: Option<Time>,
}

#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
pub struct Picture {
    source_url: String,
    #[schema(required)]
    media_type: Option<String>,
    #[schema(required)]
    base64: Option<String>,
}

impl Store {
    /// The profiles with this name at this provider, in any letter case.
    pub async fn profiles_named(
        &self,
        provider: &str,
        username: &str,
    ) -> sqlx::Result<Vec<Profile>> {
        let sql = "select * from profiles where provider = $1 and username_folded = $2 order by id";
        self.query(sql, &[&provider, &username.to_lowercase()])
            .all()
            .await
    }

    /// All data of a user; none when there is no such account.
    pub async fn record_of(&self, user_id: &str, now: UnixTime) -> sqlx::Result<Option<Record>> {
        let account = "select id, provider, subject as provider_id, username, email, avatar_url as picture_url, tier as plan, holdings_sats,
                shown_as, shown_since, last_verified, last_auto_reverify, created_at, updated_at
             from profiles where id = $1";
        let sessions = "select id, created_at, rotated_at as last_refreshed_at, expires_at
             from sessions where user_id = $1 order by created_at, id";
        let subscriptions = "select billing_accounts.customer_id, subscriptions.id as subscription_id, subscriptions.status,
                billing_accounts.created_at, subscriptions.updated_at
             from billing_accounts left join subscriptions on subscriptions.account_id = billing_accounts.id
             where billing_accounts.user_id = $1 order by billing_accounts.created_at, subscriptions.created_at";
        let picture =
            "select source_url, media_type, content as base64 from pictures where profile_id = $1";
        let Some(account) = self.query(account, &[&user_id]).optional().await? else {
            return Ok(None);
        };
        Ok(Some(Record {
            made_at: Time(now),
            account,
            proofs: self.recorded_proofs(user_id).await?,
            sessions: self.query(sessions, &[&user_id]).all().await?,
            subscriptions: self.query(subscriptions, &[&user_id]).all().await?,
            picture: self.query(picture, &[&user_id]).optional().await?,
            logged: self.log_line(user_id).await?,
        }))
    }

    /// A user's proofs, oldest first, with their coins and publications.
    async fn recorded_proofs(&self, user_id: &str) -> sqlx::Result<Vec<Proof>> {
        let proofs = "select id, file_name, tx_hash as transaction_hash, amount_sats, status, binding, statement_height, statement_name,
                created_at, expires_at, ended_at
             from proofs where user_id = $1 order by created_at, id";
        let coins = "select network, txid, vout, value_sats, ended_at, end_reason from claims where proof_id = $1 order by txid, vout";
        let publication = "select * from published_proofs where proof_id = $1";
        let mut proofs: Vec<Proof> = self.query(proofs, &[&user_id]).all().await?;
        for proof in &mut proofs {
            proof.coins = self.query(coins, &[&proof.id]).all().await?;
            proof.publication = self.query(publication, &[&proof.id]).optional().await?;
        }
        Ok(proofs)
    }

    /// Blocks the user with this hash.
    pub async fn block(&self, keyed_hash: &str, now: UnixTime) -> sqlx::Result<()> {
        let sql = "insert into blocked_people (keyed_hash, blocked_at) values ($1, $2) on conflict (keyed_hash) do nothing";
        self.write(|mut tx| async move {
            tx.query(sql, &[&keyed_hash, &now]).run().await?;
            tx.put_removal(What::Blocked, keyed_hash, now).await?;
            tx.end(()).await
        })
        .await
    }

    /// Unblocks the user with this hash; false when the hash is not on the list.
    pub async fn unblock(&self, keyed_hash: &str, now: UnixTime) -> sqlx::Result<bool> {
        let sql = "delete from blocked_people where keyed_hash = $1";
        self.write(|mut tx| async move {
            let unblocked = tx.query(sql, &[&keyed_hash]).has_changed().await?;
            tx.undo_removal_of(keyed_hash, now).await?;
            tx.end(unblocked).await
        })
        .await
    }

    /// Whether the user with this hash is blocked.
    pub async fn is_blocked(&self, keyed_hash: &str) -> sqlx::Result<bool> {
        let sql = "select exists (select 1 from blocked_people where keyed_hash = $1)";
        self.query(sql, &[&keyed_hash]).value().await
    }

    /// Deletes a user's sessions, and the codes that would begin one.
    pub async fn end_sessions(&self, user_id: &str) -> sqlx::Result<()> {
        self.write(|mut tx| async move {
            let sql = "delete from auth_codes where user_id = $1";
            tx.query(sql, &[&user_id]).run().await?;
            let sql = "delete from sessions where user_id = $1";
            tx.query(sql, &[&user_id]).run().await?;
            tx.end(()).await
        })
        .await
    }
}
