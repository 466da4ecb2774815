//! Pictures of people, as fetched from their provider: a copy that replicas share.

use sqlx::FromRow;

use super::{Store, each};
use crate::clock::UnixTime;

/// What a provider said about a picture.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct KeptPicture {
    /// Where it came from.
    pub source_url: String,
    /// Until when the provider is not asked again, unix seconds.
    pub fresh_until: UnixTime,
    /// `image/png` or `image/jpeg`; none when there was no picture.
    pub media_type: Option<String>,
    /// The file in base64.
    pub content: Option<String>,
}

impl Store {
    /// The picture kept for a profile.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn picture(&self, profile_id: &str) -> Result<Option<KeptPicture>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as(
                "select source_url, fresh_until, media_type, content from pictures where profile_id = $1",
            )
            .bind(profile_id)
            .fetch_optional(pool)
            .await
        })
    }

    /// Keeps a picture in place of an older one.
    ///
    /// # Errors
    /// When the database fails, or there is no such profile any more.
    pub async fn keep_picture(
        &self,
        profile_id: &str,
        picture: &KeptPicture,
    ) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            sqlx::query(
                "insert into pictures (profile_id, source_url, fresh_until, media_type, content)
                 values ($1, $2, $3, $4, $5)
                 on conflict (profile_id) do update set
                   source_url = excluded.source_url, fresh_until = excluded.fresh_until,
                   media_type = excluded.media_type, content = excluded.content",
            )
            .bind(profile_id)
            .bind(&picture.source_url)
            .bind(picture.fresh_until)
            .bind(&picture.media_type)
            .bind(&picture.content)
            .execute(pool)
            .await?;
            Ok(())
        })
    }
}
