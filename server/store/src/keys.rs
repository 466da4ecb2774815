//! Keys and secrets that the server generates on first start.

use sqlx::FromRow;

use super::Store;
use crate::keyed_hash::KeyedHash;
use chain::clock::UnixTime;

/// One stored key. Has no `Debug`, so that the key is never printed.
#[derive(Clone, FromRow)]
pub struct StoredKey {
    /// The row's id. The first key of a purpose has the name of the purpose, so that it is generated once.
    pub id: String,
    /// The key itself, hex.
    pub material: String,
    /// When it was generated, unix seconds.
    pub created_at: UnixTime,
}

/// The newest key of a purpose; of keys of the same second, the one with the larger id.
pub(crate) const NEWEST_KEY: &str =
    "select material from server_keys where purpose = $1 order by created_at desc, id desc limit 1";

pub(crate) const ADD_KEY: &str =
    "insert into server_keys (id, purpose, material, created_at) values ($1, $2, $3, $4)
    on conflict (id) do nothing";

impl Store {
    /// The newest key of `purpose`, hex.
    pub async fn newest_key(&self, purpose: &str) -> sqlx::Result<Option<String>> {
        self.query(NEWEST_KEY, &[&purpose]).scalar().await
    }

    /// The keys of `purpose`, newest first.
    pub async fn keys(&self, purpose: &str) -> sqlx::Result<Vec<StoredKey>> {
        let sql = "select id, material, created_at from server_keys where purpose = $1 order by created_at desc, id";
        self.query(sql, &[&purpose]).all().await
    }

    /// Adds a key unless its id exists already, so that replicas that start together end up with one key.
    pub async fn add_key(
        &self,
        id: &str,
        purpose: &str,
        material: &str,
        now: UnixTime,
    ) -> sqlx::Result<()> {
        self.query(ADD_KEY, &[&id, &purpose, &material, &now])
            .run()
            .await
    }

    /// Deletes the keys of `purpose` that were generated before `time`.
    pub async fn forget_keys(&self, purpose: &str, time: UnixTime) -> sqlx::Result<()> {
        let sql = "delete from server_keys where purpose = $1 and created_at < $2";
        self.query(sql, &[&purpose, &time]).run().await
    }

    /// The secret of this purpose: 32 random bytes, generated on first use. All
    /// replicas get the same one, because the database keeps the first.
    pub async fn secret(&self, purpose: &str, now: UnixTime) -> sqlx::Result<Vec<u8>> {
        let fresh: [u8; 32] = rand::random();
        self.add_key(purpose, purpose, &hex::encode(fresh), now)
            .await?;
        let material: String = self.query(NEWEST_KEY, &[&purpose]).value().await?;
        hex::decode(&material).map_err(|error| sqlx::Error::Decode(Box::new(error)))
    }

    /// The keyed hash with the secret of this purpose.
    pub async fn keyed_hash(&self, purpose: &str, now: UnixTime) -> sqlx::Result<KeyedHash> {
        Ok(KeyedHash::new(&self.secret(purpose, now).await?))
    }
}
