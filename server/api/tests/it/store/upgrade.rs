//! A full database with the previous schema is migrated without loss.

use super::migrations::{at_version, close, run};
use super::*;

on_both!(a_full_database_of_the_schema_before_loses_nothing);

/// Something in every table.
const FULL: &str = include_str!("full.sql");

/// Tables whose rows the migration may change, or whose rows need a payment provider.
const PASSED_OVER: [&str; 3] = ["unsent_changes", "subscriptions", "billing_events"];

async fn a_full_database_of_the_schema_before_loses_nothing(database: TestDatabase) {
    let newest = SQLITE.iter().map(|it| it.version).max().unwrap();
    let before = at_version(newest - 1, &database).await;
    run(&before, FULL).await.unwrap();
    let mut columns = columns(&before).await;
    columns.retain(|column| !PASSED_OVER.contains(&&*column.table));
    let full = contents(&before, &columns).await;
    for (table, rows) in &full {
        assert!(!rows.is_empty(), "a row of {table} belongs into FULL");
    }
    close(before).await;

    let store = database.store().await;
    assert!(store.is_migrated().await.unwrap());
    assert_eq!(contents(store.database(), &columns).await, full);
    // What was published before is what is published now.
    let published = store.published_log().await.unwrap().unwrap();
    assert_eq!((published.size, published.checkpoint.as_str()), (2, "note"));
    // And the server continues with it.
    let eve = store.profile("eve").await.unwrap().unwrap();
    store.start_following("regtest", &followed()).await.unwrap();
    let taken = NewProof {
        tip: "ff".to_owned(),
        binding: Binding::Transaction,
        ..proof(&eve, "t", NOW, &[coin(1, 5)])
    };
    assert_eq!(record(&store, &taken).await, Recorded::Replayed);
    let new = NewProof {
        tx_hash: "new".to_owned(),
        ..taken
    };
    assert_eq!(
        record(&store, &new).await,
        Recorded::Verified { total_sats: 5 }
    );
    assert!(store.delete_profile("hal").await.unwrap());
}
