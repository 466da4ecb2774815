//! Signed notes (C2SP signed-note): a text followed by Ed25519 signatures, each with the name of its key. The crate `signed_note` reads,
//! signs and checks them. What it lacks is ours: keys that are replaced, and one signature at a time, for [`cosignatures`](super::cosignature).

use std::fmt;
use std::str::FromStr;

use signed_note::{NoteError as Fault, Signature, StandardVerifier, Verifier, VerifierList};

pub use signer::{Signer, sign};

/// A key that checks signatures, written `name+id+key`.
#[derive(Clone)]
pub struct VerifierKey {
    text: String,
    verifier: StandardVerifier,
    /// The size of the largest checkpoint that it may sign; `None` until the key is replaced.
    until: Option<u64>,
}

impl PartialEq for VerifierKey {
    /// Compares the written form: a replaced key is still the same key.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for VerifierKey {}

impl fmt::Debug for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} until {:?}", self.text, self.until)
    }
}

/// A text with signatures that have not been checked yet.
#[derive(Debug)]
pub struct Note {
    text: String,
    signatures: Vec<Signature>,
    note: signed_note::Note,
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

impl VerifierKey {
    /// The name of the key: the origin of the log.
    pub fn name(&self) -> &str {
        self.verifier.name()
    }

    /// The same key after its rotation: its signatures are valid up to this many entries.
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
        f.write_str(&self.text)
    }
}

impl FromStr for VerifierKey {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        let text = text.trim();
        let verifier = StandardVerifier::new(text).map_err(|_| NoteError::Key)?;
        // One key has one spelling: the crate also reads ids in capitals.
        let start = format!("{}+{:08x}+", verifier.name(), verifier.key_id());
        if !text.starts_with(&start) || verifier.name().contains(char::is_control) {
            return Err(NoteError::Key);
        }
        Ok(Self {
            text: text.to_owned(),
            verifier,
            until: None,
        })
    }
}

impl FromStr for Note {
    type Err = NoteError;

    fn from_str(note: &str) -> Result<Self, NoteError> {
        let read = || {
            let (text, lines) = note.rsplit_once("\n\n")?;
            let lines = lines.strip_suffix('\n')?.split('\n');
            let signatures = lines.map(|line| Signature::from_bytes(line.as_bytes()).ok());
            Some(Self {
                text: format!("{text}\n"),
                signatures: signatures.collect::<Option<_>>()?,
                note: signed_note::Note::from_bytes(note.as_bytes()).ok()?,
            })
        };
        read().ok_or(NoteError::Malformed)
    }
}

impl Note {
    /// The text, when one of these keys has signed it. Signatures by unknown keys do not matter; an invalid signature by a known
    /// key makes the note invalid.
    ///
    /// # Errors
    /// When no key has signed, or a signature is invalid.
    pub fn verified(&self, keys: &[VerifierKey]) -> Result<&str, NoteError> {
        let once = keys.iter().enumerate();
        let once = once.filter(|(at, key)| !keys[..*at].contains(key));
        let known = once.map(|(_, key)| Box::new(key.verifier.clone()) as Box<dyn Verifier>);
        match self.note.verify(&VerifierList::new(known.collect())) {
            Ok(_) => Ok(&self.text),
            Err(Fault::UnverifiedNote) => Err(NoteError::Stranger),
            Err(Fault::InvalidSignature { .. }) => Err(NoteError::False),
            Err(_) => Err(NoteError::Malformed),
        }
    }

    /// The text, without a check of its signatures.
    pub fn unchecked(&self) -> &str {
        &self.text
    }

    /// The signatures, none of them checked.
    pub(crate) fn signatures(&self) -> &[Signature] {
        &self.signatures
    }
}

mod signer {
    use std::fmt;

    use ed25519_dalek::pkcs8::{DecodePrivateKey, EncodePrivateKey};
    use ed25519_dalek::{Signer as _, SigningKey};
    use rand::TryRngCore;
    use rand::rngs::OsRng;
    use signed_note::{Note, new_ed25519_verifier_key};

    use super::VerifierKey;

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
            let public = new_ed25519_verifier_key(name, &key.verifying_key());
            Some(Self {
                public: public.parse().ok()?,
                key,
            })
        }

        /// The public half.
        pub fn public(&self) -> &VerifierKey {
            &self.public
        }
    }

    impl signed_note::Signer for Signer {
        fn name(&self) -> &str {
            self.public.name()
        }

        fn key_id(&self) -> u32 {
            signed_note::Verifier::key_id(&self.public.verifier)
        }

        fn sign(&self, message: &[u8]) -> Result<Vec<u8>, ed25519_dalek::SignatureError> {
            Ok(self.key.try_sign(message)?.to_vec())
        }
    }

    /// Signs the text, which must end with a line feed and have no control character but those, with all of these.
    ///
    /// # Panics
    /// When the text is none that can be signed.
    pub fn sign(text: &str, signers: &[&Signer]) -> String {
        let mut note = Note::new(text.as_bytes(), &[]).expect("a text of a note");
        let signers = signers.iter().map(|it| *it as &dyn signed_note::Signer);
        let signers: Vec<_> = signers.collect();
        note.add_sigs(&signers).expect("signers with names");
        String::from_utf8(note.to_bytes()).expect("a text and ASCII")
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
