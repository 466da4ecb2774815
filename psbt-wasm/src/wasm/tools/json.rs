//! JSON text. Values write themselves into one string: the modules' allocator searches all free blocks, so that a text for each of
//! 97,000 inputs would be slow.

use core::fmt::{self, Display, Formatter, Write};

/// A list, each of whose items a function writes.
pub(super) struct List<'a, T>(
    pub(super) &'a [T],
    pub(super) fn(&T, &mut Formatter<'_>) -> fmt::Result,
);

impl<T> Display for List<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        for (at, item) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_char(',')?;
            }
            self.1(item, f)?;
        }
        f.write_char(']')
    }
}

/// A value, or null.
pub(super) struct OrNull<T>(pub(super) Option<T>);

impl<T: Display> Display for OrNull<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("null"),
        }
    }
}

/// Any text in quotes: it may come from a file.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                '\0'..='\u{1f}' => write!(f, "\\u{:04x}", u32::from(character))?,
                _ => f.write_char(character)?,
            }
        }
        f.write_char('"')
    }
}

/// A text in quotes, or null.
pub(super) fn text_or_null(text: Option<&str>) -> OrNull<Quoted<'_>> {
    OrNull(text.map(Quoted))
}
