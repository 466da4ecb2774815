//! Signed notes (C2SP signed-note): a text followed by Ed25519 signatures, each with the name of its key. The crate `signed_note` reads them
//! too, and tests compare the two; but it needs the tables that make signing fast, which would be two thirds of the module that browsers load.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Verifier, VerifyingKey};
use sha2::{Digest, Sha256};

#[cfg(not(target_arch = "wasm32"))]
pub use signer::{Signer, sign};

/// The longest note that is read, in bytes.
const MAX_BYTES: usize = 1_000_000;

/// The most signatures of a note that is read.
const MAX_SIGNATURES: usize = 100;

/// The type byte of Ed25519 signatures.
const ED25519: u8 = 1;

/// A key that checks signatures, written `name+id+key`.
#[derive(Clone)]
pub struct VerifierKey {
    named: NamedKey,
    /// The size of the largest checkpoint that it may sign; `None` until the key is replaced.
    until: Option<u64>,
}

impl PartialEq for VerifierKey {
    /// A replaced key is still the same key.
    fn eq(&self, other: &Self) -> bool {
        self.named == other.named
    }
}

impl Eq for VerifierKey {}

impl fmt::Debug for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} until {:?}", self.until)
    }
}

/// An Ed25519 key with its name and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedKey {
    pub(crate) name: String,
    pub(crate) key: VerifyingKey,
    kind: u8,
}

/// A text with signatures that have not been checked yet.
#[derive(Debug)]
pub struct Note {
    text: String,
    signatures: Vec<Signature>,
}

/// A signature below a text.
#[derive(Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    id: [u8; 4],
    pub(crate) bytes: Vec<u8>,
    /// As it is in the note, without a line feed.
    pub(crate) line: String,
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
    #[error("this is not a key of a log")]
    Key,
    #[error(
        "it is not a witness's verifier key for Ed25519 cosignatures (name+id+key of type 0x04), the only type this program can check"
    )]
    WitnessKey,
    #[error("it is not a checkpoint of a log")]
    NoCheckpoint,
}

impl NamedKey {
    pub(crate) fn new(name: &str, kind: u8, key: VerifyingKey) -> Self {
        let name = name.to_owned();
        Self { name, key, kind }
    }

    /// Reads a key of this type. It has one spelling.
    pub(crate) fn read(text: &str, kind: u8) -> Option<Self> {
        let (name, rest) = text.split_once('+')?;
        let bytes = STANDARD.decode(rest.split_once('+')?.1).ok()?;
        let (_, key) = bytes.split_first()?;
        let key = VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
        let key = Self::new(name, kind, key);
        (is_name(name) && key.text() == text).then_some(key)
    }

    /// The type and the key.
    fn bytes(&self) -> Vec<u8> {
        [&[self.kind], &self.key.as_bytes()[..]].concat()
    }

    /// The id of the key (C2SP signed-note, "Signatures").
    pub(crate) fn id(&self) -> [u8; 4] {
        let hash = Sha256::new_with_prefix(&self.name);
        let hash = hash.chain_update("\n").chain_update(self.bytes());
        let [a, b, c, d, ..] = <[u8; 32]>::from(hash.finalize());
        [a, b, c, d]
    }

    pub(crate) fn text(&self) -> String {
        let (id, key) = (hex::encode(self.id()), STANDARD.encode(self.bytes()));
        [&*self.name, "+", &*id, "+", &*key].concat()
    }

    /// Whether a signature says that it is by this key.
    pub(crate) fn is_named_in(&self, signature: &Signature) -> bool {
        signature.name == self.name && signature.id == self.id()
    }

    /// Whether it has signed a text.
    pub(crate) fn has_signed(&self, text: &str, signature: &[u8]) -> bool {
        let signature = ed25519_dalek::Signature::from_slice(signature);
        signature.is_ok_and(|it| self.key.verify(text.as_bytes(), &it).is_ok())
    }
}

/// Whether a key can have this name.
fn is_name(name: &str) -> bool {
    let is_other = |it: char| it.is_whitespace() || it.is_control() || it == '+';
    !name.is_empty() && !name.contains(is_other)
}

impl VerifierKey {
    /// The name of the key: the origin of the log.
    pub fn name(&self) -> &str {
        &self.named.name
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
        f.write_str(&self.named.text())
    }
}

impl FromStr for VerifierKey {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        let named = NamedKey::read(text.trim(), ED25519).ok_or(NoteError::Key)?;
        Ok(Self { named, until: None })
    }
}

impl FromStr for Note {
    type Err = NoteError;

    fn from_str(note: &str) -> Result<Self, NoteError> {
        let is_plain = note.bytes().all(|byte| byte >= b' ' || byte == b'\n');
        let read = || {
            let (text, lines) = note.rsplit_once("\n\n")?;
            let lines = lines.strip_suffix('\n')?.split('\n');
            let signatures: Vec<_> = lines.map(Signature::read).collect::<Option<_>>()?;
            let text = text.to_owned() + "\n";
            (signatures.len() <= MAX_SIGNATURES).then_some(Self { text, signatures })
        };
        let is_read = is_plain && note.len() <= MAX_BYTES;
        is_read.then(read).flatten().ok_or(NoteError::Malformed)
    }
}

