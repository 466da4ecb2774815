//! `like` patterns, as both databases understand them.

/// The byte before and after every name in the text of names. UTF-8 never has it.
pub(super) const EDGE: u8 = 0xff;

/// What a pattern is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// This character.
    Is(char),
    /// `_`: any one character.
    One,
    /// `%`: any text.
    Any,
}

/// A pattern with `\` as escape.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Vec<Sign>);

impl Pattern {
    /// A single `\` at the end is a literal; the grammar of queries refuses it.
    pub(super) fn parse(pattern: &str) -> Self {
        let mut signs = Vec::with_capacity(pattern.len());
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            signs.push(match character {
                '%' => Sign::Any,
                '_' => Sign::One,
                '\\' => Sign::Is(characters.next().unwrap_or('\\')),
                character => Sign::Is(character),
            });
        }
        signs.dedup_by(|second, first| (*first, *second) == (Sign::Any, Sign::Any));
        Self(signs)
    }

    /// The pattern that only this name matches.
    pub(super) fn literal(name: &str) -> Self {
        Self(name.chars().map(Sign::Is).collect())
    }

    /// Bytes that every name that matches contains: the pattern's longest part without wildcards. At the ends of the pattern it includes the
    /// edge of the name. Never empty.
    pub(super) fn needle(&self) -> Vec<u8> {
        let mut parts = vec![vec![EDGE]];
        for sign in &self.0 {
            match (sign, parts.last_mut()) {
                (Sign::Is(character), Some(part)) => {
                    part.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => parts.push(Vec::new()),
            }
        }
        parts
            .last_mut()
            .into_iter()
            .for_each(|part| part.push(EDGE));
        // Every name has an edge, so a needle of only one finds nothing.
        let length = |part: &Vec<u8>| if *part == [EDGE] { 0 } else { part.len() };
        parts.into_iter().max_by_key(length).unwrap_or_default()
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        let (mut signs, mut rest) = (self.0.as_slice(), name.chars());
        // Where to try again when the rest does not fit: one character after the last start behind a `%`.
        let mut again = None;
        loop {
            let fits = match signs.first() {
                Some(Sign::Any) => {
                    again = Some((&signs[1..], rest.clone()));
                    true
                }
                Some(Sign::One) => rest.next().is_some(),
                Some(Sign::Is(character)) => rest.next() == Some(*character),
                None if rest.as_str().is_empty() => return true,
                None => false,
            };
            if fits {
                signs = &signs[1..];
                continue;
            }
            let Some((behind, later)) = &mut again else {
                return false;
            };
            if later.next().is_none() {
                return false;
            }
            (signs, rest) = (behind, later.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::names::Names;
    use super::*;

    #[test]
    fn patterns_match_as_in_sql() {
        for (pattern, text, matches) in [
            ("", "", true),
            ("", "a", false),
            ("%", "", true),
            ("%%", "ab", true),
            ("_", "", false),
            ("_", "ö", true),
            ("__", "ö", false),
            ("a%", "ba", false),
            ("%a", "ab", false),
            ("a%c", "abcbc", true),
            ("a%c", "abcb", false),
            ("%ab_", "aabab1", true),
            ("%b%d%", "abcde", true),
            ("%d%b%", "abcde", false),
            ("a\\%", "a%", true),
            ("a\\%", "ab", false),
            ("\\_\\\\\\x", "_\\x", true),
        ] {
            let pattern = Pattern::parse(pattern);
            assert_eq!(pattern.matches(text), matches, "{pattern:?} {text}");
            let mut names = Names::default();
            ["b", text, "", "a"]
                .iter()
                .for_each(|name| names.push(name));
            let is_match = |index: &usize| names.is_match(*index, &pattern);
            let found: Vec<usize> = names.candidates(&pattern).filter(is_match).collect();
            let all = (0..4).filter(is_match);
            assert_eq!(found, all.collect::<Vec<_>>(), "{pattern:?} {text}");
        }
    }
}
