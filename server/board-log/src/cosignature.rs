//! Witnesses' cosignatures below a checkpoint (C2SP tlog-cosignature): each says that at some time the witness had seen no conflicting history.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Verifier, VerifyingKey};
use signed_note::{is_key_name_valid, key_id};

use super::note::{Note, NoteError};

/// The type byte of timestamped Ed25519 cosignatures (C2SP signed-note).
const KIND: u8 = 4;

/// The verifier key of a witness, written `name+id+key`. The crate `signed_note` knows no cosignatures, and no such keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessKey {
    name: String,
    key: VerifyingKey,
}

impl FromStr for WitnessKey {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        let text = text.trim();
        let read = || {
            let (name, rest) = text.split_once('+')?;
            let bytes = STANDARD.decode(rest.split_once('+')?.1).ok()?;
            let (_, key) = bytes.split_first()?;
            let key = VerifyingKey::from_bytes(key.try_into().ok()?).ok()?;
            let name = name.to_owned();
            Some(Self { name, key })
        };
        // There is one spelling of a key, which has its kind and its id.
        let is_name = |name: &str| is_key_name_valid(name) && !name.contains(char::is_control);
        let key = read().filter(|it| is_name(&it.name) && it.to_string() == text);
        key.ok_or(NoteError::WitnessKey)
    }
}

impl fmt::Display for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, id, key) = (&self.name, self.id(), STANDARD.encode(self.bytes()));
        write!(f, "{name}+{id:08x}+{key}")
    }
}

impl WitnessKey {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kind and the key.
    fn bytes(&self) -> Vec<u8> {
        [&[KIND], &self.key.as_bytes()[..]].concat()
    }

    /// The id of the key (C2SP signed-note, "Signatures").
    fn id(&self) -> u32 {
        key_id(&self.name, &self.bytes())
    }

    /// This witness's valid cosignature on a checkpoint, as a line of the note, if there is one.
    pub fn line_in(&self, checkpoint: &Note) -> Option<String> {
        let id = self.id();
        let valid = checkpoint.signatures().iter().find(|it| {
            (it.name(), it.id()) == (&*self.name, id)
                && self.has_signed(checkpoint.unchecked(), it.signature())
        })?;
        String::from_utf8(valid.to_bytes()).ok()
    }

    fn has_signed(&self, text: &str, timestamped: &[u8]) -> bool {
        let Some((time, signature)) = timestamped.split_first_chunk() else {
            return false;
        };
        let time = u64::from_be_bytes(*time);
        // A witness never leaves out the time, which is at most 2^63 - 1.
        if time == 0 || i64::try_from(time).is_err() {
            return false;
        }
        let message = format!("cosignature/v1\ntime {time}\n{text}");
        let signature = Signature::from_slice(signature);
        signature.is_ok_and(|it| self.key.verify(message.as_bytes(), &it).is_ok())
    }
}

/// How many of these witnesses have cosigned a checkpoint. Two keys with the same name or the same bytes are one witness.
pub fn count(checkpoint: &str, witnesses: &[WitnessKey]) -> usize {
    let Ok(note) = checkpoint.parse::<Note>() else {
        return 0;
    };
    let mut seen: Vec<&WitnessKey> = Vec::new();
    for witness in witnesses {
        let known = |it: &&WitnessKey| it.name == witness.name || it.key == witness.key;
        if !seen.iter().any(known) && witness.line_in(&note).is_some() {
            seen.push(witness);
        }
    }
    seen.len()
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{Signer, SigningKey};

    use super::*;

    const CHECKPOINT: &str =
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

    struct Witness {
        key: WitnessKey,
        pair: SigningKey,
    }

    impl Witness {
        fn new(name: &str, seed: u8) -> Self {
            let pair = SigningKey::from_bytes(&[seed; 32]);
            let (name, key) = (name.to_owned(), pair.verifying_key());
            let key = WitnessKey { name, key };
            Self { key, pair }
        }

        fn line(&self, text: &str, time: u64) -> String {
            let signed = self
                .pair
                .sign(format!("cosignature/v1\ntime {time}\n{text}").as_bytes());
            let bytes = [&time.to_be_bytes()[..], &signed.to_bytes()].concat();
            let line = signed_note::Signature::new(self.key.name.clone(), self.key.id(), bytes);
            String::from_utf8(line.unwrap().to_bytes()).unwrap()
        }
    }

    #[test]
    fn only_valid_cosignatures_of_known_witnesses_count() {
        let (one, two) = (
            Witness::new("one.example/w", 1),
            Witness::new("two.example/w", 2),
        );
        let keys = [one.key.clone(), two.key.clone()];
        let counted = |lines: &[String]| count(&format!("{CHECKPOINT}\n{}", lines.concat()), &keys);
        let time = 1_795_000_000;
        let (by_one, by_two) = (one.line(CHECKPOINT, time), two.line(CHECKPOINT, time));
        assert_eq!(counted(&[by_one.clone(), by_two.clone()]), 2);
        assert_eq!(counted(&[by_one.clone(), by_one.clone()]), 1);
        let other = CHECKPOINT.replace("20852163", "20852164");
        for wrong in [
            one.line(&other, time),
            one.line(CHECKPOINT, 0),
            one.line(CHECKPOINT, 1 << 63),
            Witness::new("one.example/w", 3).line(CHECKPOINT, time),
            Witness::new("three.example/w", 1).line(CHECKPOINT, time),
        ] {
            assert_eq!(counted(&[wrong.clone(), by_two.clone()]), 1, "{wrong}");
            // A false line does not hide a valid one of the same witness.
            assert_eq!(counted(&[wrong, by_one.clone()]), 1);
        }
        // One witness under two names or twice on the list counts once.
        let renamed = Witness::new("another.example/w", 1);
        let note = format!("{CHECKPOINT}\n{by_one}{}", renamed.line(CHECKPOINT, time));
        let twice = [one.key.clone(), one.key.clone(), renamed.key];
        assert_eq!(count(&note, &twice), 1);
    }

    #[test]
    fn keys_of_other_kinds_are_refused() {
        let key = Witness::new("one.example/w", 1).key;
        assert_eq!(key.to_string().parse(), Ok(key.clone()));
        for kind in [1, 2, 6, 255] {
            let bytes = [&[kind], &key.key.as_bytes()[..]].concat();
            let (id, bytes) = (key_id(&key.name, &bytes), STANDARD.encode(&bytes));
            let other = format!("{}+{id:08x}+{bytes}", key.name);
            assert_eq!(other.parse::<WitnessKey>(), Err(NoteError::WitnessKey));
        }
        let text = key.to_string();
        for wrong in [&text[1..], &text[..text.len() - 4], "", "a+b+c"] {
            assert_eq!(wrong.parse::<WitnessKey>(), Err(NoteError::WitnessKey));
        }
    }
}
