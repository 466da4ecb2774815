//! Everybody as the public sees them at one moment, as fast as a database can tell: a statement, whose rows are few and long,
//! because a driver takes longer for a row and its columns than the database for what is in them.

use futures_util::{Stream, TryStreamExt};

use super::changes::ShownProfile;
use super::{Database, Store};

/// Along the table, whose order is of no matter: along another one each profile would be looked for.
const SQLITE: &str = "with recursive portions (first) as (
      select 0 union all select first + 64 from portions where first + 64 <= (select max(rowid) from profiles)
    )
    select (
      select json_group_array(json_array(id, provider, username, username_folded, avatar_url, shown_as, shown_sats,
        published_sats, shown_verified, shown_updated_at))
      from profiles where rowid between first and first + 63
    ) from portions";

const POSTGRES: &str =
    "select cast(json_build_array(json_build_array(id, provider, username, username_folded, avatar_url, shown_as, shown_sats,
      published_sats, shown_verified, shown_updated_at)) as text)
    from profiles";

/// How many profiles are one portion: taking it apart should take much longer than handing it to a thread.
const PROFILES: usize = 256;

/// Some of them, as JSON: lists of profiles, each of which is a list of its columns.
#[derive(Debug)]
pub struct Portion(Vec<String>);

impl Portion {
    /// Takes it apart, which takes longer than to be told it.
    ///
    /// # Errors
    /// When the database has told something else.
    pub fn profiles(&self) -> Result<Vec<ShownProfile>, sqlx::Error> {
        let mut profiles = Vec::with_capacity(PROFILES);
        for text in &self.0 {
            let some: Vec<ShownProfile> =
                serde_json::from_str(text).map_err(|error| sqlx::Error::Decode(error.into()))?;
            profiles.extend(some);
        }
        Ok(profiles)
    }
}

impl Store {
    /// All profiles, in no order, each once.
    pub fn everybody(&self) -> impl Stream<Item = Result<Portion, sqlx::Error>> {
        let (sql, rows) = match self.database() {
            Database::Sqlite(_) => (SQLITE, PROFILES / 64),
            Database::Postgres(_) => (POSTGRES, PROFILES),
        };
        let texts = self.query(sql, &[]).texts();
        let portions = texts.try_chunks(rows).map_ok(Portion);
        portions.map_err(|error| error.1)
    }
}
