//! The board from the database: rows with ranks, by one statement. Tests compare the server's board in memory with it.

use chain::clock::UnixTime;
use sqlx::{AssertSqlSafe, FromRow};

use crate::support::prelude::*;

/// A profile with its rank.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub(crate) struct BoardRow {
    pub(crate) id: String,
    pub(crate) provider: String,
    pub(crate) username: String,
    pub(crate) avatar_url: Option<String>,
    pub(crate) shown_as: ShownAs,
    pub(crate) holdings_sats: Option<i64>,
    pub(crate) published_sats: Option<i64>,
    pub(crate) rank: Option<i64>,
    pub(crate) last_verified: Option<UnixTime>,
    pub(crate) updated_at: UnixTime,
}

/// The board's order: most sats first, then earlier `last_verified`, then id; those without holdings last.
const ORDER: &str =
    "coalesce(shown_sats, 0) desc, coalesce(shown_verified, 9223372036854775807), id";

/// The columns of a row with its rank, as in a competition.
const ROW: &str = "id, provider, username, avatar_url, shown_as, shown_sats as holdings_sats, published_sats,
    case when shown_sats is not null then 1 + (
      select count(*) from profiles as better where coalesce(better.shown_sats, 0) > profiles.shown_sats
    ) end as rank, shown_verified as last_verified, shown_updated_at as updated_at";

/// All rows in the board's order.
pub(crate) async fn board(store: &Store) -> Vec<BoardRow> {
    let all = AssertSqlSafe(format!("select {ROW} from profiles order by {ORDER}"));
    let rows = match store.database() {
        Database::Sqlite(pool) => sqlx::query_as(all).fetch_all(pool).await,
        Database::Postgres(pool) => sqlx::query_as(all).fetch_all(pool).await,
    };
    rows.unwrap()
}
