//! The board from the database: rows with ranks, searched and paged by one statement each. Tests compare the server's board in
//! memory with it.

use std::sync::LazyLock;

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
      and ($3 = 0 or ($3 = 1 and shown_sats is not null) or ($3 = 2 and shown_sats is null))";

/// How many rows a filter lets through.
static COUNT: LazyLock<String> = LazyLock::new(|| format!("select count(*) {FILTERED}"));

/// One page with its ranks, as in a competition.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "select id, provider, username, avatar_url, shown_as, shown_sats as holdings_sats, published_sats,
           case when shown_sats is not null then 1 + (
             select count(*) from profiles as better where coalesce(better.shown_sats, 0) > profiles.shown_sats
           ) end as rank, shown_verified as last_verified, shown_updated_at as updated_at
         {FILTERED} order by {ORDER} limit $4 offset $5"
    )
});

/// The rank of one person; none when nothing is proven.
const RANK: &str = "select 1 + (select count(*) from profiles as better
                                where coalesce(better.shown_sats, 0) > profiles.shown_sats)
     from profiles where id = $1 and shown_sats is not null";

/// Runs a query on either database.
macro_rules! asked {
    ($store:expr, $ask:ident($sql:expr), [$($value:expr),*], $fetch:ident) => {
        match $store.database() {
            Database::Sqlite(pool) => {
                sqlx::$ask(AssertSqlSafe($sql))$(.bind($value))*.$fetch(pool).await
            }
            Database::Postgres(pool) => {
                sqlx::$ask(AssertSqlSafe($sql))$(.bind($value))*.$fetch(pool).await
            }
        }
        .unwrap()
    };
}

/// The rows of a filter in the board's order.
pub(crate) async fn board(
    store: &Store,
    filter: &BoardFilter,
    limit: i64,
    offset: i64,
) -> Vec<BoardRow> {
    let (like, verified) = (like(filter), verified_code(filter));
    asked!(
        store,
        query_as(PAGE.as_str()),
        [&filter.id, &like, verified, limit, offset],
        fetch_all
    )
}

/// How many rows a filter lets through.
pub(crate) async fn board_count(store: &Store, filter: &BoardFilter) -> i64 {
    let (like, verified) = (like(filter), verified_code(filter));
    asked!(
        store,
        query_scalar(COUNT.as_str()),
        [&filter.id, &like, verified],
        fetch_one
    )
}

/// The rank of one person; none when nothing is proven.
pub(crate) async fn rank(store: &Store, user_id: &str) -> Option<i64> {
    asked!(store, query_scalar(RANK), [user_id], fetch_optional)
}

fn like(filter: &BoardFilter) -> Option<String> {
    filter.username_like.as_deref().map(str::to_lowercase)
}

/// The filter's code in the statements: 0 everybody, 1 only verified, 2 only unverified.
fn verified_code(filter: &BoardFilter) -> i64 {
    match filter.verified {
        None => 0,
        Some(true) => 1,
        Some(false) => 2,
    }
}
