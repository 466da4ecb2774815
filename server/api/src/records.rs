//! All data of one user, for an export.

use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;

use chain::clock::UnixTime;
use store::Store;
use store::published::RecordedPublication;
use store::records::{Account, Coin, Picture, Proof, SessionRecord, Subscription, Time};

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

/// Reads all data of a user; none when there is no such account.
///
/// # Errors
/// When the database fails.
pub async fn read(store: &Store, user_id: &str, now: UnixTime) -> sqlx::Result<Option<Record>> {
    let Some(account) = store.recorded_account(user_id).await? else {
        return Ok(None);
    };
    let mut coins: HashMap<String, Vec<Coin>> = HashMap::new();
    for coin in store.recorded_coins(user_id).await? {
        coins.entry(coin.proof_id.clone()).or_default().push(coin);
    }
    let publications = store.recorded_publications(user_id).await?.into_iter();
    let mut publications: HashMap<String, RecordedPublication> = publications
        .map(|publication| (publication.proof_id.clone(), publication))
        .collect();
    let mut proofs = store.recorded_proofs(user_id).await?;
    for proof in &mut proofs {
        proof.coins = coins.remove(&proof.id).unwrap_or_default();
        proof.publication = publications.remove(&proof.id);
    }
    Ok(Some(Record {
        made_at: Time(now),
        account,
        proofs,
        sessions: store.recorded_sessions(user_id).await?,
        subscriptions: store.recorded_subscriptions(user_id).await?,
        picture: store.recorded_picture(user_id).await?,
        logged: store.log_line(user_id).await?,
    }))
}
