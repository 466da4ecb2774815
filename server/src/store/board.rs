//! The leaderboard's reading side: rows with ranks, searched and paged by the database.

use std::sync::LazyLock;

use sqlx::FromRow;

use super::Store;
use crate::base::clock::UnixTime;

/// A profile with its rank, as the leaderboard shows it.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct BoardRow {
    pub id: String,
    /// The name of the provider that says who this is.
    pub provider: String,
    /// The name shown.
    pub username: String,
    /// Address of the picture at the provider.
    pub avatar_url: Option<String>,
    /// Shown to its owner alone.
    pub tier: Option<String>,
    /// Sum of the live claims in sats; none when nothing is proven.
    pub holdings_sats: Option<i64>,
    /// Competition rank by holdings (decisions, D7); none when nothing is proven.
    pub rank: Option<i64>,
    /// When a proof was last accepted, unix seconds.
    pub last_verified: Option<UnixTime>,
    /// When the daily re-verification last ran, unix seconds.
    pub last_auto_reverify: Option<UnixTime>,
    /// When anything about it last changed, unix seconds.
    pub updated_at: UnixTime,
}

/// A filter of the board's rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardFilter {
    /// Only the profile with this id.
    pub id: Option<String>,
    /// Only names that match this `like` pattern, with `\` as escape; letter case does not count.
    pub username_like: Option<String>,
    /// Only those with (or without) something proven.
    pub verified: Option<bool>,
}

/// The board's order: most sats first, then earlier `last_verified`, then id; those without holdings
/// last. Exactly the expressions of the index `profiles_in_board_order`.
const ORDER: &str =
    "coalesce(holdings_sats, 0) desc, coalesce(last_verified, 9223372036854775807), id";

/// The rows that a filter lets through.
const FILTERED: &str = "from profiles
    where (cast($1 as text) is null or id = $1)
      and (cast($2 as text) is null or username_folded like $2 escape '\\')
      and ($3 = 0 or ($3 = 1 and holdings_sats is not null) or ($3 = 2 and holdings_sats is null))";

/// How many rows a filter lets through.
static COUNT: LazyLock<String> = LazyLock::new(|| format!("select count(*) {FILTERED}"));

/// One page with its ranks. The index gives the page, and each rank is the one above it plus the
/// number of profiles in between: only the first row's is counted from the top.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "with page as (
           select matching.*, coalesce(holdings_sats, 0) as sats, row_number() over (order by {ORDER}) as place
           from (select * {FILTERED} order by {ORDER} limit $4 offset $5) as matching
         ), stepped as (
           select page.*, coalesce(lag(sats) over (order by place), 9223372036854775807) as sats_above
           from page
         ), counted as (
           select stepped.*, (
             select count(*) from profiles as other
             where coalesce(other.holdings_sats, 0) > stepped.sats
               and coalesce(other.holdings_sats, 0) <= stepped.sats_above
           ) as in_between
           from stepped
         )
         select id, provider, username, avatar_url, tier, holdings_sats,
           case when holdings_sats is null then null
             else 1 + cast(sum(in_between) over (order by place) as bigint) end as rank,
           last_verified, last_auto_reverify, updated_at
         from counted order by place"
    )
});

impl BoardFilter {
    fn like(&self) -> Option<String> {
        self.username_like.as_deref().map(str::to_lowercase)
    }

    /// The filter's code in the statements: 0 everybody, 1 only verified, 2 only unverified.
    fn verified_code(&self) -> i64 {
        match self.verified {
            None => 0,
            Some(true) => 1,
            Some(false) => 2,
        }
    }
}

impl Store {
    /// The rows of a filter in the board's order: most sats first, then earlier `last_verified`,
    /// then id; those without holdings last.
    pub async fn board(
        &self,
        filter: &BoardFilter,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<BoardRow>, sqlx::Error> {
        self.query(
            PAGE.as_str(),
            &[
                &filter.id,
                &filter.like(),
                &filter.verified_code(),
                &limit,
                &offset,
            ],
        )
        .all()
        .await
    }

    /// The number of rows that a filter lets through.
    pub async fn board_count(&self, filter: &BoardFilter) -> Result<i64, sqlx::Error> {
        self.query(
            COUNT.as_str(),
            &[&filter.id, &filter.like(), &filter.verified_code()],
        )
        .value()
        .await
    }

    /// The rank of one user; none when nothing is proven.
    pub async fn rank(&self, user_id: &str) -> Result<Option<i64>, sqlx::Error> {
        self.query(
            "select 1 + (select count(*) from profiles as better
                         where coalesce(better.holdings_sats, 0) > profiles.holdings_sats)
             from profiles where id = $1 and holdings_sats is not null",
            &[&user_id],
        )
        .scalar()
        .await
    }
}
