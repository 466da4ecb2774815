//! Attempts are counted in the database, for all replicas (rule C4).

use std::net::IpAddr;

use api::proof::SubmitError;
use api::proof::attempts::Attempts;
use store::keyed_hash::KeyedHash;

use super::*;

on_both!(
    an_account_fails_ten_times_an_hour,
    an_address_fails_sixty_times_an_hour,
    addresses_are_not_stored,
);

fn attempts(store: &Store) -> Attempts {
    Attempts::new(KeyedHash::new(b"secret"), store.clone())
}

/// Whether an attempt is admitted; it then fails.
async fn fails(store: &Store, subject: &str, address: Option<&str>, now: i64) -> Result<(), i64> {
    let address: Option<IpAddr> = address.map(|address| address.parse().unwrap());
    let identity = ("github", subject);
    match attempts(store).begin(identity, address, now).await {
        Err(SubmitError::TooMany { retry_after }) => Err(retry_after),
        begun => {
            drop(begun.unwrap());
            Ok(())
        }
    }
}

async fn an_account_fails_ten_times_an_hour(database: TestDatabase) {
    let store = database.store().await;
    // The current window began 800 seconds before.
    for second in 0..10 {
        assert_eq!(fails(&store, "42", None, NOW + second).await, Ok(()));
        // Successes do not count.
        let attempts = attempts(&store);
        let success = attempts.begin(("github", "7"), None, NOW).await.unwrap();
        attempts.forgive(success).await.unwrap();
    }
    let left = 3_600 - NOW % 3_600;
    assert_eq!(fails(&store, "42", None, NOW).await, Err(left));
    assert_eq!(fails(&store, "7", None, NOW).await, Ok(()));
    assert_eq!(fails(&store, "42", None, NOW + left - 1).await, Err(1));
    assert_eq!(fails(&store, "42", None, NOW + left).await, Ok(()));
}

async fn an_address_fails_sixty_times_an_hour(database: TestDatabase) {
    let store = database.store().await;
    for number in 0..60 {
        // One customer has a whole /64 network.
        let address = format!("2001:db8:1:2::{number:x}");
        let outcome = fails(&store, &number.to_string(), Some(&address), NOW).await;
        assert_eq!(outcome, Ok(()));
    }
    let more = async |address| fails(&store, "more", Some(address), NOW).await;
    assert!(more("2001:db8:1:2:ffff::1").await.is_err());
    // The refused attempt was not counted for the account either.
    for _ in 0..10 {
        assert_eq!(more("2001:db8:1:3::1").await, Ok(()));
    }
    assert_eq!(fails(&store, "other", None, NOW).await, Ok(()));
}

async fn addresses_are_not_stored(database: TestDatabase) {
    let store = database.store().await;
    fails(&store, "42", Some("192.0.2.1"), NOW).await.unwrap();
    let query = "select keyed_hash from rate_limits";
    let names = async || texts(store.database(), query).await;
    let first = names().await;
    assert_eq!(first.len(), 2);
    assert!(first.iter().all(|name| name.len() == 64), "{first:?}");
    // The hashes are gone as well, once their hour is over.
    fails(&store, "43", None, NOW + 3_600).await.unwrap();
    let second = names().await;
    assert!(second.len() == 1 && !first.contains(&second[0]));
}
