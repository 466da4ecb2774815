//! The keys that sign access tokens: ES256 (RFC 7518, section 3.4), kept in the database.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, ThumbprintHash};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use uuid::Uuid;

use chain::clock::UnixTime;
use store::Store;
use store::keys::StoredKey;

/// Under which the database keeps signing keys.
const PURPOSE: &str = "jwt";

/// One key pair.
pub struct SigningKey {
    /// Signs. Its own debug output is redacted, but it is left out all the same.
    pub encoding: EncodingKey,
    /// Checks.
    pub decoding: DecodingKey,
    /// What everybody may know.
    pub public: PublicKey,
    /// When it was made, unix seconds.
    created_at: UnixTime,
}

impl std::fmt::Debug for SigningKey {
    /// Shows the public half.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SigningKey").field(&self.public.kid).finish()
    }
}

/// The public half: a point on P-256.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// The key's SHA-256 thumbprint (RFC 7638), so that a key and its name cannot part.
    pub kid: String,
    /// First coordinate, base64url.
    pub x: String,
    /// Second coordinate, base64url.
    pub y: String,
}

/// Why there is no key to sign with.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the signing key cannot be used: {0}")]
    Broken(String),
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

/// For how long a new key is only published, in seconds: clients keep the key set for ten minutes, and a replica
/// reads it again every [`REREAD`] seconds, so nobody meets a token whose key is not known yet.
pub const PUBLISHED_FIRST: i64 = 10 * 60 + REREAD;

/// How old the keys in memory may get, in seconds.
pub const REREAD: i64 = 60;

/// How long an access token is valid, in seconds.
pub(super) const LIFETIME: i64 = 60 * 60;

/// For how long a key checks tokens after its successor has begun to sign, in seconds: until the last one that it
/// signed has expired.
const OUTLIVES: i64 = LIFETIME + REREAD;

/// The keys as the database had them at some moment, newest first.
#[derive(Debug)]
pub struct SigningKeys(Vec<SigningKey>);

impl SigningKeys {
    /// Reads the keys, or makes the first one.
    pub async fn load(store: &Store, now: UnixTime) -> Result<Self, KeyError> {
        let mut stored = store.keys(PURPOSE).await?;
        if stored.is_empty() {
            // The row of the first key has a fixed id, so of several replicas that start together
            // one inserts and the others read what it inserted.
            store.add_key(PURPOSE, PURPOSE, &generate()?, now).await?;
            stored = store.keys(PURPOSE).await?;
        }
        let keys: Vec<_> = stored
            .iter()
            .map(SigningKey::read)
            .collect::<Result<_, _>>()?;
        if keys.is_empty() {
            return Err(broken("it is missing"));
        }
        Ok(Self(keys))
    }

    /// The key that signs: the newest one that everybody knows by now, or the first of all.
    #[must_use]
    pub fn current(&self, now: UnixTime) -> Option<&SigningKey> {
        let known = self.0.iter().find(|key| key.signs_from() <= now);
        known.or_else(|| self.0.last())
    }

    /// The key of this name, unless all that it signed has expired.
    #[must_use]
    pub fn find(&self, kid: &str, now: UnixTime) -> Option<&SigningKey> {
        self.in_use(now).find(|key| key.public.kid == kid)
    }

    /// Every key that may meet a token, newest first.
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

/// Makes a new key, which every replica finds by itself and signs with once it has been published for a while.
/// Keys whose last token has expired are forgotten.
pub async fn rotate(store: &Store, now: UnixTime) -> Result<String, KeyError> {
    // So that there is one to go on with meanwhile.
    let before = SigningKeys::load(store, now).await?;
    if let Some(oldest) = before.in_use(now).last() {
        store.forget_keys(PURPOSE, oldest.created_at).await?;
    }
    let id = Uuid::now_v7().to_string();
    store.add_key(&id, PURPOSE, &generate()?, now).await?;
    let after = SigningKeys::load(store, now).await?;
    let newest = after.0.into_iter().next();
    newest
        .map(|key| key.public.kid)
        .ok_or_else(|| broken("it is missing"))
}

impl SigningKey {
    /// When it begins to sign, unix seconds.
    fn signs_from(&self) -> UnixTime {
        self.created_at + PUBLISHED_FIRST
    }

    /// Reads a key as the database keeps it: PKCS#8 (RFC 5958), hex.
    fn read(stored: &StoredKey) -> Result<Self, KeyError> {
        let pkcs8 = hex::decode(&stored.material).map_err(broken)?;
        let encoding = EncodingKey::from_ec_der(&pkcs8);
        let jwk = Jwk::from_encoding_key(&encoding, Algorithm::ES256).map_err(broken)?;
        let AlgorithmParameters::EllipticCurve(point) = &jwk.algorithm else {
            return Err(broken("it is of another kind"));
        };
        Ok(Self {
            public: PublicKey {
                kid: jwk.thumbprint(ThumbprintHash::SHA256).map_err(broken)?,
                x: point.x.clone(),
                y: point.y.clone(),
            },
            decoding: DecodingKey::from_jwk(&jwk).map_err(broken)?,
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
