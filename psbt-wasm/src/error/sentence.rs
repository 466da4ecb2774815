//! The sentences of errors. They are put together by hand, because the formatting of the standard library would make the
//! module that browsers load first 1.6 kB larger (Brotli), a twentieth of it.

use alloc::string::String;
use core::fmt;

use super::{Error, Fault, Malformed, Map};

/// A sentence before it is put together: words, a number, words.
struct Parts {
    start: &'static str,
    number: Option<u64>,
    end: &'static str,
}

const fn plain(start: &'static str) -> Parts {
    Parts {
        start,
        number: None,
        end: "",
    }
}

/// About an input or output, which people count from 1.
const fn counted(start: &'static str, index: usize, end: &'static str) -> Parts {
    Parts {
        start,
        number: Some(index as u64 + 1),
        end,
    }
}

const fn input(index: usize, end: &'static str) -> Parts {
    counted("Input ", index, end)
}

impl Error {
    /// What `Display` shows, in ASCII.
    pub(crate) fn sentence(&self) -> String {
        let mut sentence = String::new();
        let parts = match self {
            Self::FileTooLarge => plain("The file is too large: at most 32 MiB can be read."),
            Self::FileTooShort => plain("Invalid PSBT: File too short"),
            Self::InvalidMagic => plain("Invalid PSBT: Invalid magic number"),
            Self::CouldNotParse(malformed) => {
                words("Invalid PSBT: Could not parse. ", &mut sentence);
                malformed.append(&mut sentence);
                return sentence;
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
            #[cfg(feature = "make")]
            Self::Make(error) => {
                error.append(&mut sentence);
                return sentence;
            }
        };
        parts.append(&mut sentence);
        sentence
    }
}

impl Malformed {
    /// For example "Input 17: PSBT_IN_PARTIAL_SIG: It has an invalid public key."
    fn append(&self, sentence: &mut String) {
        match self.map {
            Some(Map::Input(index)) => input(index, ": ").append(sentence),
            Some(Map::Output(index)) => counted("Output ", index, ": ").append(sentence),
            // Its fields' names say it.
            Some(Map::Global) | None => {}
        }
        if let Some(field) = self.field {
            words(field, sentence);
            words(": ", sentence);
        }
        self.fault.parts().append(sentence);
        if let Fault::Invalid(_) = self.fault {
            words(".", sentence);
        }
    }
}

impl Fault {
    fn parts(&self) -> Parts {
        plain(match self {
            Self::Base64 => "The base64 text is damaged.",
            Self::Hex => "The hexadecimal text is damaged.",
            Self::Truncated => "The file, or a field in it, ends too early.",
            Self::TrailingData => "There is unexpected data after the end.",
            Self::Version(version) => {
                return Parts {
                    start: "PSBT version ",
                    number: Some((*version).into()),
                    end: " is not supported.",
                };
            }
            Self::Duplicate => "The field appears twice.",
            Self::Missing => "The field is required, and missing.",
            Self::MixedVersions => "It mixes fields of PSBT versions 0 and 2.",
            Self::LockTimeConflict => "Its inputs require lock times that exclude each other.",
            Self::SignedTransaction => "The unsigned transaction is signed.",
            Self::Invalid(part) => {
                return Parts {
                    start: "It has an invalid ",
                    number: None,
                    end: part,
                };
            }
            #[cfg(feature = "bitcoin")]
            Self::Disputed => "A second reader refuses it.",
        })
    }
}

impl Parts {
    fn append(&self, sentence: &mut String) {
        words(self.start, sentence);
        if let Some(number) = self.number {
            self::number(number, sentence);
        }
        words(self.end, sentence);
    }
}

/// Not inlined, because sentences are most of what calls it.
#[inline(never)]
pub(crate) fn words(words: &str, sentence: &mut String) {
    sentence.push_str(words);
}

pub(crate) fn number(number: u64, sentence: &mut String) {
    if number >= 10 {
        self::number(number / 10, sentence);
    }
    digit(number % 10, sentence);
}

/// A number below 10.
pub(crate) fn digit(digit: u64, sentence: &mut String) {
    const DIGITS: &str = "0123456789";
    let at = usize::try_from(digit).unwrap_or_default();
    words(DIGITS.get(at..=at).unwrap_or_default(), sentence);
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.sentence())
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

impl fmt::Display for Malformed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sentence = String::new();
        self.append(&mut sentence);
        formatter.write_str(&sentence)
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
        let malformed = Malformed {
            map: Some(Map::Output(0)),
            field: Some("PSBT_OUT_AMOUNT"),
            fault: Fault::Missing,
        };
        assert_eq!(
            malformed.to_string(),
            "Output 1: PSBT_OUT_AMOUNT: The field is required, and missing."
        );
        assert_eq!(
            of(malformed.into()),
            format!("Invalid PSBT: Could not parse. {malformed}")
        );
        let malformed = Malformed {
            map: Some(Map::Input(16)),
            field: Some("PSBT_IN_PARTIAL_SIG"),
            fault: Fault::Invalid("public key"),
        };
        assert_eq!(
            malformed.to_string(),
            "Input 17: PSBT_IN_PARTIAL_SIG: It has an invalid public key."
        );
        assert_eq!(
            of(Fault::Version(u32::MAX).into()),
            format!(
                "Invalid PSBT: Could not parse. PSBT version {} is not supported.",
                u32::MAX
            )
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
