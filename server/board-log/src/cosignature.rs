//! Witnesses' cosignatures below a checkpoint (C2SP tlog-cosignature): each says that at some time the witness had seen no conflicting history.

use std::fmt;
use std::str::FromStr;

use super::note::{NamedKey, Note, NoteError};

/// The type byte of timestamped Ed25519 cosignatures (C2SP signed-note).
const KIND: u8 = 4;

/// The verifier key of a witness, written `name+id+key`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessKey(NamedKey);

impl FromStr for WitnessKey {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        let named = NamedKey::read(text.trim(), KIND);
        named.map(Self).ok_or(NoteError::WitnessKey)
    }
}

impl fmt::Display for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text())
    }
}

impl WitnessKey {
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// This witness's valid cosignature on a checkpoint, as a line of the note, if there is one.
    pub fn line_in(&self, checkpoint: &Note) -> Option<String> {
        let valid = checkpoint.signatures().iter().find(|it| {
            self.0.is_named_in(it) && self.has_signed(checkpoint.unchecked(), &it.bytes)
        })?;
        Some(valid.line.clone() + "\n")
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
        self.0.has_signed(&message, signature)
    }
}

/// How many of these witnesses have cosigned a checkpoint. Two keys with the same name or the same bytes are one witness.
pub fn count(checkpoint: &str, witnesses: &[WitnessKey]) -> usize {
    let Ok(note) = checkpoint.parse::<Note>() else {
        return 0;
    };
    let mut seen: Vec<&WitnessKey> = Vec::new();
    for witness in witnesses {
        let known = |it: &&WitnessKey| it.0.name == witness.0.name || it.0.key == witness.0.key;
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
            let key = WitnessKey(NamedKey::new(name, KIND, pair.verifying_key()));
            Self { key, pair }
        }

        fn line(&self, text: &str, time: u64) -> String {
            let signed = self
                .pair
                .sign(format!("cosignature/v1\ntime {time}\n{text}").as_bytes());
            let id = u32::from_be_bytes(self.key.0.id());
            let bytes = [&time.to_be_bytes()[..], &signed.to_bytes()].concat();
            let line = signed_note::Signature::new(self.key.name().to_owned(), id, bytes);
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
            let other = NamedKey::new(key.name(), kind, key.0.key).text();
            assert_eq!(other.parse::<WitnessKey>(), Err(NoteError::WitnessKey));
        }
        let text = key.to_string();
        for wrong in [&text[1..], &text[..text.len() - 4], "", "a+b+c"] {
            assert_eq!(wrong.parse::<WitnessKey>(), Err(NoteError::WitnessKey));
        }
    }
}
