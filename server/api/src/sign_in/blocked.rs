//! People whom the operator keeps out.
//!
//! They are known by keyed hashes of their accounts at the providers, so that they stay out when their account here is deleted, and the
//! list names nobody.

use chain::clock::UnixTime;
use store::Store;
use store::keyed_hash::KeyedHash;
use store::profiles::Profile;

/// Who is kept out.
#[derive(Debug)]
pub struct Blocked {
    store: Store,
    secret: KeyedHash,
}

impl Blocked {
    /// Names people under a secret that all replicas share.
    pub async fn load(store: Store, now: UnixTime) -> sqlx::Result<Self> {
        let secret = store.keyed_hash("blocked", now).await?;
        Ok(Self { store, secret })
    }

    /// The word for somebody's account at a provider that says nothing about it to others.
    fn word(&self, provider: &str, subject: &str) -> String {
        hex::encode(self.secret.of(&[provider.as_bytes(), subject.as_bytes()]))
    }

    /// Whether this account at a provider is kept out.
    pub async fn has(&self, provider: &str, subject: &str) -> sqlx::Result<bool> {
        self.store.is_blocked(&self.word(provider, subject)).await
    }

    /// Keeps somebody out from now on, and ends their sessions. Answers the word that lifts it.
    ///
    /// A session that begins at this moment is ended as well: first the word is on the list, then sessions end; and whoever begins
    /// a session looks at the list afterwards.
    pub async fn block(&self, profile: &Profile, now: UnixTime) -> sqlx::Result<String> {
        let word = self.word(&profile.provider, &profile.subject);
        self.store.block(&word, now).await?;
        self.store.end_sessions(&profile.id).await?;
        Ok(word)
    }

    /// Lets somebody in again; false when nobody was kept out.
    pub async fn lift(&self, profile: &Profile) -> sqlx::Result<bool> {
        let word = self.word(&profile.provider, &profile.subject);
        self.store.unblock(&word).await
    }

    /// The same by the word that [`Self::block`] answered, for somebody whose account is gone.
    pub async fn lift_word(&self, word: &str) -> sqlx::Result<bool> {
        self.store.unblock(word).await
    }
}
