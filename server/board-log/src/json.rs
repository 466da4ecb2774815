//! Reads the JSON that a board writes: objects with these members, in this order, each value in the one way in which `serde_json` and
//! `JSON.stringify` write it. So a text that is read has no other spelling, and nothing in it that a reader does not know: that could
//! change what the rest means.

use super::checkpoint::number;

/// What can be read in one spelling only.
pub trait Canonical: Sized {
    /// Reads it from the start of the text.
    fn read(json: &mut Json<'_>) -> Option<Self>;
}

/// Reads a text that is nothing but this value.
pub fn canonical<T: Canonical>(text: &str) -> Option<T> {
    let mut json = Json(text);
    let value = T::read(&mut json)?;
    json.0.is_empty().then_some(value)
}

/// What is left of a text.
pub struct Json<'a>(&'a str);

impl Json<'_> {
    /// Whether this comes next; if so it is read.
    pub fn has(&mut self, literal: &str) -> bool {
        let rest = self.0.strip_prefix(literal);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Reads this.
    pub fn expect(&mut self, literal: &str) -> Option<()> {
        self.has(literal).then_some(())
    }

    /// Reads a value after this, which may be missing together with it.
    pub fn optional<T: Canonical>(&mut self, literal: &str) -> Option<Option<T>> {
        match self.has(literal) {
            true => T::read(self).map(Some),
            false => Some(None),
        }
    }

    /// What comes before the first character of which this is true.
    fn until(&mut self, is_end: impl Fn(char) -> bool) -> &str {
        let end = self.0.find(is_end).unwrap_or(self.0.len());
        let (text, rest) = self.0.split_at(end);
        self.0 = rest;
        text
    }

    /// The character that stands after a backslash. Only what must be escaped is, and in the short form if it has one.
    fn escaped(&mut self) -> Option<char> {
        const SHORT: [(&str, char); 7] = [
            ("\"", '"'),
            ("\\", '\\'),
            ("b", '\u{8}'),
            ("f", '\u{c}'),
            ("n", '\n'),
            ("r", '\r'),
            ("t", '\t'),
        ];
        let short = SHORT.iter().find(|(letter, _)| self.0.starts_with(letter));
        if let Some((letter, character)) = short {
            self.expect(letter)?;
            return Some(*character);
        }
        self.expect("u00")?;
        let digits = self.0.get(..2)?;
        let mut byte = [0_u8];
        hex::decode_to_slice(digits, &mut byte).ok()?;
        let character = char::from(byte[0]);
        let is_only_form = character < ' ' && SHORT.iter().all(|(_, short)| *short != character);
        let is_lower = !digits.contains(|digit: char| digit.is_ascii_uppercase());
        self.0 = &self.0[2..];
        (is_only_form && is_lower).then_some(character)
    }
}

impl Canonical for String {
    fn read(json: &mut Json<'_>) -> Option<Self> {
        json.expect("\"")?;
        let mut text = Self::new();
        loop {
            text.push_str(json.until(|it| it < ' ' || it == '"' || it == '\\'));
            if json.has("\"") {
                return Some(text);
            }
            json.expect("\\")?;
            text.push(json.escaped()?);
        }
    }
}

impl Canonical for u64 {
    fn read(json: &mut Json<'_>) -> Option<Self> {
        number(json.until(|it| !it.is_ascii_digit()))
    }
}

impl Canonical for u32 {
    fn read(json: &mut Json<'_>) -> Option<Self> {
        u64::read(json)?.try_into().ok()
    }
}

/// An amount, which is never negative.
impl Canonical for i64 {
    fn read(json: &mut Json<'_>) -> Option<Self> {
        u64::read(json)?.try_into().ok()
    }
}

impl Canonical for bool {
    fn read(json: &mut Json<'_>) -> Option<Self> {
        let is_true = json.has("true");
        (is_true || json.has("false")).then_some(is_true)
    }
}

/// A value, or null.
impl<T: Canonical> Canonical for Option<T> {
    fn read(json: &mut Json<'_>) -> Option<Self> {
        match json.has("null") {
            true => Some(None),
            false => T::read(json).map(Some),
        }
    }
}

impl<T: Canonical> Canonical for Vec<T> {
    fn read(json: &mut Json<'_>) -> Option<Self> {
        json.expect("[")?;
        let mut items = Self::new();
        if json.has("]") {
            return Some(items);
        }
        loop {
            items.push(T::read(json)?);
            if json.has("]") {
                return Some(items);
            }
            json.expect(",")?;
        }
    }
}

/// Reads an object with these members, then those that may be missing.
macro_rules! object {
    ($type:ident { $first:ident $(, $member:ident)* $(; $last:ident)? }) => {
        impl $crate::json::Canonical for $type {
            fn read(json: &mut $crate::json::Json<'_>) -> Option<Self> {
                json.expect(concat!("{\"", stringify!($first), "\":"))?;
                let $first = $crate::json::Canonical::read(json)?;
                $(
                    json.expect(concat!(",\"", stringify!($member), "\":"))?;
                    let $member = $crate::json::Canonical::read(json)?;
                )*
                $(let $last = json.optional(concat!(",\"", stringify!($last), "\":"))?;)?
                json.expect("}")?;
                Some(Self { $first, $($member,)* $($last)? })
            }
        }
    };
}
pub(crate) use object;

#[cfg(test)]
mod tests {
    use super::*;

    /// Every text that `serde_json` writes is read, and no other spelling of it.
    #[test]
    fn a_text_has_one_spelling() {
        let all: String = (0..0x3000).filter_map(char::from_u32).collect();
        for text in ["", "a", "\u{1f600}", &*all] {
            let written = serde_json::to_string(text).unwrap();
            assert_eq!(canonical::<String>(&written).as_deref(), Some(text));
        }
        for other in [
            r#""\u0041""#,
            r#""\/""#,
            r#""\u000A""#,
            r#""\u000a""#,
            r#""\u001F""#,
            r#""\u00""#,
            r#""\ud83d\ude00""#,
            "\"\n\"",
            "\"",
            "\"a",
            "a\"",
            r#""a" "#,
            r#" "a""#,
            "null",
        ] {
            assert_eq!(canonical::<String>(other), None, "{other}");
        }
    }

    #[test]
    fn a_number_has_one_spelling() {
        for number in [0, 1, 10, u64::MAX] {
            assert_eq!(canonical(&number.to_string()), Some(number));
        }
        for other in [
            "",
            "00",
            "01",
            "+1",
            "-1",
            "-0",
            "1.0",
            "1e2",
            "18446744073709551616",
            "1 ",
            "\u{661}",
        ] {
            assert_eq!(canonical::<u64>(other), None, "{other}");
        }
        assert_eq!(canonical::<u32>("4294967296"), None);
        assert_eq!(canonical::<i64>("9223372036854775808"), None);
    }

    #[test]
    fn lists_and_values_that_may_be_missing_have_one_spelling() {
        assert_eq!(canonical("[]"), Some(Vec::<u64>::new()));
        assert_eq!(canonical("[1,2]"), Some(vec![1_u64, 2]));
        assert_eq!(canonical("null"), Some(None::<bool>));
        assert_eq!(canonical("true"), Some(Some(true)));
        for other in ["[1,]", "[,1]", "[1 ,2]", "[1", "[", "[1]]"] {
            assert_eq!(canonical::<Vec<u64>>(other), None, "{other}");
        }
        assert_eq!(canonical::<bool>("True"), None);
    }
}
