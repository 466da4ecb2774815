//! Keys and secrets that the server makes for itself on first start.

use sqlx::FromRow;

use super::Store;
use crate::keyed_hash::KeyedHash;
use chain::clock::UnixTime;

/// One stored key. The material is never shown in debug output.
#[derive(Clone, FromRow)]
pub struct StoredKey {
    /// The row's id. The first of a purpose has the name of the purpose, so that it is made once.
    pub id: String,
    /// The key itself, hex.
    pub material: String,
    /// When it was made, unix seconds.
    pub created_at: UnixTime,
}

/// Of keys of one second, the one with the larger id.
pub(crate) const NEWEST_KEY: &str =
    "select material from server_keys where purpose = $1 order by created_at desc, id desc limit 1";

impl Store {
    /// The newest key of `purpose`, as it is stored.
    pub async fn newest_key(&self, purpose: &str) -> Result<Option<String>, sqlx::Error> {
        self.query(NEWEST_KEY, &[&purpose]).scalar().await
    }

    /// The keys of `purpose`, newest first.
    pub async fn keys(&self, purpose: &str) -> Result<Vec<StoredKey>, sqlx::Error> {
        self.query(
            "select id, material, created_at from server_keys where purpose = $1 order by created_at desc, id",
            &[&purpose],
        )
        .all()
        .await
    }

    /// Adds a key unless its id is there already: several replicas that start together end up with
    /// one key.
    pub async fn add_key(
        &self,
        id: &str,
        purpose: &str,
        material: &str,
        now: UnixTime,
    ) -> Result<(), sqlx::Error> {
        self.query(
            "insert into server_keys (id, purpose, material, created_at) values ($1, $2, $3, $4)
             on conflict (id) do nothing",
            &[&id, &purpose, &material, &now],
        )
        .run()
        .await
    }
}

impl Store {
    /// Forgets the keys of `purpose` that were made before `time`.
    pub async fn forget_keys(&self, purpose: &str, time: UnixTime) -> Result<(), sqlx::Error> {
        self.query(
            "delete from server_keys where purpose = $1 and created_at < $2",
            &[&purpose, &time],
        )
        .run()
        .await
    }

    /// The secret of this purpose, 32 random bytes that are made on first use and then stay. All
    /// replicas get the same one, because the database keeps the first.
    pub async fn secret(&self, purpose: &str, now: UnixTime) -> Result<Vec<u8>, sqlx::Error> {
        let fresh: [u8; 32] = rand::random();
        self.add_key(purpose, purpose, &hex::encode(fresh), now)
            .await?;
        let kept = self.keys(purpose).await?;
        let material = kept.first().ok_or(sqlx::Error::RowNotFound)?;
        hex::decode(&material.material).map_err(|error| sqlx::Error::Decode(Box::new(error)))
    }

    /// Hashes under the stored secret of this purpose, which is made on first use.
    pub async fn keyed_hash(&self, purpose: &str, now: UnixTime) -> Result<KeyedHash, sqlx::Error> {
        Ok(KeyedHash::new(&self.secret(purpose, now).await?))
    }
}
