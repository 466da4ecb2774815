//! The keys that sign access tokens: ES256 (RFC 7518, section 3.4), kept in the database.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, ThumbprintHash};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::UnixTime;
use crate::state::StartError;
use crate::store::Store;

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
}

impl std::fmt::Debug for SigningKey {
    /// Shows the public half.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SigningKey").field(&self.public.kid).finish()
    }
}

/// The public half as a JSON Web Key (RFC 7517; the curve's members are of RFC 7518, section 6.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublicKey {
    /// The key's SHA-256 thumbprint (RFC 7638), so that a key and its name cannot part.
    pub kid: String,
    /// The family of keys.
    #[schema(example = "EC")]
    pub kty: &'static str,
    /// The curve.
    #[schema(example = "P-256")]
    pub crv: &'static str,
    /// The only algorithm that it is used with.
    #[schema(example = "ES256")]
    pub alg: &'static str,
    /// What it is for.
    #[serde(rename = "use")]
    #[schema(example = "sig")]
    pub usage: &'static str,
    /// First coordinate, base64url.
    pub x: String,
    /// Second coordinate, base64url.
    pub y: String,
}

/// The keys in use: the newest signs, all of them check.
#[derive(Debug)]
pub struct SigningKeys {
    current: SigningKey,
    // Filled by key rotation, which comes with the sign-in issue: tokens signed before a rotation
    // stay valid until they expire.
    earlier: Vec<SigningKey>,
}

impl SigningKeys {
    /// Reads the keys, or makes the first one.
    ///
    /// # Errors
    /// When the database fails, or holds a key that cannot be used.
    pub async fn load(store: &Store, now: UnixTime) -> Result<Self, StartError> {
        let mut stored = store.keys(PURPOSE).await?;
        if stored.is_empty() {
            // The row of the first key has a fixed id, so of several replicas that start together
            // one inserts and the others read what it inserted.
            store.add_key(PURPOSE, PURPOSE, &generate()?, now).await?;
            stored = store.keys(PURPOSE).await?;
        }
        let mut keys = stored.iter().map(|key| SigningKey::read(&key.material));
        let current = keys
            .next()
            .unwrap_or_else(|| Err(broken("it is missing")))?;
        let earlier = keys.collect::<Result<_, _>>()?;
        Ok(Self { current, earlier })
    }

    /// The key that signs.
    #[must_use]
    pub fn current(&self) -> &SigningKey {
        &self.current
    }

    /// The key of this name.
    #[must_use]
    pub fn find(&self, kid: &str) -> Option<&SigningKey> {
        self.all().find(|key| key.public.kid == kid)
    }

    /// Every key, newest first.
    pub fn all(&self) -> impl Iterator<Item = &SigningKey> {
        std::iter::once(&self.current).chain(&self.earlier)
    }
}

impl SigningKey {
    /// Reads a key as the database keeps it: PKCS#8 (RFC 5958), hex.
    fn read(material: &str) -> Result<Self, StartError> {
        let pkcs8 = hex::decode(material).map_err(broken)?;
        let encoding = EncodingKey::from_ec_der(&pkcs8);
        let jwk = Jwk::from_encoding_key(&encoding, Algorithm::ES256).map_err(broken)?;
        let AlgorithmParameters::EllipticCurve(point) = &jwk.algorithm else {
            return Err(broken("it is of another kind"));
        };
        Ok(Self {
            public: PublicKey {
                kid: jwk.thumbprint(ThumbprintHash::SHA256).map_err(broken)?,
                kty: "EC",
                crv: "P-256",
                alg: "ES256",
                usage: "sig",
                x: point.x.clone(),
                y: point.y.clone(),
            },
            decoding: DecodingKey::from_jwk(&jwk).map_err(broken)?,
            encoding,
        })
    }
}

fn generate() -> Result<String, StartError> {
    let pkcs8 =
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .map_err(broken)?;
    Ok(hex::encode(pkcs8.as_ref()))
}

fn broken(why: impl std::fmt::Display) -> StartError {
    StartError::Auth(format!("the signing key cannot be used: {why}"))
}
