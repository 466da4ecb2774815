//! Everybody as the public sees them at one moment, as fast as each database can tell: SQLite in rows that are few and long, because a
//! driver takes longer for a row and its columns than the database for what is in them, and PostgreSQL by `COPY`.

use std::pin::pin;

use bytes::Bytes;
use futures_util::stream::{BoxStream, StreamExt, TryStreamExt, once, select};
use sqlx::{Connection, PgPool};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::changes::ShownProfile;
use super::{Database, Store};

mod copied;

/// Along the table, whose order is of no matter: along another one each profile would be looked for.
const SQLITE: &str = "with recursive portions (first) as (
      select 0 union all select first + 64 from portions where first + 64 <= (select max(rowid) from profiles)
    )
    select (
      select json_group_array(json_array(id, provider, username, username_folded, avatar_url, shown_as,
        case when id in (select user_id from accounts_set_aside) then null else shown_sats end,
        case when id in (select user_id from accounts_set_aside) then null else published_sats end,
        shown_verified, shown_updated_at))
      from profiles where rowid between first and first + 63
    ) from portions";

const POSTGRES: &str = "copy (select id, provider, username, username_folded, avatar_url, shown_as,
      case when id in (select user_id from accounts_set_aside) then null else shown_sats end,
      case when id in (select user_id from accounts_set_aside) then null else published_sats end,
      shown_verified, shown_updated_at from profiles) to stdout (format binary)";

/// How many profiles are one portion: taking it apart should take much longer than handing it to a thread.
const PROFILES: usize = 256;

/// Some of them, as a database tells them.
#[derive(Debug)]
pub enum Portion {
    /// JSON: lists of profiles, each of which is a list of its columns.
    Lists(Vec<String>),
    /// Rows as they are copied out.
    Rows(Vec<Bytes>),
}

impl Portion {
    /// Takes it apart, which takes longer than to be told it.
    ///
    /// # Errors
    /// When the database has told something else.
    pub fn profiles(&self) -> Result<Vec<ShownProfile>, sqlx::Error> {
        let mut profiles = Vec::with_capacity(PROFILES);
        match self {
            Self::Lists(lists) => {
                for list in lists {
                    let some: Result<Vec<ShownProfile>, _> = serde_json::from_str(list);
                    profiles.extend(some.map_err(misread)?);
                }
            }
            Self::Rows(rows) => {
                for row in rows {
                    profiles.extend(copied::profile(row).map_err(misread)?);
                }
            }
        }
        Ok(profiles)
    }
}

fn misread(error: impl std::error::Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::Decode(error.into())
}

impl Store {
    /// All profiles, in no order, each once.
    pub fn everybody(&self) -> BoxStream<'_, Result<Portion, sqlx::Error>> {
        match self.database() {
            Database::Sqlite(_) => {
                let lists = self.query(SQLITE, &[]).texts().try_chunks(PROFILES / 64);
                let portions = lists.map_ok(Portion::Lists);
                portions.map_err(|error| error.1).boxed()
            }
            Database::Postgres(pool) => {
                let (sender, receiver) = mpsc::channel(1);
                let failure = once(copy(pool, sender)).filter_map(async |copied| copied.err());
                select(ReceiverStream::new(receiver), failure.map(Err)).boxed()
            }
        }
    }
}

/// Copies everybody, as long as somebody listens. The connection is closed then: sqlx 0.9.0 takes what is left of a copy for the
/// answer to the next question.
async fn copy(
    pool: &PgPool,
    listener: mpsc::Sender<Result<Portion, sqlx::Error>>,
) -> Result<(), sqlx::Error> {
    let mut connection = pool.acquire().await?.detach();
    {
        // Each message is a row (the manual, "Message Formats", CopyData).
        let rows = connection.copy_out_raw(POSTGRES).await?;
        let portions = rows.try_chunks(PROFILES).map_ok(Portion::Rows);
        let mut portions = pin!(portions.map_err(|error| error.1));
        while let Some(portion) = portions.try_next().await? {
            if listener.send(Ok(portion)).await.is_err() {
                break;
            }
        }
    }
    connection.close().await
}
