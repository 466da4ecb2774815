//! The sentences of errors. They are put together by hand, because the formatting of the standard library would be a
//! twentieth of the module that browsers load first.

use alloc::vec::Vec;
use core::fmt;

use super::{Error, Malformed};

/// A sentence before it is put together: words, a number, words, a name, words.
struct Parts {
    start: &'static str,
    number: Option<usize>,
    middle: &'static str,
    name: &'static str,
    end: &'static str,
}

const fn plain(start: &'static str) -> Parts {
    numbered(start, None, "")
}

const fn numbered(start: &'static str, number: Option<usize>, middle: &'static str) -> Parts {
    Parts {
        start,
        number,
        middle,
        name: "",
        end: "",
    }
}

/// About an input, which people count from 1.
const fn input(index: usize, rest: &'static str) -> Parts {
    numbered("Input ", Some(index + 1), rest)
}

fn named(parts: Parts, name: &'static str) -> Parts {
    Parts {
        name,
        end: ".",
        ..parts
    }
}

impl Error {
    /// What `Display` shows, in ASCII.
    pub(crate) fn sentence(&self) -> Vec<u8> {
        let mut sentence = Vec::new();
        let parts = match self {
            Self::FileTooLarge => plain("The file is too large: at most 32 MiB can be read."),
            Self::FileTooShort => plain("Invalid PSBT: File too short"),
            Self::InvalidMagic => plain("Invalid PSBT: Invalid magic number"),
            Self::CouldNotParse(malformed) => {
                sentence.extend_from_slice(b"Invalid PSBT: Could not parse. ");
                malformed.parts()
            }
            Self::NoInputs => plain("No inputs found"),
            Self::NoOutputs => plain("No outputs found"),
            Self::NullOutpoint { input: at } => input(
                *at,
                " spends no previous output: this is a coinbase transaction.",
            ),
            Self::DuplicateInput { input: at } => {
                input(*at, " spends the same output as an earlier input.")
            }
            Self::PreviousTransactionMismatch { input: at } => input(
                *at,
                " carries a previous transaction that is not the one it spends.",
            ),
            Self::PreviousOutputMissing { input: at } => input(
                *at,
                " spends an output that its previous transaction does not have.",
            ),
            Self::UtxoMismatch { input: at } => input(
                *at,
                " states another value or script than its previous transaction has.",
            ),
            Self::AmountOutOfRange { .. } => {
                plain("The amounts are impossible: they exceed 21 million BTC.")
            }
            Self::OutputsAboveInputs => {
                plain("The amounts are impossible: the outputs are above the inputs.")
            }
        };
        parts.append(&mut sentence);
        sentence
    }
}

impl Malformed {
    fn parts(&self) -> Parts {
        match self {
            Self::Base64 => plain("The base64 text is damaged."),
            Self::Hex => plain("The hexadecimal text is damaged."),
            Self::Truncated => plain("The file, or a field in it, ends too early."),
            Self::TrailingData => plain("There is unexpected data after the end."),
            Self::Version(version) => numbered(
                "PSBT version ",
                usize::try_from(*version).ok(),
                " is not supported.",
            ),
            Self::DuplicateField => plain("A field appears twice."),
            Self::MissingField(name) => named(plain("It lacks the required field "), name),
            Self::MissingInputField { input: at, field } => {
                named(input(*at, " lacks the required field "), field)
            }
            Self::MissingOutputField { output, field } => named(
                numbered("Output ", Some(output + 1), " lacks the required field "),
                field,
            ),
            Self::MixedVersions => plain("It mixes fields of PSBT versions 0 and 2."),
            Self::LockTimeConflict => {
                plain("Its inputs require lock times that exclude each other.")
            }
            Self::SignedTransaction => plain("Its unsigned transaction is signed."),
            Self::InvalidField(name) => named(plain("It has an invalid "), name),
        }
    }
}

impl Parts {
    fn append(&self, sentence: &mut Vec<u8>) {
        sentence.extend_from_slice(self.start.as_bytes());
        if let Some(number) = self.number {
            append_number(number, sentence);
        }
        for words in [self.middle, self.name, self.end] {
            sentence.extend_from_slice(words.as_bytes());
        }
    }
}

fn append_number(number: usize, sentence: &mut Vec<u8>) {
    if number >= 10 {
        append_number(number / 10, sentence);
    }
    sentence.push(b'0' + (number % 10).to_le_bytes()[0]);
}

fn show(sentence: &[u8], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str(core::str::from_utf8(sentence).unwrap_or_default())
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(&self.sentence(), formatter)
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::CouldNotParse(malformed) => Some(malformed),
            _ => None,
        }
    }
}

impl From<Malformed> for Error {
    fn from(malformed: Malformed) -> Self {
        Self::CouldNotParse(malformed)
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sentence = Vec::new();
        self.parts().append(&mut sentence);
        show(&sentence, formatter)
    }
}

impl core::error::Error for Malformed {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_in_their_places() {
        let of = |error: Error| error.to_string();
        assert_eq!(
            of(Error::NullOutpoint { input: 10_999 }),
            "Input 11000 spends no previous output: this is a coinbase transaction."
        );
        let malformed = Malformed::MissingOutputField {
            output: 0,
            field: "amount",
        };
        assert_eq!(
            malformed.to_string(),
            "Output 1 lacks the required field amount."
        );
        assert_eq!(
            of(malformed.into()),
            "Invalid PSBT: Could not parse. Output 1 lacks the required field amount."
        );
        assert_eq!(
            of(Malformed::InvalidField("length").into()),
            "Invalid PSBT: Could not parse. It has an invalid length."
        );
        assert_eq!(
            Malformed::Version(u32::MAX).to_string(),
            format!("PSBT version {} is not supported.", u32::MAX)
        );
        assert_eq!(
            of(Error::FileTooLarge),
            format!(
                "The file is too large: at most {} MiB can be read.",
                crate::MAX_FILE_BYTES >> 20
            )
        );
    }
}
