//! Refresh tokens. They are derived, not stored: the family's id, how often it has been rotated,
//! and a MAC over both. So a token that was already used can be told from one that never existed,
//! and two requests that refresh at the same moment can be given the same new token.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// Makes and checks refresh tokens.
pub struct RefreshTokens(Hmac<Sha256>);

impl std::fmt::Debug for RefreshTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RefreshTokens")
    }
}

/// What a genuine refresh token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presented {
    /// Which session it belongs to.
    pub family: String,
    /// How many rotations came before it.
    pub counter: i64,
}

impl RefreshTokens {
    /// Tokens that derive from this secret.
    #[must_use]
    pub fn new(secret: &[u8]) -> Self {
        Self(Hmac::new_from_slice(secret).expect("HMAC takes a key of any length (RFC 2104)"))
    }

    /// The token of this family after `counter` rotations.
    #[must_use]
    pub fn token(&self, family: &str, counter: i64) -> String {
        let mac = self.mac(family, counter).finalize().into_bytes();
        format!("{family}.{counter}.{}", URL_SAFE_NO_PAD.encode(mac))
    }

    /// Reads a token. None when we never made it.
    #[must_use]
    pub fn read(&self, token: &str) -> Option<Presented> {
        let (rest, mac) = token.rsplit_once('.')?;
        let presented = parse(rest)?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        // Compares in constant time.
        self.mac(&presented.family, presented.counter)
            .verify_slice(&mac)
            .ok()?;
        Some(presented)
    }

    fn mac(&self, family: &str, counter: i64) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        // A UUID's text always has the same length, so the two parts cannot run into each other.
        mac.update(family.as_bytes());
        mac.update(&counter.to_be_bytes());
        mac
    }
}

/// What a client in cookie mode sees in place of the refresh token: it names the family and
/// changes with every rotation, and is worth nothing without the cookie.
#[must_use]
pub fn rotation_id(family: &str, counter: i64) -> String {
    format!("{family}.{counter}")
}

/// The family that a rotation id names.
#[must_use]
pub fn family_of(rotation_id: &str) -> Option<String> {
    parse(rotation_id).map(|presented| presented.family)
}

fn parse(text: &str) -> Option<Presented> {
    let (family, counter) = text.split_once('.')?;
    let presented = Presented {
        family: Uuid::try_parse(family).ok()?.to_string(),
        counter: counter.parse().ok()?,
    };
    // Only the spelling that we write, so that nothing has two names.
    (rotation_id(&presented.family, presented.counter) == text).then_some(presented)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = "11111111-2222-4333-8444-555555555555";

    #[test]
    fn a_token_reads_back_as_what_it_was_made_for() {
        let tokens = RefreshTokens::new(&[1; 32]);
        assert_eq!(
            tokens.read(&tokens.token(FAMILY, 7)),
            Some(Presented {
                family: FAMILY.to_owned(),
                counter: 7
            })
        );
    }

    #[test]
    fn a_changed_token_was_never_made() {
        let tokens = RefreshTokens::new(&[1; 32]);
        let token = tokens.token(FAMILY, 7);
        let mac = token.rsplit_once('.').map_or("", |(_, mac)| mac);
        for changed in [
            format!("{FAMILY}.8.{mac}"),
            format!("{FAMILY}.07.{mac}"),
            format!("{FAMILY}.+7.{mac}"),
            format!("{}.7.{mac}", FAMILY.replace('1', "2")),
            format!("{}.7.{mac}", FAMILY.replace('-', "")),
            format!("{FAMILY}.7."),
            format!("{FAMILY}.7"),
            RefreshTokens::new(&[2; 32]).token(FAMILY, 7),
            rotation_id(FAMILY, 7),
            String::new(),
        ] {
            assert_eq!(tokens.read(&changed), None, "{changed}");
        }
        for at in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[at] ^= 1;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert_eq!(tokens.read(&changed), None, "{changed}");
            }
        }
    }

    #[test]
    fn a_rotation_id_names_its_family() {
        assert_eq!(family_of(&rotation_id(FAMILY, 3)).as_deref(), Some(FAMILY));
        assert_eq!(family_of("nonsense"), None);
    }
}
