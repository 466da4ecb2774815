//! All data of a user, for an export, and the users whom the operator has blocked.

use board_log::units::{btc, iso};
use serde::{Serialize, Serializer};
use sqlx::FromRow;
use utoipa::ToSchema;

use super::Store;
use super::profiles::Profile;
use super::published::RecordedPublication;
use chain::clock::UnixTime;

/// A time in RFC 3339, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type, ToSchema)]
#[sqlx(transparent)]
#[schema(value_type = String)]
pub struct Time(pub UnixTime);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&iso(self.0))
    }
}

/// An amount of sats, which is written in BTC with exactly 8 decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = f64)]
pub struct Btc(pub i64);

impl Serialize for Btc {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        btc(self.0).serialize(serializer)
    }
}

#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
pub struct Account {
    pub id: String,
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
    pub id: String,
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
    pub coins: Vec<Coin>,
    /// The published part of the proof; null when it is not published.
    #[sqlx(skip)]
    #[schema(required)]
    pub publication: Option<RecordedPublication>,
}

#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
pub struct Coin {
    #[serde(skip)]
    pub proof_id: String,
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
        self.query(
            "select * from profiles where provider = $1 and username_folded = $2 order by id",
            &[&provider, &username.to_lowercase()],
        )
        .all()
        .await
    }

    pub async fn recorded_account(&self, user_id: &str) -> sqlx::Result<Option<Account>> {
        self.query(
            "select id, provider, subject as provider_id, username, email, avatar_url as picture_url, tier as plan, holdings_sats, shown_as,
                    shown_since, last_verified, last_auto_reverify, created_at, updated_at
             from profiles where id = $1",
            &[&user_id],
        )
        .optional()
        .await
    }

    /// A user's proofs without coins and publications, oldest first.
    pub async fn recorded_proofs(&self, user_id: &str) -> sqlx::Result<Vec<Proof>> {
        self.query(
            "select id, file_name, tx_hash as transaction_hash, amount_sats, status, binding, statement_height, statement_name,
                    created_at, expires_at, ended_at
             from proofs where user_id = $1 order by created_at, id",
            &[&user_id],
        )
        .all()
        .await
    }

    /// The coins of a user's proofs.
    pub async fn recorded_coins(&self, user_id: &str) -> sqlx::Result<Vec<Coin>> {
        self.query(
            "select claims.proof_id, claims.network, claims.txid, claims.vout, claims.value_sats, claims.ended_at, claims.end_reason
             from proofs join claims on claims.proof_id = proofs.id
             where proofs.user_id = $1 order by claims.proof_id, claims.txid, claims.vout",
            &[&user_id],
        )
        .all()
        .await
    }

    /// A user's sessions, oldest first.
    pub async fn recorded_sessions(&self, user_id: &str) -> sqlx::Result<Vec<SessionRecord>> {
        self.query(
            "select id, created_at, rotated_at as last_refreshed_at, expires_at
             from sessions where user_id = $1 order by created_at, id",
            &[&user_id],
        )
        .all()
        .await
    }

    /// A user's ids at the payment provider, and subscriptions.
    pub async fn recorded_subscriptions(&self, user_id: &str) -> sqlx::Result<Vec<Subscription>> {
        self.query(
            "select billing_accounts.customer_id, subscriptions.id as subscription_id, subscriptions.status,
                    billing_accounts.created_at, subscriptions.updated_at
             from billing_accounts left join subscriptions on subscriptions.account_id = billing_accounts.id
             where billing_accounts.user_id = $1 order by billing_accounts.created_at, subscriptions.created_at",
            &[&user_id],
        )
        .all()
        .await
    }

    /// A user's picture, as it is cached.
    pub async fn recorded_picture(&self, user_id: &str) -> sqlx::Result<Option<Picture>> {
        self.query(
            "select source_url, media_type, content as base64 from pictures where profile_id = $1",
            &[&user_id],
        )
        .optional()
        .await
    }

    /// Blocks the user with this hash.
    pub async fn block(&self, keyed_hash: &str, now: UnixTime) -> sqlx::Result<()> {
        self.query(
            "insert into blocked_people (keyed_hash, blocked_at) values ($1, $2) on conflict (keyed_hash) do nothing",
            &[&keyed_hash, &now],
        )
        .run()
        .await
    }

    /// Unblocks the user with this hash; false when the hash is not on the list.
    pub async fn unblock(&self, keyed_hash: &str) -> sqlx::Result<bool> {
        self.query(
            "delete from blocked_people where keyed_hash = $1",
            &[&keyed_hash],
        )
        .has_changed()
        .await
    }

    /// Whether the user with this hash is blocked.
    pub async fn is_blocked(&self, keyed_hash: &str) -> sqlx::Result<bool> {
        self.query(
            "select exists (select 1 from blocked_people where keyed_hash = $1)",
            &[&keyed_hash],
        )
        .value()
        .await
    }

    /// Deletes a user's sessions, and the codes that would begin one.
    pub async fn end_sessions(&self, user_id: &str) -> sqlx::Result<()> {
        self.write(|mut tx| async move {
            tx.query("delete from auth_codes where user_id = $1", &[&user_id])
                .run()
                .await?;
            tx.query("delete from sessions where user_id = $1", &[&user_id])
                .run()
                .await?;
            tx.end(()).await
        })
        .await
    }
}
