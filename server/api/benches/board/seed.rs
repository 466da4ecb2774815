//! Boards of any size, written directly into the database.

use sqlx::{PgPool, SqlitePool};

/// The holder of a number: an id, a name, and an amount that few share.
const SQLITE: &str = "
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < $1)
    insert into profiles (id, provider, subject, username, username_folded, named, avatar_url, tier, holdings_sats,
        last_verified, created_at, updated_at)
    select printf('%08x-0000-4000-8000-%012x', (n * 2654435761) & 4294967295, n), 'twitter', n,
        'holder_' || ((n * 7919) % 1000003), 'holder_' || ((n * 7919) % 1000003), true,
        case when n % 2 = 0 then 'https://pbs.twimg.com/profile_images/' || n end, 'free',
        case when n % 10 = 0 then null else 1 + (n * 48271) % 999983 * 7 end, 1790000000 + n % 86400, 1790000000, 1790000000
    from numbers";

const POSTGRES: &str = "
    insert into profiles (id, provider, subject, username, username_folded, named, avatar_url, tier, holdings_sats,
        last_verified, created_at, updated_at)
    select lpad(to_hex((n * 2654435761) & 4294967295), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(n), 12, '0'),
        'twitter', cast(n as text), 'holder_' || ((n * 7919) % 1000003), 'holder_' || ((n * 7919) % 1000003), true,
        case when n % 2 = 0 then 'https://pbs.twimg.com/profile_images/' || n end, 'free',
        case when n % 10 = 0 then null else 1 + (n * 48271) % 999983 * 7 end, 1790000000 + n % 86400, 1790000000, 1790000000
    from generate_series(cast(1 as bigint), $1) as n";

/// An empty database of this name on a PostgreSQL server; an existing one is dropped.
pub(crate) async fn new_database(server: &str, name: &str) -> sqlx::Result<String> {
    let pool = PgPool::connect(server).await?;
    for statement in ["drop database if exists", "create database"] {
        let statement = sqlx::AssertSqlSafe(format!("{statement} {name}"));
        sqlx::raw_sql(statement).execute(&pool).await?;
    }
    pool.close().await;
    let mut url =
        url::Url::parse(server).map_err(|error| sqlx::Error::Configuration(error.into()))?;
    url.set_path(name);
    Ok(url.into())
}

/// A database with a board.
pub(crate) enum Database {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Database {
    /// Opens a database that a server has created.
    pub(crate) async fn open(url: &str) -> sqlx::Result<Self> {
        Ok(if url.starts_with("sqlite:") {
            Self::Sqlite(SqlitePool::connect(url).await?)
        } else {
            Self::Postgres(PgPool::connect(url).await?)
        })
    }

    /// Adds holders. Servers that start later find them; running ones are not notified.
    pub(crate) async fn seed(&self, holders: i64) -> sqlx::Result<()> {
        const QUIET: &str = "delete from unsent_changes";
        match self {
            Self::Sqlite(pool) => {
                let mut connection = pool.acquire().await?;
                // Fast rather than durable.
                const QUICK: &str = "pragma cache_size = -500000; pragma synchronous = off";
                sqlx::raw_sql(QUICK).execute(&mut *connection).await?;
                let seed = sqlx::query(SQLITE).bind(holders);
                seed.execute(&mut *connection).await?;
                sqlx::query(QUIET).execute(&mut *connection).await?;
            }
            Self::Postgres(pool) => {
                sqlx::query(POSTGRES).bind(holders).execute(pool).await?;
                sqlx::raw_sql(QUIET).execute(pool).await?;
                sqlx::raw_sql("vacuum analyze").execute(pool).await?;
            }
        }
        Ok(())
    }

    /// Changes a holder's amount.
    pub(crate) async fn change(&self, number: i64, sats: i64) -> sqlx::Result<()> {
        const CHANGE: &str =
            "update profiles set holdings_sats = $2 where subject = $1 and provider = 'twitter'";
        let subject = number.to_string();
        match self {
            Self::Sqlite(pool) => {
                let change = sqlx::query(CHANGE).bind(subject).bind(sats);
                change.execute(pool).await.map(drop)
            }
            Self::Postgres(pool) => {
                let change = sqlx::query(CHANGE).bind(subject).bind(sats);
                change.execute(pool).await.map(drop)
            }
        }
    }

    pub(crate) async fn close(self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

/// The id of the holder of this number.
pub(crate) fn id(number: u64) -> String {
    let scattered = (number * 2_654_435_761) & 0xffff_ffff;
    format!("{scattered:08x}-0000-4000-8000-{number:012x}")
}

/// The name of the holder of this number.
pub(crate) fn name(number: u64) -> String {
    format!("holder_{}", (number * 7919) % 1_000_003)
}
