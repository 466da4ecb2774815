//! Signed notes (C2SP signed-note): a text followed by Ed25519 signatures (RFC 8032), each with the name of its key.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The type byte of Ed25519 signatures (C2SP signed-note).
const KIND: u8 = 1;

/// The start of a signature line.
const DASH: &str = "\u{2014} ";

/// Notes with more signatures are rejected.
const MAX_SIGNATURES: usize = 64;

/// A key that checks signatures, written `name+id+key`.
#[derive(Clone, Debug, Eq)]
pub struct VerifierKey {
    name: String,
    id: [u8; 4],
    key: [u8; 32],
    /// The size of the largest checkpoint that it may sign; `None` until the key is replaced.
    until: Option<u64>,
}

impl PartialEq for VerifierKey {
    /// Compares the written form: a replaced key is still the same key.
    fn eq(&self, other: &Self) -> bool {
        (&self.name, self.key) == (&other.name, other.key)
    }
}

/// A key that signs.
#[derive(Debug)]
pub struct Signer {
    pair: Ed25519KeyPair,
    public: VerifierKey,
}

/// A text with signatures that have not been checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<Signature>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Signature {
    name: String,
    id: [u8; 4],
    signature: Vec<u8>,
}

/// Why a note, its text or a key is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    #[error("it is not a signed note")]
    Malformed,
    #[error("it is not signed by a trusted key")]
    Stranger,
    #[error("the signature of the trusted key is invalid")]
    False,
    #[error("this is not a log's key")]
    Key,
    #[error(
        "it is not a witness's verifier key for Ed25519 cosignatures (name+id+key of type 0x04), the only type this program can check"
    )]
    WitnessKey,
    #[error("it is not a checkpoint of a log")]
    NoCheckpoint,
}

impl VerifierKey {
    fn new(name: &str, key: [u8; 32]) -> Self {
        Self {
            name: name.to_owned(),
            id: key_id(name, KIND, &key),
            key,
            until: None,
        }
    }

    /// The name of the key: the origin of the log.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same key, replaced: it may sign checkpoints of up to so many entries.
    pub fn replaced(self, until: u64) -> Self {
        let until = Some(until);
        Self { until, ..self }
    }

    /// The size of the largest checkpoint that it may sign; none while it has not been replaced.
    pub fn until(&self) -> Option<u64> {
        self.until
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write_key(&self.name, KIND, &self.key))
    }
}

impl FromStr for VerifierKey {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        let (name, key) = read_key(text, KIND).ok_or(NoteError::Key)?;
        Ok(Self::new(name, key))
    }
}

/// The name and the key in `name+id+key`, when its type byte is `kind`.
pub(crate) fn read_key(text: &str, kind: u8) -> Option<(&str, [u8; 32])> {
    let mut parts = text.trim().splitn(3, '+');
    let (name, id, key) = (parts.next()?, parts.next()?, parts.next()?);
    let bytes = STANDARD.decode(key).ok()?;
    let (found, key) = bytes.split_first()?;
    let key = key.try_into().ok()?;
    let named = is_name(name) && hex::encode(key_id(name, kind, &key)) == id;
    (*found == kind && named).then_some((name, key))
}

/// A key as `name+id+key`.
pub(crate) fn write_key(name: &str, kind: u8, key: &[u8; 32]) -> String {
    let id = hex::encode(key_id(name, kind, key));
    let key: Vec<u8> = std::iter::once(kind).chain(*key).collect();
    format!("{name}+{id}+{}", STANDARD.encode(key))
}

/// The id of a key (C2SP signed-note, "Signatures").
pub(crate) fn key_id(name: &str, kind: u8, key: &[u8; 32]) -> [u8; 4] {
    let mut hasher = Sha256::new();
    hasher.update(name);
    hasher.update([b'\n', kind]);
    hasher.update(key);
    let [a, b, c, d, ..]: [u8; 32] = hasher.finalize().into();
    [a, b, c, d]
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+')
}

impl Signer {
    /// A new private key: PKCS#8 (RFC 5958), hex. `None` when the machine has no randomness.
    pub fn generate() -> Option<String> {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).ok()?;
        Some(hex::encode(pkcs8.as_ref()))
    }

    /// Reads such a private key, for the signer of this name.
    pub fn read(name: &str, material: &str) -> Option<Self> {
        let pkcs8 = hex::decode(material).ok()?;
        let pair = Ed25519KeyPair::from_pkcs8(&pkcs8).ok()?;
        let key = pair.public_key().as_ref().try_into().ok()?;
        Some(Self {
            public: VerifierKey::new(name, key),
            pair,
        })
    }

    /// The public half.
    pub fn public(&self) -> &VerifierKey {
        &self.public
    }

    fn line(&self, text: &str) -> String {
        let signature = self.pair.sign(text.as_bytes());
        signature_line(&self.public.name, self.public.id, signature.as_ref())
    }
}

