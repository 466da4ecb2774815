//! Codes, and Proof Key for Code Exchange (RFC 7636) with S256 only.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::error::SignInError;

/// How long a code can be exchanged, in seconds.
pub const CODE_LIFETIME: i64 = 60;

/// A new code: 256 random bits. Only its hash is stored.
pub fn new_code() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}

/// The SHA-256 of a code, hex.
pub fn code_hash(code: &str) -> String {
    hex::encode(Sha256::digest(code))
}

/// Checks a challenge (RFC 7636, section 4.2). The method `plain`, which a missing method means too, is refused, because
/// anyone who sees the request could use it (RFC 9700, section 2.1.1).
///
/// # Errors
/// When there is no S256 challenge.
pub fn challenge(challenge: Option<&str>, method: Option<&str>) -> Result<String, SignInError> {
    // The client library spells it in lower case.
    if !method.is_some_and(|method| method.eq_ignore_ascii_case("s256")) {
        return Err(SignInError::NoPkce);
    }
    let is_hash = |it: &&str| {
        URL_SAFE_NO_PAD
            .decode(it)
            .is_ok_and(|hash| hash.len() == 32)
    };
    let challenge = challenge.filter(is_hash).map(str::to_owned);
    challenge.ok_or(SignInError::BadChallenge)
}

/// Whether the challenge was made from this verifier (RFC 7636, section 4.6).
pub fn verifies(verifier: &str, challenge: &str) -> bool {
    // RFC 7636, section 4.1: 43 to 128 characters.
    let long_enough = (43..=128).contains(&verifier.len());
    let expected = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    long_enough && verify_slices_are_equal(expected.as_bytes(), challenge.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn the_published_example_verifies() {
        assert!(verifies(VERIFIER, CHALLENGE));
        assert!(!verifies(CHALLENGE, CHALLENGE));
        assert!(!verifies("", CHALLENGE));
        assert!(!verifies(&VERIFIER[1..], CHALLENGE));
    }

    #[test]
    fn only_a_whole_s256_challenge_will_do() {
        assert!(challenge(Some(CHALLENGE), Some("s256")).is_ok());
        assert!(challenge(Some(CHALLENGE), Some("S256")).is_ok());
        for (given, method) in [
            (Some(CHALLENGE), None),
            (Some(CHALLENGE), Some("plain")),
            (Some(VERIFIER), Some("plain")),
            (None, Some("s256")),
            (Some(""), Some("s256")),
            (Some(&CHALLENGE[1..]), Some("s256")),
            (None, None),
        ] {
            assert!(challenge(given, method).is_err(), "{given:?} {method:?}");
        }
    }
}
