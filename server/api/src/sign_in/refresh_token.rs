//! Refresh tokens. They are derived, not stored: the session's id, the number of its rotations, and a MAC over both. So the
//! server can tell a used token from a forged one, and gives two requests that refresh at the same moment the same new
//! token.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// Makes and verifies refresh tokens.
#[derive(Debug)]
pub struct RefreshTokens(Hmac<Sha256>);

/// A genuine refresh token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefreshToken {
    pub session_id: String,
    /// The number of rotations before it.
    pub counter: i64,
}

impl RefreshTokens {
    /// Derives tokens from this secret.
    pub fn new(secret: &[u8]) -> Self {
        Self(Hmac::new_from_slice(secret).expect("HMAC takes a key of any length (RFC 2104)"))
    }

    /// The token of this session after `counter` rotations.
    pub fn token(&self, session_id: &str, counter: i64) -> String {
        let mac = self.mac(session_id, counter).finalize().into_bytes();
        format!("{session_id}.{counter}.{}", URL_SAFE_NO_PAD.encode(mac))
    }

    /// The contents of a token; none when it is forged.
    pub fn verify(&self, token: &str) -> Option<RefreshToken> {
        let (rest, mac) = token.rsplit_once('.')?;
        let token = parse(rest)?;
        let mac = URL_SAFE_NO_PAD.decode(mac).ok()?;
        // Compares in constant time.
        let expected = self.mac(&token.session_id, token.counter);
        expected.verify_slice(&mac).ok().map(|()| token)
    }

    fn mac(&self, session_id: &str, counter: i64) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        // A UUID's text always has the same length, so the two parts are unambiguous.
        mac.update(session_id.as_bytes());
        mac.update(&counter.to_be_bytes());
        mac
    }
}

/// What a client in cookie mode gets in place of the refresh token: it names the session, changes with every rotation, and is
/// useless without the cookie.
pub fn rotation_id(session_id: &str, counter: i64) -> String {
    format!("{session_id}.{counter}")
}

/// The session that a rotation id names.
pub fn session_of(rotation_id: &str) -> Option<String> {
    parse(rotation_id).map(|token| token.session_id)
}

fn parse(text: &str) -> Option<RefreshToken> {
    let (session_id, counter) = text.split_once('.')?;
    let token = RefreshToken {
        session_id: Uuid::try_parse(session_id).ok()?.to_string(),
        counter: counter.parse().ok()?,
    };
    // Only our own spelling, so that each id has one.
    (rotation_id(&token.session_id, token.counter) == text).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = "11111111-2222-4333-8444-555555555555";

    #[test]
    fn a_token_reads_back_as_what_it_was_made_for() {
        let tokens = RefreshTokens::new(&[1; 32]);
        assert_eq!(
            tokens.verify(&tokens.token(SESSION, 7)),
            Some(RefreshToken {
                session_id: SESSION.to_owned(),
                counter: 7
            })
        );
    }

    #[test]
    fn a_changed_token_was_never_made() {
        let tokens = RefreshTokens::new(&[1; 32]);
        let token = tokens.token(SESSION, 7);
        let mac = token.rsplit_once('.').map_or("", |(_, mac)| mac);
        for changed in [
            format!("{SESSION}.8.{mac}"),
            format!("{SESSION}.07.{mac}"),
            format!("{SESSION}.+7.{mac}"),
            format!("{}.7.{mac}", SESSION.replace('1', "2")),
            format!("{}.7.{mac}", SESSION.replace('-', "")),
            format!("{SESSION}.7."),
            format!("{SESSION}.7"),
            RefreshTokens::new(&[2; 32]).token(SESSION, 7),
            rotation_id(SESSION, 7),
            String::new(),
        ] {
            assert_eq!(tokens.verify(&changed), None, "{changed}");
        }
        for at in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[at] ^= 1;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert_eq!(tokens.verify(&changed), None, "{changed}");
            }
        }
    }

    #[test]
    fn a_rotation_id_names_its_session() {
        assert_eq!(
            session_of(&rotation_id(SESSION, 3)).as_deref(),
            Some(SESSION)
        );
        assert_eq!(session_of("nonsense"), None);
    }
}