pub(crate) fn signature_line(name: &str, id: [u8; 4], signature: &[u8]) -> String {
    let signature = STANDARD.encode([&id, signature].concat());
    format!("{DASH}{name} {signature}\n")
}

/// Signs the text, which must end with a line feed, with all of these.
pub fn sign(text: &str, signers: &[&Signer]) -> String {
    let lines: String = signers.iter().map(|signer| signer.line(text)).collect();
    format!("{text}\n{lines}")
}

impl FromStr for Note {
    type Err = NoteError;

    fn from_str(note: &str) -> Result<Self, NoteError> {
        if note.contains(|c: char| c < ' ' && c != '\n') {
            return Err(NoteError::Malformed);
        }
        let end = note.rfind("\n\n").ok_or(NoteError::Malformed)?;
        let (text, signatures) = (&note[..=end], &note[end + 2..]);
        let lines = signatures.strip_suffix('\n').ok_or(NoteError::Malformed)?;
        let signatures = lines.split('\n').map(Signature::read);
        let signatures: Vec<_> = signatures
            .collect::<Option<_>>()
            .ok_or(NoteError::Malformed)?;
        if signatures.len() > MAX_SIGNATURES {
            return Err(NoteError::Malformed);
        }
        Ok(Self {
            text: text.to_owned(),
            signatures,
        })
    }
}

impl Signature {
    fn read(line: &str) -> Option<Self> {
        let (name, signature) = line.strip_prefix(DASH)?.split_once(' ')?;
        let bytes = STANDARD.decode(signature).ok()?;
        let (id, signature) = bytes.split_first_chunk()?;
        (is_name(name) && !signature.is_empty()).then(|| Self {
            name: name.to_owned(),
            id: *id,
            signature: signature.to_vec(),
        })
    }
}

impl Note {
    /// The text, when one of these keys has signed it. Signatures by unknown keys do not matter; an invalid signature by a known
    /// key makes the note invalid.
    ///
    /// # Errors
    /// When no key has signed, or a signature is invalid.
    pub fn verified(&self, keys: &[VerifierKey]) -> Result<&str, NoteError> {
        let mut signed = false;
        for key in keys {
            for signature in self.signatures_by(&key.name, key.id) {
                UnparsedPublicKey::new(&ED25519, key.key)
                    .verify(self.text.as_bytes(), signature)
                    .map_err(|_| NoteError::False)?;
                signed = true;
            }
        }
        signed.then_some(&*self.text).ok_or(NoteError::Stranger)
    }

    /// The text, without a check of its signatures.
    pub fn unchecked(&self) -> &str {
        &self.text
    }

    /// The signatures that claim to be by the key with this name and id.
    pub(crate) fn signatures_by(&self, name: &str, id: [u8; 4]) -> impl Iterator<Item = &[u8]> {
        let by = self
            .signatures
            .iter()
            .filter(move |it| it.name == name && it.id == id);
        by.map(|it| it.signature.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of golang.org/x/mod/sumdb/note, whose format this is.
    const KEY: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    const NOTE: &str = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n\
        \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    #[test]
    fn a_note_of_others_is_read_and_checked() {
        let key: VerifierKey = KEY.parse().unwrap();
        assert_eq!(key.to_string(), KEY);
        let note: Note = NOTE.parse().unwrap();
        assert!(
            note.verified(std::slice::from_ref(&key))
                .unwrap()
                .ends_with("problem is.\n")
        );
        let changed: Note = NOTE.replace("don't", "do").parse().unwrap();
        assert_eq!(changed.verified(&[key]), Err(NoteError::False));
        assert_eq!(note.verified(&[]), Err(NoteError::Stranger));
    }

    #[test]
    fn other_libraries_verify_our_notes() {
        let (first, second) = (Signer::generate().unwrap(), Signer::generate().unwrap());
        let first = Signer::read("reserves.example/log", &first).unwrap();
        let second = Signer::read("reserves.example/log", &second).unwrap();
        let note = sign("a text\n\nwith a gap\n", &[&first, &second]);
        let note: Note = note.parse().unwrap();
        for signer in [&first, &second] {
            let key: VerifierKey = signer.public().to_string().parse().unwrap();
            assert_eq!(note.verified(&[key]), Ok("a text\n\nwith a gap\n"));
        }
    }

    #[test]
    fn what_is_no_note_or_key_is_refused() {
        for text in [
            "",
            "\n",
            "text\n",
            "text\n\n",
            "text\n\n\u{2014} name AAAA\n",
            "text\n\n- name AAAAAAA=\n",
            "te\txt\n\n\u{2014} n AAAAAAA=\n",
        ] {
            assert_eq!(text.parse::<Note>(), Err(NoteError::Malformed), "{text:?}");
        }
        let other_id = KEY.replace("c74f20a3", "c74f20a4");
        for text in [
            "",
            "name",
            "name+00000000+AQ==",
            &other_id,
            &KEY.replace("+ARpc", "+Apc2"),
        ] {
            assert_eq!(text.parse::<VerifierKey>(), Err(NoteError::Key), "{text:?}");
        }
    }
}
