//! Profile pictures that were fetched from the providers. Replicas share them.

use sqlx::FromRow;

use super::Store;
use super::sql::Value;
use chain::clock::UnixTime;

/// A provider's picture, or that there was none.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct StoredPicture {
    pub source_url: String,
    /// When the picture may be fetched again, unix seconds.
    pub fresh_until: UnixTime,
    /// `image/png` or `image/jpeg`; none when there was no picture.
    pub media_type: Option<String>,
    /// The file in base64.
    pub content: Option<String>,
}

impl Store {
    /// The stored picture of a profile.
    pub async fn picture(&self, profile_id: &str) -> sqlx::Result<Option<StoredPicture>> {
        let sql = "select source_url, fresh_until, media_type, content from pictures where profile_id = $1";
        self.query(sql, &[&profile_id]).optional().await
    }

    /// Stores a picture in place of an older one.
    pub async fn store_picture(
        &self,
        profile_id: &str,
        picture: &StoredPicture,
    ) -> sqlx::Result<()> {
        let sql = "insert into pictures (profile_id, source_url, fresh_until, media_type, content)
            values ($1, $2, $3, $4, $5)
            on conflict (profile_id) do update set
              source_url = excluded.source_url, fresh_until = excluded.fresh_until,
              media_type = excluded.media_type, content = excluded.content";
        let values: &[&dyn Value] = &[
            &profile_id,
            &picture.source_url,
            &picture.fresh_until,
            &picture.media_type,
            &picture.content,
        ];
        self.query(sql, values).run().await
    }
}
