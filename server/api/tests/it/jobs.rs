//! What the server does by itself: ending proofs at their moment, verifying premium users again, and forgetting what is over.

mod expiry;
mod failing;
mod reverify;
mod tidy;

use store::Store;

use crate::support::database::run;

/// Says what no handler says.
pub(super) async fn execute(store: &Store, sql: impl Into<String>) {
    run(store.database(), sql).await.unwrap();
}

/// Gives a user a tier, as the payment provider's word does.
pub(super) async fn set_tier(store: &Store, user: &str, tier: &str) {
    let tier = format!("update profiles set tier = '{tier}' where id = '{user}'");
    execute(store, tier).await;
}
