//! Pictures of people, as fetched from their provider: a copy that replicas share.

use sqlx::FromRow;

use super::Store;
use chain::clock::UnixTime;

/// A picture as a provider told of it.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct KeptPicture {
    pub source_url: String,
    /// The moment until which the provider is not asked again, unix seconds.
    pub fresh_until: UnixTime,
    /// `image/png` or `image/jpeg`; none when there was no picture.
    pub media_type: Option<String>,
    /// The file in base64.
    pub content: Option<String>,
}

impl Store {
    /// The picture kept for a profile.
    pub async fn picture(&self, profile_id: &str) -> Result<Option<KeptPicture>, sqlx::Error> {
        self.query(
            "select source_url, fresh_until, media_type, content from pictures where profile_id = $1",
            &[&profile_id],
        )
        .optional()
        .await
    }

    /// Keeps a picture in place of an older one.
    pub async fn keep_picture(
        &self,
        profile_id: &str,
        picture: &KeptPicture,
    ) -> Result<(), sqlx::Error> {
        self.query(
            "insert into pictures (profile_id, source_url, fresh_until, media_type, content)
             values ($1, $2, $3, $4, $5)
             on conflict (profile_id) do update set
               source_url = excluded.source_url, fresh_until = excluded.fresh_until,
               media_type = excluded.media_type, content = excluded.content",
            &[
                &profile_id,
                &picture.source_url,
                &picture.fresh_until,
                &picture.media_type,
                &picture.content,
            ],
        )
        .run()
        .await
    }
}
