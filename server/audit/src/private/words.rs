//! The words of a reader and the name of a holder in their one form, as `js/for-reader.js` of the package has them.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, NoncharacterCodePoint};
use icu_properties::{CodePointMapData, CodePointSetData};

/// The most bytes of UTF-8.
const MAX_BYTES: usize = 200;

/// Longer words are refused as they are.
const MAX_UNITS: usize = 10_000;

/// What is wrong with words.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum InvalidWords {
    #[error(
        "These words cannot be used. They contain a character that nobody can see. Type them again."
    )]
    Hidden,
    #[error("These words cannot be used. They are too long: at most {MAX_BYTES} bytes.")]
    TooLong,
    #[error("These words cannot be used. They are empty.")]
    Empty,
}

/// Words in NFC, with one space for each run of white space and none at the ends.
pub(super) fn normalize(given: &str) -> Result<String, InvalidWords> {
    if given.chars().any(is_hidden) {
        return Err(InvalidWords::Hidden);
    }
    if given.encode_utf16().count() > MAX_UNITS {
        return Err(InvalidWords::TooLong);
    }
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(given);
    let words: Vec<&str> = composed
        .split(is_space)
        .filter(|word| !word.is_empty())
        .collect();
    let text = words.join(" ");
    match text.len() {
        0 => Err(InvalidWords::Empty),
        length if length > MAX_BYTES => Err(InvalidWords::TooLong),
        _ => Ok(text),
    }
}

/// Whether a text is in that form.
pub(super) fn is_normal(text: &str) -> bool {
    normalize(text).is_ok_and(|normal| normal == text)
}

/// White space of ECMAScript.
fn is_space(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

/// What nobody sees, or what stands for something else.
fn is_hidden(character: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(character);
    let is_control = category == GeneralCategory::Control && !is_space(character);
    let is_other = matches!(
        category,
        GeneralCategory::Format | GeneralCategory::PrivateUse
    );
    let without_picture = matches!(
        character,
        '\u{2800}' | '\u{fffc}' | '\u{fffd}' | '\u{13441}'
            ..='\u{13446}' | '\u{16fe4}' | '\u{1d159}'
    );
    is_control
        || is_other
        || without_picture
        || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
        || CodePointSetData::new::<NoncharacterCodePoint>().contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_one_form_as_in_the_package() {
        let text = normalize(" Acme\u{a0} Bank,\n loan 4711  Cafe\u{301} ");
        assert_eq!(text.as_deref(), Ok("Acme Bank, loan 4711 Caf\u{e9}"));
        assert!(is_normal("Acme Bank, loan 4711 k3v9q2"));
        for other in [
            " Acme",
            "Acme ",
            "Acme  Bank",
            "Acme\tBank",
            "Cafe\u{301}",
            "Acme\u{a0}Bank",
        ] {
            assert!(!is_normal(other), "{other:?}");
        }
        for hidden in [
            "a\u{200b}b",
            "a\u{202e}b",
            "a\u{feff}b",
            "a\0b",
            "a\u{3164}b",
            "a\u{ad}b",
            "a\u{fffc}b",
            "a\u{fffd}b",
            "a\u{2800}b",
            "a\u{ffff}b",
            "a\u{1d159}b",
            "a\u{fe0f}b",
            "a\u{85}b",
            "a\u{e000}b",
        ] {
            assert_eq!(normalize(hidden), Err(InvalidWords::Hidden), "{hidden:?}");
        }
        assert_eq!(normalize("   "), Err(InvalidWords::Empty));
        assert_eq!(normalize(&"x".repeat(201)), Err(InvalidWords::TooLong));
        assert_eq!(normalize(&"x".repeat(200)).map(|text| text.len()), Ok(200));
    }
}
