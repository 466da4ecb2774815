//! Background jobs: ending proofs on time, verifying premium users again, and deleting what has expired.

mod expiry;
mod failing;
mod reverify;
mod tidy;

use crate::support::prelude::*;

/// Runs a statement that the store has no method for.
pub(crate) async fn execute(store: &Store, sql: impl Into<String>) {
    run(store.database(), sql).await.unwrap();
}

/// Sets a user's tier, as an event of Stripe does.
pub(crate) async fn set_tier(store: &Store, user: &str, tier: &str) {
    let tier = format!("update profiles set tier = '{tier}' where id = '{user}'");
    execute(store, tier).await;
}
