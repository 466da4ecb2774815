//! Work that is dropped halfway leaves nothing behind.

use super::*;
use crate::support::faults::cut_off;

/// The sessions of this database with an idle open transaction.
const IDLE: &str = "select count(*) from pg_stat_activity \
    where datname = current_database() and state like 'idle in transaction%'";

/// A connection whose `BEGIN` is forgotten keeps its locks for ever, and swallows the writes of the next request that gets it.
#[tokio::test]
async fn no_transaction_stays_open_wherever_a_request_is_cut_off() {
    let database = TestDatabase::postgres().await;
    let store = database.store().await;
    let (person, block) = (user(&store, "alice").await, followed());
    for polls in 1.. {
        let change = store.start_following("regtest", &block);
        if let Some(done) = cut_off(change, polls).await {
            done.unwrap();
            break;
        }
    }
    store.choose_free_tier(&person.id, NOW).await.unwrap();
    let mut connection = PgConnection::connect(&database.url).await.unwrap();
    // Connections are rolled back a moment after they return to the pool.
    until("every transaction has ended", async || {
        let idle = sqlx::query_scalar(IDLE).fetch_one(&mut connection).await;
        matches!(idle, Ok(0_i64)).then_some(())
    })
    .await;
}
