//! What is on record about one person, for a copy of it, and whom the operator keeps out.

use sqlx::FromRow;

use super::Store;
use super::profiles::Profile;
use super::sessions::Session;
use chain::clock::UnixTime;

/// A coin of a proof.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct ProvenCoin {
    pub proof_id: String,
    pub network: String,
    pub txid: String,
    pub vout: i64,
    pub value_sats: i64,
    /// When it stopped counting, unix seconds.
    pub ended_at: Option<UnixTime>,
    pub end_reason: Option<String>,
}

/// A proof with what only its row says.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct RecordedProof {
    pub id: String,
    /// Keyed hash of the transaction.
    pub tx_hash: String,
    pub file_name: String,
    pub amount_sats: i64,
    pub status: String,
    pub binding: String,
    pub statement_height: Option<i64>,
    pub statement_name: Option<String>,
    pub created_at: UnixTime,
    pub expires_at: UnixTime,
    pub ended_at: Option<UnixTime>,
}

/// A subscription, and the customer at the payment provider whose it is.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct RecordedSubscription {
    pub customer_id: Option<String>,
    pub subscription_id: Option<String>,
    pub status: Option<String>,
    pub created_at: UnixTime,
    pub updated_at: Option<UnixTime>,
}

/// A picture that was fetched from the provider.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct RecordedPicture {
    pub source_url: String,
    pub media_type: Option<String>,
    /// Base64.
    pub content: Option<String>,
}

impl Store {
    /// The profiles of this provider's people that are called so; the provider's own spelling does not matter.
    pub async fn profiles_named(
        &self,
        provider: &str,
        username: &str,
    ) -> Result<Vec<Profile>, sqlx::Error> {
        self.query(
            "select * from profiles where provider = $1 and username_folded = $2 order by id",
            &[&provider, &username.to_lowercase()],
        )
        .all()
        .await
    }

    /// Every proof of a person, oldest first.
    pub async fn recorded_proofs(&self, user_id: &str) -> Result<Vec<RecordedProof>, sqlx::Error> {
        self.query(
            "select id, tx_hash, file_name, amount_sats, status, binding, statement_height, statement_name, created_at, expires_at, ended_at
             from proofs where user_id = $1 order by created_at, id",
            &[&user_id],
        )
        .all()
        .await
    }

    /// Every coin that a person has proven.
    pub async fn proven_coins(&self, user_id: &str) -> Result<Vec<ProvenCoin>, sqlx::Error> {
        self.query(
            "select claims.proof_id, claims.network, claims.txid, claims.vout, claims.value_sats, claims.ended_at, claims.end_reason
             from proofs join claims on claims.proof_id = proofs.id
             where proofs.user_id = $1 order by claims.proof_id, claims.txid, claims.vout",
            &[&user_id],
        )
        .all()
        .await
    }

    /// The sessions of a person that are on record, oldest first.
    pub async fn recorded_sessions(&self, user_id: &str) -> Result<Vec<Session>, sqlx::Error> {
        self.query(
            "select * from sessions where user_id = $1 order by created_at, id",
            &[&user_id],
        )
        .all()
        .await
    }

    /// What the payment provider knows a person by, and their subscriptions.
    pub async fn recorded_subscriptions(
        &self,
        user_id: &str,
    ) -> Result<Vec<RecordedSubscription>, sqlx::Error> {
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

    /// The picture of a person, as it was fetched.
    pub async fn recorded_picture(
        &self,
        user_id: &str,
    ) -> Result<Option<RecordedPicture>, sqlx::Error> {
        self.query(
            "select source_url, media_type, content from pictures where profile_id = $1",
            &[&user_id],
        )
        .optional()
        .await
    }

    /// Notes that whoever has this hash is kept out.
    pub async fn block(&self, keyed_hash: &str, now: UnixTime) -> Result<(), sqlx::Error> {
        self.query(
            "insert into blocked_people (keyed_hash, blocked_at) values ($1, $2) on conflict (keyed_hash) do nothing",
            &[&keyed_hash, &now],
        )
        .run()
        .await
    }

    /// Lets whoever has this hash in again; false when nobody was kept out by it.
    pub async fn unblock(&self, keyed_hash: &str) -> Result<bool, sqlx::Error> {
        let lifted = self
            .query(
                "delete from blocked_people where keyed_hash = $1",
                &[&keyed_hash],
            )
            .execute()
            .await?;
        Ok(lifted == 1)
    }

    /// Whether whoever has this hash is kept out.
    pub async fn is_blocked(&self, keyed_hash: &str) -> Result<bool, sqlx::Error> {
        self.query(
            "select exists (select 1 from blocked_people where keyed_hash = $1)",
            &[&keyed_hash],
        )
        .value()
        .await
    }

    /// Ends every session of a person, and every code that would begin one.
    pub async fn end_sessions(&self, user_id: &str) -> Result<(), sqlx::Error> {
        self.write(|mut tx| async move {
            tx.query("delete from auth_codes where user_id = $1", &[&user_id])
                .execute()
                .await?;
            tx.query("delete from sessions where user_id = $1", &[&user_id])
                .run()
                .await?;
            tx.end(()).await
        })
        .await
    }
}
