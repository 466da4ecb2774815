//! A copy of everything that is on record about one person, for them.

use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;

use board_log::units::iso;
use chain::clock::UnixTime;
use store::Store;
use store::profiles::Profile;
use store::published::RecordedPublication;
use store::records::{ProvenCoin, RecordedPicture, RecordedProof, RecordedSubscription};
use store::sessions::Session;

/// Everything that is on record about one person. Times are RFC 3339, amounts sats.
#[derive(Debug, Serialize, ToSchema)]
pub struct Record {
    made_at: String,
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

#[derive(Debug, Serialize, ToSchema)]
struct Account {
    id: String,
    /// Who says who this is.
    provider: String,
    /// The account's id there.
    provider_id: String,
    username: String,
    #[schema(required)]
    email: Option<String>,
    /// Where the picture is at the provider.
    #[schema(required)]
    picture_url: Option<String>,
    /// `free`, `premium`, or null while no plan is chosen.
    #[schema(required)]
    plan: Option<String>,
    #[schema(required)]
    holdings_sats: Option<i64>,
    /// What others see of that: `exact`, or `range`.
    shown_as: String,
    /// When that was chosen last.
    #[schema(required)]
    shown_since: Option<String>,
    #[schema(required)]
    last_verified: Option<String>,
    #[schema(required)]
    last_auto_reverify: Option<String>,
    created_at: String,
    updated_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
struct Proof {
    id: String,
    file_name: String,
    /// What is kept of the transaction itself: a hash under a key of the server.
    transaction_hash: String,
    amount_sats: i64,
    status: String,
    binding: String,
    /// Height of the block to which the statement commits, and the full name as signed; null when the proof is not dated.
    statement_height: Option<i64>,
    statement_name: Option<String>,
    created_at: String,
    expires_at: String,
    #[schema(required)]
    ended_at: Option<String>,
    coins: Vec<Coin>,
    /// What anybody can see of it; null when it is not published.
    #[schema(required)]
    publication: Option<Publication>,
}

/// What is kept of a published proof beyond its row.
#[derive(Debug, Serialize, ToSchema)]
struct Publication {
    published_at: String,
    /// Hex.
    transaction: String,
    /// What its inputs spend, as a list of outputs in the consensus encoding, hex.
    previous_outputs: String,
    statement: String,
    /// The origin and the nonce, hex, to which the code of the statement commits beside the account.
    origin: String,
    nonce: String,
    /// The full name, and height and header (hex) of the block, to which a dated code commits as well.
    statement_name: Option<String>,
    block_height: Option<i64>,
    block_header: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Coin {
    network: String,
    txid: String,
    vout: i64,
    value_sats: i64,
    /// Since when it no longer counts.
    #[schema(required)]
    ended_at: Option<String>,
    #[schema(required)]
    end_reason: Option<String>,
}

/// A device that is signed in.
#[derive(Debug, Serialize, ToSchema)]
struct SessionRecord {
    id: String,
    created_at: String,
    last_refreshed_at: String,
    expires_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
struct Subscription {
    /// What the payment provider calls this person.
    #[schema(required)]
    customer_id: Option<String>,
    #[schema(required)]
    subscription_id: Option<String>,
    #[schema(required)]
    status: Option<String>,
    created_at: String,
    #[schema(required)]
    updated_at: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Picture {
    source_url: String,
    #[schema(required)]
    media_type: Option<String>,
    #[schema(required)]
    base64: Option<String>,
}

/// What is on record about this person now; none when there is no such account.
///
/// # Errors
/// When the database fails.
pub async fn of(store: &Store, user_id: &str, now: UnixTime) -> sqlx::Result<Option<Record>> {
    let Some(profile) = store.profile(user_id).await? else {
        return Ok(None);
    };
    let mut coins: HashMap<String, Vec<Coin>> = HashMap::new();
    for coin in store.proven_coins(user_id).await? {
        let of_proof = coins.entry(coin.proof_id.clone()).or_default();
        of_proof.push(coin.into());
    }
    let published = store.recorded_publications(user_id).await?.into_iter();
    let mut published: HashMap<String, Publication> = published
        .map(|it| (it.proof_id.clone(), it.into()))
        .collect();
    let proofs = store.recorded_proofs(user_id).await?.into_iter();
    let sessions = store.recorded_sessions(user_id).await?.into_iter();
    let subscriptions = store.recorded_subscriptions(user_id).await?.into_iter();
    let picture = store.recorded_picture(user_id).await?;
    let logged = store.log_line(user_id).await?;
    Ok(Some(Record {
        made_at: iso(now),
        account: profile.into(),
        proofs: proofs
            .map(|proof| Proof {
                coins: coins.remove(&proof.id).unwrap_or_default(),
                publication: published.remove(&proof.id),
                ..proof.into()
            })
            .collect(),
        sessions: sessions.map(SessionRecord::from).collect(),
        subscriptions: subscriptions.map(Subscription::from).collect(),
        picture: picture.map(Picture::from),
        logged,
    }))
}

impl From<RecordedProof> for Proof {
    fn from(proof: RecordedProof) -> Self {
        Self {
            id: proof.id,
            file_name: proof.file_name,
            transaction_hash: proof.tx_hash,
            amount_sats: proof.amount_sats,
            status: proof.status,
            binding: proof.binding,
            statement_height: proof.statement_height,
            statement_name: proof.statement_name,
            created_at: iso(proof.created_at),
            expires_at: iso(proof.expires_at),
            ended_at: proof.ended_at.map(iso),
            coins: Vec::new(),
            publication: None,
        }
    }
}

impl From<RecordedPublication> for Publication {
    fn from(it: RecordedPublication) -> Self {
        Self {
            published_at: iso(it.published_at),
            transaction: it.final_transaction,
            previous_outputs: it.previous_outputs,
            statement: it.statement,
            origin: it.origin,
            nonce: it.nonce,
            statement_name: it.statement_name,
            block_height: it.block_height,
            block_header: it.block_header,
        }
    }
}

impl From<ProvenCoin> for Coin {
    fn from(coin: ProvenCoin) -> Self {
        Self {
            network: coin.network,
            txid: coin.txid,
            vout: coin.vout,
            value_sats: coin.value_sats,
            ended_at: coin.ended_at.map(iso),
            end_reason: coin.end_reason,
        }
    }
}

impl From<Profile> for Account {
    fn from(profile: Profile) -> Self {
        Self {
            id: profile.id,
            provider: profile.provider,
            provider_id: profile.subject,
            username: profile.username,
            email: profile.email,
            picture_url: profile.avatar_url,
            plan: profile.tier,
            holdings_sats: profile.holdings_sats,
            shown_as: profile.shown_as.as_str().to_owned(),
            shown_since: profile.shown_since.map(iso),
            last_verified: profile.last_verified.map(iso),
            last_auto_reverify: profile.last_auto_reverify.map(iso),
            created_at: iso(profile.created_at),
            updated_at: iso(profile.updated_at),
        }
    }
}

impl From<Session> for SessionRecord {
    fn from(session: Session) -> Self {
        Self {
            id: session.id,
            created_at: iso(session.created_at),
            last_refreshed_at: iso(session.rotated_at),
            expires_at: iso(session.expires_at),
        }
    }
}

impl From<RecordedSubscription> for Subscription {
    fn from(subscription: RecordedSubscription) -> Self {
        Self {
            customer_id: subscription.customer_id,
            subscription_id: subscription.subscription_id,
            status: subscription.status,
            created_at: iso(subscription.created_at),
            updated_at: subscription.updated_at.map(iso),
        }
    }
}

impl From<RecordedPicture> for Picture {
    fn from(picture: RecordedPicture) -> Self {
        Self {
            source_url: picture.source_url,
            media_type: picture.media_type,
            base64: picture.content,
        }
    }
}
