//! Hashes that nobody can compute without a secret of this server.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// HMAC-SHA256 (RFC 2104) with a secret from the database, which all replicas share.
#[derive(Clone, Debug)]
pub struct KeyedHash(Hmac<Sha256>);

impl KeyedHash {
    /// Creates the hash function with this secret.
    pub fn new(secret: &[u8]) -> Self {
        Self(Hmac::new_from_slice(secret).expect("HMAC takes a key of any length (RFC 2104)"))
    }

    /// The hash of these parts. Each is preceded by its length, so ("ab", "c") and ("a", "bc") differ.
    pub fn hash(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.0.clone();
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_into_each_other() {
        let hash = KeyedHash::new(b"secret");
        assert_eq!(hash.hash(&[b"ab", b"c"]), hash.hash(&[b"ab", b"c"]));
        assert_ne!(hash.hash(&[b"ab", b"c"]), hash.hash(&[b"a", b"bc"]));
        assert_ne!(hash.hash(&[b"ab", b""]), hash.hash(&[b"ab"]));
        assert_ne!(hash.hash(&[b"ab"]), KeyedHash::new(b"other").hash(&[b"ab"]));
    }
}
