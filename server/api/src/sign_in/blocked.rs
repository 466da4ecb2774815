//! Users whom the operator has blocked.
//!
//! The list contains keyed hashes of accounts at providers: it names nobody, and users stay blocked when their account here is
//! deleted.

use chain::clock::UnixTime;
use store::Store;
use store::keyed_hash::KeyedHash;
use store::profiles::Profile;

#[derive(Debug)]
pub struct Blocked {
    store: Store,
    secret: KeyedHash,
}

impl Blocked {
    /// Reads the secret of the hashes, which all replicas share.
    pub async fn load(store: Store, now: UnixTime) -> sqlx::Result<Self> {
        let secret = store.keyed_hash("blocked", now).await?;
        Ok(Self { store, secret })
    }

    /// The hash of an account at a provider, by which it is blocked.
    pub fn hash(&self, provider: &str, subject: &str) -> String {
        hex::encode(self.secret.hash(&[provider.as_bytes(), subject.as_bytes()]))
    }

    /// Whether this account at a provider is blocked.
    pub async fn contains(&self, provider: &str, subject: &str) -> sqlx::Result<bool> {
        self.store.is_blocked(&self.hash(provider, subject)).await
    }

    /// Blocks a user, ends all sessions, and returns the hash that unblocks the user again.
    ///
    /// A session that begins at the same moment ends too: the hash is on the list before sessions end, and a new session is
    /// checked against the list afterwards.
    pub async fn block(&self, profile: &Profile, now: UnixTime) -> sqlx::Result<String> {
        let hash = self.hash(&profile.provider, &profile.subject);
        self.store.block(&hash, now).await?;
        self.store.end_sessions(&profile.id).await?;
        Ok(hash)
    }
}
