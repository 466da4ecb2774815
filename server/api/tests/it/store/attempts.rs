//! Refused files are counted in the database, for all replicas (rule C4).

use std::net::IpAddr;

use api::limits::queue::customer_of;
use api::limits::{Limit, LimitError, REFUSED, REFUSED_FROM, RateLimits};

use super::*;

on_both!(
    an_account_fails_ten_times_an_hour,
    an_address_fails_sixty_times_an_hour_and_is_not_stored,
);

/// The limits at a replica that has counted nothing yet.
async fn limits(store: &Store, now: i64) -> RateLimits {
    let limits = RateLimits::load(store.clone(), Clock::manual(now)).await;
    limits.unwrap()
}

/// Whether an attempt is admitted; it then fails.
async fn fails(store: &Store, subject: &str, address: Option<&str>, now: i64) -> Result<(), i64> {
    let address: Option<IpAddr> = address.map(|address| address.parse().unwrap());
    let customer = address.map(customer_of);
    let mut counted: Vec<(Limit, &[u8])> = vec![(REFUSED, subject.as_bytes())];
    counted.extend(customer.as_deref().map(|it| (REFUSED_FROM, it)));
    match limits(store, now).await.admit_all(&counted).await {
        Err(LimitError::TooMany { retry_after }) => Err(retry_after),
        admitted => {
            drop(admitted.unwrap());
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
        let limits = limits(&store, NOW).await;
        let success = limits.admit_all(&[(REFUSED, b"7")]).await.unwrap();
        limits.forgive(success).await.unwrap();
    }
    let left = 3_600 - NOW % 3_600;
    for (subject, now, admitted) in [
        ("42", NOW, Err(left)),
        ("7", NOW, Ok(())),
        ("42", NOW + left - 1, Err(1)),
        ("42", NOW + left, Ok(())),
    ] {
        assert_eq!(fails(&store, subject, None, now).await, admitted);
    }
    // Of many concurrent attempts, no more than ten are admitted either.
    let many = (0..40).map(|_| fails(&store, "9", None, NOW));
    let admitted = join_all(many).await.into_iter().filter(Result::is_ok);
    assert_eq!(admitted.count(), 10);
}

async fn an_address_fails_sixty_times_an_hour_and_is_not_stored(database: TestDatabase) {
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

    let query = "select keyed_hash from rate_limits";
    let names = async || texts(store.database(), query).await;
    let first = names().await;
    assert_eq!(first.len(), 64, "62 accounts and two networks");
    assert!(first.iter().all(|name| name.len() == 64), "{first:?}");
    // The hashes are gone as well, once their hour is over.
    fails(&store, "new", None, NOW + 3_600).await.unwrap();
    let second = names().await;
    assert!(second.len() == 1 && !first.contains(&second[0]));
}
