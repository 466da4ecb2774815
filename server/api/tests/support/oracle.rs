//! The board from the database: rows with ranks, searched and paged by one statement each. Tests compare the server's board in
//! memory with it.

use api::board::memory::BoardFilter;
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

/// The rows that a filter lets through.
const FILTERED: &str = "from profiles
    where (cast($1 as text) is null or id = $1)
      and (cast($2 as text) is null or username_folded like $2 escape '\\')
      and (cast($3 as boolean) is null or $3 = (shown_sats is not null))";

/// The columns of a row with its rank, as in a competition.
const ROW: &str = "id, provider, username, avatar_url, shown_as, shown_sats as holdings_sats, published_sats,
    case when shown_sats is not null then 1 + (
      select count(*) from profiles as better where coalesce(better.shown_sats, 0) > profiles.shown_sats
    ) end as rank, shown_verified as last_verified, shown_updated_at as updated_at";

/// Asks for the rows of a filter, with this statement, on either database.
macro_rules! asked {
    ($store:expr, $ask:ident($sql:expr), $filter:expr, [$($value:expr),*], $fetch:ident) => {{
        let like = $filter.username_like.as_deref().map(str::to_lowercase);
        let (sql, id, verified) = (AssertSqlSafe($sql), &$filter.id, $filter.verified);
        match $store.database() {
            Database::Sqlite(pool) => {
                let query = sqlx::$ask(sql).bind(id).bind(like).bind(verified);
                query$(.bind($value))*.$fetch(pool).await
            }
            Database::Postgres(pool) => {
                let query = sqlx::$ask(sql).bind(id).bind(like).bind(verified);
                query$(.bind($value))*.$fetch(pool).await
            }
        }
        .unwrap()
    }};
}

/// The rows of a filter in the board's order.
pub(crate) async fn board(
    store: &Store,
    filter: &BoardFilter,
    limit: i64,
    offset: i64,
) -> Vec<BoardRow> {
    let page = format!("select {ROW} {FILTERED} order by {ORDER} limit $4 offset $5");
    asked!(store, query_as(page), filter, [limit, offset], fetch_all)
}

/// How many rows a filter lets through.
pub(crate) async fn board_count(store: &Store, filter: &BoardFilter) -> i64 {
    let count = format!("select count(*) {FILTERED}");
    asked!(store, query_scalar(count), filter, [], fetch_one)
}
