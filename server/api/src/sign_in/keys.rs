//! The keys that sign access tokens: ES256 (RFC 7518, section 3.4), kept in the database.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use jsonwebtoken::jwk::{Jwk, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use uuid::Uuid;

use chain::clock::UnixTime;
use store::Store;
use store::keys::StoredKey;

/// The purpose under which the database stores signing keys.
const PURPOSE: &str = "jwt";

/// One key pair.
#[derive(Debug)]
pub struct SigningKey {
    /// Its debug output is redacted.
    pub encoding: EncodingKey,
    pub decoding: DecodingKey,
    /// The public half (RFC 7517), whose `kid` is the key's SHA-256 thumbprint (RFC 7638), so that it always fits the key.
    pub public: Jwk,
    /// When it was made, unix seconds.
    created_at: UnixTime,
}

/// Why there is no signing key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the signing key in the database is invalid: {0}")]
    Broken(String),
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

/// How long a new key is listed before it signs, in seconds: clients cache the key set for ten minutes, and replicas read
/// it again every [`REREAD`] seconds, so every client has the key before its first token.
pub const LISTED_FIRST: i64 = 10 * 60 + REREAD;

/// The greatest age of cached keys, in seconds.
pub const REREAD: i64 = 60;

/// How long an access token is valid, in seconds.
pub(super) const LIFETIME: i64 = 60 * 60;

/// How long a key verifies tokens after its successor begins to sign, in seconds: until its last token has expired.
const OUTLIVES: i64 = LIFETIME + REREAD;

/// A copy of the keys, newest first.
#[derive(Debug)]
pub struct SigningKeys(Vec<SigningKey>);

impl SigningKeys {
    /// Reads the keys, or makes the first one.
    pub async fn load(store: &Store, now: UnixTime) -> Result<Self, KeyError> {
        let mut stored = store.keys(PURPOSE).await?;
        if stored.is_empty() {
            // The first key has a fixed id, so of several replicas that start together one inserts the key and the others
            // read it.
            store.add_key(PURPOSE, PURPOSE, &generate()?, now).await?;
            stored = store.keys(PURPOSE).await?;
        }
        let keys = stored.iter().map(SigningKey::from_stored);
        keys.collect::<Result<_, _>>().map(Self)
    }

    /// The key that signs: the newest that was listed long enough, or the very first.
    pub fn current(&self, now: UnixTime) -> Option<&SigningKey> {
        let known = self.0.iter().find(|key| key.signs_from() <= now);
        known.or_else(|| self.0.last())
    }

    /// The key of this name, unless all its tokens have expired.
    pub fn find(&self, kid: &str, now: UnixTime) -> Option<&SigningKey> {
        self.in_use(now).find(|key| key.kid() == Some(kid))
    }

    /// Every key that may have signed a token that is not expired, newest first.
    pub fn in_use(&self, now: UnixTime) -> impl Iterator<Item = &SigningKey> {
        let successors = std::iter::once(None).chain(self.0.iter().map(Some));
        self.0
            .iter()
            .zip(successors)
            .take_while(move |(_, successor)| {
                successor.is_none_or(|next| next.signs_from() + OUTLIVES > now)
            })
            .map(|(key, _)| key)
    }
}

/// Makes a new key. Every replica reads it within [`REREAD`] and signs with it after [`LISTED_FIRST`]. Keys whose tokens
/// have all expired are deleted.
pub async fn rotate(store: &Store, now: UnixTime) -> Result<String, KeyError> {
    // Makes the first key, if there is none, to sign with meanwhile.
    let before = SigningKeys::load(store, now).await?;
    if let Some(oldest) = before.in_use(now).last() {
        store.forget_keys(PURPOSE, oldest.created_at).await?;
    }
    let id = Uuid::now_v7().to_string();
    store.add_key(&id, PURPOSE, &generate()?, now).await?;
    let after = SigningKeys::load(store, now).await?;
    let newest = after.0.into_iter().next();
    newest
        .and_then(|key| key.public.common.key_id)
        .ok_or_else(|| broken("it is missing"))
}

impl SigningKey {
    fn kid(&self) -> Option<&str> {
        self.public.common.key_id.as_deref()
    }

    /// When it begins to sign, unix seconds.
    fn signs_from(&self) -> UnixTime {
        self.created_at + LISTED_FIRST
    }

    /// Reads a stored key: PKCS#8 (RFC 5958), hex.
    fn from_stored(stored: &StoredKey) -> Result<Self, KeyError> {
        let pkcs8 = hex::decode(&stored.material).map_err(broken)?;
        let encoding = EncodingKey::from_ec_der(&pkcs8);
        let mut public = Jwk::from_encoding_key(&encoding, Algorithm::ES256).map_err(broken)?;
        let kid = public.thumbprint(ThumbprintHash::SHA256).map_err(broken)?;
        public.common.key_id = Some(kid);
        public.common.public_key_use = Some(PublicKeyUse::Signature);
        Ok(Self {
            decoding: DecodingKey::from_jwk(&public).map_err(broken)?,
            public,
            encoding,
            created_at: stored.created_at,
        })
    }
}

fn generate() -> Result<String, KeyError> {
    let pkcs8 =
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .map_err(broken)?;
    Ok(hex::encode(pkcs8.as_ref()))
}

fn broken(why: impl std::fmt::Display) -> KeyError {
    KeyError::Broken(why.to_string())
}