impl Signature {
    fn read(line: &str) -> Option<Self> {
        let (name, bytes) = line.strip_prefix("\u{2014} ")?.split_once(' ')?;
        let bytes = STANDARD.decode(bytes).ok()?;
        let (id, bytes) = bytes.split_first_chunk()?;
        let is_one = is_name(name) && !bytes.is_empty();
        is_one.then(|| Self {
            name: name.to_owned(),
            id: *id,
            bytes: bytes.to_vec(),
            line: line.to_owned(),
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
        let mut is_signed = false;
        for VerifierKey { named, .. } in keys {
            // Of several by one key the first counts, as in Go's package.
            let Some(first) = self.signatures.iter().find(|it| named.is_named_in(it)) else {
                continue;
            };
            if !named.has_signed(&self.text, &first.bytes) {
                return Err(NoteError::False);
            }
            is_signed = true;
        }
        is_signed.then_some(&*self.text).ok_or(NoteError::Stranger)
    }

    /// The text, without a check of its signatures.
    pub fn unchecked(&self) -> &str {
        &self.text
    }

    /// The names of the keys that may have signed it.
    pub fn signers(&self) -> impl Iterator<Item = &str> {
        self.signatures.iter().map(|it| &*it.name)
    }

    /// The signatures, none of them checked.
    pub(crate) fn signatures(&self) -> &[Signature] {
        &self.signatures
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod signer {
    use std::fmt;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use ed25519_dalek::pkcs8::{DecodePrivateKey, EncodePrivateKey};
    use ed25519_dalek::{Signer as _, SigningKey};
    use rand::TryRngCore;
    use rand::rngs::OsRng;

    use super::{ED25519, NamedKey, Note, VerifierKey, is_name};

    /// A key that signs.
    pub struct Signer {
        key: SigningKey,
        public: VerifierKey,
    }

    impl fmt::Debug for Signer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.public.fmt(f)
        }
    }

    impl Signer {
        /// A new private key: PKCS#8 (RFC 5958), hex. `None` when the machine has no randomness.
        pub fn generate() -> Option<String> {
            let mut seed = [0; 32];
            OsRng.try_fill_bytes(&mut seed).ok()?;
            let pkcs8 = SigningKey::from_bytes(&seed).to_pkcs8_der().ok()?;
            Some(hex::encode(pkcs8.as_bytes()))
        }

        /// Reads such a private key, for the signer of this name.
        pub fn read(name: &str, material: &str) -> Option<Self> {
            let key = SigningKey::from_pkcs8_der(&hex::decode(material).ok()?).ok()?;
            let named = NamedKey::new(name, ED25519, key.verifying_key());
            let public = VerifierKey { named, until: None };
            is_name(name).then_some(Self { key, public })
        }

        /// The public half.
        pub fn public(&self) -> &VerifierKey {
            &self.public
        }
    }

    /// Signs the text, which must end with a line feed and have no control character but those, with all of these.
    ///
    /// # Panics
    /// When the text is none that can be signed.
    pub fn sign(text: &str, signers: &[&Signer]) -> String {
        let mut note = text.to_owned() + "\n";
        for Signer { key, public } in signers {
            let bytes = [
                &public.named.id()[..],
                &key.sign(text.as_bytes()).to_bytes(),
            ]
            .concat();
            note += &format!("\u{2014} {} {}\n", public.name(), STANDARD.encode(bytes));
        }
        note.parse::<Note>().expect("a text of a note");
        note
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
            note.verified(&[key.clone(), key.clone()])
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

    /// Go's package, which `signed_note` follows, drops what comes after the first signature of a key.
    #[test]
    fn another_crate_has_the_same_verdicts() {
        let key: VerifierKey = KEY.parse().unwrap();
        let (text, line) = NOTE.rsplit_once("\n\n").unwrap();
        let false_line = line.replace("ZJku", "ZJkv");
        let notes = [
            format!("{text}\n\n{line}"),
            format!("{text}\n\n{line}{false_line}"),
            format!("{text}\n\n{false_line}{line}"),
            format!("{text}\n\n{}", line.repeat(100)),
            format!("{text}\n\n{}", line.repeat(101)),
            format!("{text}\n\n{line}\n"),
            format!("{text}\n{line}"),
            format!("{text}\n\n{}", line.replace("Peter", "peter")),
            format!("{text}\n\n{line}\u{2014} other AAAAAAA=\n"),
            format!("{text}\n\n{line}\u{2014} other AAAAAA==\n"),
            format!("{text}\n\n{line}\u{2014} a+b AAAAAAA=\n"),
            format!("{text}\n\n{line}\u{2014}  AAAAAAA=\n"),
        ];
        for note in notes {
            let theirs = signed_note::Note::from_bytes(note.as_bytes());
            let known = || Box::new(signed_note::StandardVerifier::new(KEY).unwrap());
            let known = signed_note::VerifierList::new(vec![known()]);
            let theirs = theirs.and_then(|note| note.verify(&known).map(|_| ()));
            let ours = note.parse::<Note>();
            let ours = ours.and_then(|it| it.verified(std::slice::from_ref(&key)).map(|_| ()));
            assert_eq!(ours.is_ok(), theirs.is_ok(), "{note}");
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
            assert_eq!(
                text.parse::<Note>().map(|it| it.text),
                Err(NoteError::Malformed),
                "{text:?}"
            );
        }
        let other_id = KEY.replace("c74f20a3", "c74f20a4");
        for text in [
            "",
            "name",
            "name+00000000+AQ==",
            &other_id,
            &KEY.replace("c74f20a3", "C74F20A3"),
            &KEY.replace("+ARpc", "+Apc2"),
        ] {
            assert_eq!(text.parse::<VerifierKey>(), Err(NoteError::Key), "{text:?}");
        }
    }
}
