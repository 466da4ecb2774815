//! What the server does by itself: ending proofs at their moment, verifying premium users again, and forgetting what is over.

mod expiry;
mod failing;
mod killed;
mod reverify;
mod run;
mod tidy;

use sqlx::AssertSqlSafe;
use store::{Database, Store};

/// Says what no handler says.
pub(super) async fn execute(store: &Store, sql: impl Into<String>) {
    let sql = AssertSqlSafe(sql.into());
    let done = match store.database() {
        Database::Sqlite(pool) => sqlx::query(sql).execute(pool).await.map(drop),
        Database::Postgres(pool) => sqlx::query(sql).execute(pool).await.map(drop),
    };
    done.expect("a database");
}

/// Gives somebody a tier, as the payment provider's word does.
pub(super) async fn set_tier(store: &Store, user: &str, tier: &str) {
    execute(
        store,
        format!("update profiles set tier = '{tier}' where id = '{user}'"),
    )
    .await;
}
