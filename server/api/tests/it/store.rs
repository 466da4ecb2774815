//! One list of behaviors for both databases. Every query of `server/store/src` is in here.

use api::board::memory::BoardFilter;
use store::StoreError;
use store::binding::Binding::Unbound;
use store::claims::Publication;
use store::claims::Recorded::Conflict;
use store::proofs::Proof;
use store::schema::SQLITE;
use store::values::Time;

use crate::people::claim as coin;
use crate::support::oracle;
use crate::support::prelude::*;

pub(crate) mod aside;
mod attempts;
mod changes;
mod claims;
mod memory;
pub(crate) mod migrations;
mod plans;
mod profiles;
mod proofs;
mod takeover;
mod transactions;

on_both!(a_database_belongs_to_one_mode, secrets_are_made_once);

async fn user(store: &Store, name: &str) -> Profile {
    let identity = called("twitter", &Uuid::new_v4().to_string(), name);
    // Recording requires a followed chain.
    store.start_following("regtest", &followed()).await.unwrap();
    store.sign_in(&identity, NOW).await.unwrap()
}

/// The block of the cursor.
fn followed() -> Block {
    aside::block(100)
}

fn proof(user: &Profile, transaction: &str, now: i64, coins: &[NewClaim]) -> NewProof {
    proof_at(&followed().hash, &user.id, transaction, now, coins)
}

fn publication() -> Publication {
    Publication {
        published_at: Time(NOW),
        network: "regtest".to_owned(),
        transaction: "aa".to_owned(),
        previous_outputs: "bb".to_owned(),
        statement: "Proof of Reserves".to_owned(),
        origin: "http://localhost".to_owned(),
        provider: "mock".to_owned(),
        subject: "1".to_owned(),
        nonce: "cc".to_owned(),
        statement_name: "@satoshi".to_owned(),
        block_height: 0,
        block_header: "00".repeat(80),
    }
}

async fn record(store: &Store, proof: &NewProof) -> Recorded {
    store.record(proof).await.unwrap()
}

/// Records a proof of these coins now, each given as a number and sats.
async fn proves(
    store: &Store,
    user: &Profile,
    binding: Binding,
    name: &str,
    coins: &[(u64, i64)],
) -> Recorded {
    let coins = coins.iter().map(|(number, sats)| coin(*number, *sats));
    let proof = proof(user, name, NOW, &coins.collect::<Vec<_>>());
    record(store, &NewProof { binding, ..proof }).await
}

/// The holdings of these users.
async fn assert_holdings<const COUNT: usize>(
    store: &Store,
    expected: [(&Profile, Option<i64>); COUNT],
) {
    for (user, sats) in expected {
        assert_eq!(holdings(store, user).await, sats, "{}", user.username);
    }
}

/// Hal and Eve, and their store.
async fn hal_and_eve(database: &TestDatabase) -> (Store, Profile, Profile) {
    let store = database.store().await;
    let (hal, eve) = (user(&store, "hal").await, user(&store, "eve").await);
    (store, hal, eve)
}

fn verified(total_sats: i64) -> Recorded {
    Recorded::Verified { total_sats }
}

/// The proofs of a user, the newest first.
async fn history(store: &Store, user: &Profile) -> Vec<Proof> {
    store.proofs(&user.id, 10, 0).await.unwrap()
}

async fn holdings(store: &Store, user: &Profile) -> Option<i64> {
    let profile = store.profile(&user.id).await.unwrap();
    profile.unwrap().holdings_sats
}

async fn a_database_belongs_to_one_mode(database: TestDatabase) {
    let store = database.store().await;
    store.stamp("development").await.unwrap();
    store.stamp("development").await.unwrap();
    let refused = store.stamp("production").await;
    assert_matches!(&refused, Err(StoreError::OtherEnvironment { found, .. }) if found == "development");
}

async fn secrets_are_made_once(database: TestDatabase) {
    let (store, replica) = (database.store().await, database.store().await);
    let both = tokio::join!(store.secret("test", NOW), replica.secret("test", NOW));
    let (first, second) = (both.0.unwrap(), both.1.unwrap());
    assert_eq!((first.len(), &first), (32, &second));
    assert_ne!(first, store.secret("other", NOW).await.unwrap());
}
