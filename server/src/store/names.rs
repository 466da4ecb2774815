//! Profiles by the name that a shared link says.

use super::Store;
use super::profiles::Profile;

impl Store {
    /// The profile with this name, at this provider or at any. Names of several providers can be alike: those
    /// of `first` come first, and of those alike whoever proves most.
    pub async fn profile_by_name(
        &self,
        provider: Option<&str>,
        name: &str,
        first: Option<&str>,
    ) -> Result<Option<Profile>, sqlx::Error> {
        let provider = provider.map(str::to_owned);
        self.query(
            "select * from profiles
             where username_folded = $1 and (cast($2 as text) is null or provider = $2)
             order by case when provider = $3 then 0 else 1 end, coalesce(holdings_sats, 0) desc, id
             limit 1",
            &[&name.to_lowercase(), &provider, &first.map(str::to_owned)],
        )
        .optional()
        .await
    }
}
