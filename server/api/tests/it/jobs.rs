//! Background jobs: ending proofs on time, verifying premium users again, and deleting what has expired.

mod expiry;
mod failing;
mod reverify;
mod tidy;

use std::time::Duration;

use api::jobs::Next;
use chain::clock::DAY;
use futures_util::FutureExt;
use store::Store;

use crate::support::app::{NOW, TestApp};
use crate::support::database::{TestDatabase, on_both, run};
use crate::support::rooms::Rooms;
use crate::support::until;

/// Runs a statement that the store has no method for.
pub(super) async fn execute(store: &Store, sql: impl Into<String>) {
    run(store.database(), sql).await.unwrap();
}

/// Sets a user's tier, as an event of Stripe does.
pub(super) async fn set_tier(store: &Store, user: &str, tier: &str) {
    let tier = format!("update profiles set tier = '{tier}' where id = '{user}'");
    execute(store, tier).await;
}
