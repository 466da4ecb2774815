//! Profiles by the name that a shared link says.

use super::profiles::Profile;
use super::{Store, each};

impl Store {
    /// The profile with this name, at this provider or at any. Names of several providers can be alike: X's come
    /// first, because they are shown bare, and of those alike whoever proves most.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn profile_by_name(
        &self,
        provider: Option<&str>,
        name: &str,
    ) -> Result<Option<Profile>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as(
                "select * from profiles
                 where username_folded = $1 and (cast($2 as text) is null or provider = $2)
                 order by case provider when 'twitter' then 0 else 1 end, coalesce(holdings_sats, 0) desc, id
                 limit 1",
            )
            .bind(name.to_lowercase())
            .bind(provider)
            .fetch_optional(pool)
            .await
        })
    }
}
