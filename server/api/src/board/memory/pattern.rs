//! `like` patterns, as both databases understand them.

/// One sign of a pattern.
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
pub(super) struct Pattern {
    signs: Vec<Sign>,
    /// A pattern that ends within an escape matches nothing.
    whole: bool,
}

impl Pattern {
    pub(super) fn parse(pattern: &str) -> Self {
        let mut signs = Vec::with_capacity(pattern.len());
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            signs.push(match character {
                '%' => Sign::Any,
                '_' => Sign::One,
                '\\' => match characters.next() {
                    Some(escaped) => Sign::Is(escaped),
                    None => {
                        return Self {
                            signs,
                            whole: false,
                        };
                    }
                },
                character => Sign::Is(character),
            });
        }
        // One after another, these say the same as one.
        signs.dedup_by(|second, first| (*first, *second) == (Sign::Any, Sign::Any));
        Self { signs, whole: true }
    }

    /// The one text that it matches, if it is a text.
    pub(super) fn text(&self) -> Option<String> {
        let characters = self.signs.iter().map(|sign| match sign {
            Sign::Is(character) => Some(*character),
            Sign::One | Sign::Any => None,
        });
        characters
            .collect::<Option<String>>()
            .filter(|_| self.whole)
    }

    /// The longest text that everything has in it that matches.
    pub(super) fn longest_text(&self) -> String {
        let texts = self.signs.split(|sign| !matches!(sign, Sign::Is(_)));
        let texts = texts.map(|text| {
            let characters = text.iter().filter_map(|sign| match sign {
                Sign::Is(character) => Some(*character),
                Sign::One | Sign::Any => None,
            });
            characters.collect::<String>()
        });
        texts.max_by_key(String::len).unwrap_or_default()
    }

    /// Whether it matches everything that has [`Self::longest_text`] in it.
    pub(super) fn is_contains(&self) -> bool {
        let inner = match self.signs.as_slice() {
            [Sign::Any] => &[],
            [Sign::Any, inner @ .., Sign::Any] => inner,
            _ => return false,
        };
        self.whole && inner.iter().all(|sign| matches!(sign, Sign::Is(_)))
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        if !self.whole {
            return false;
        }
        // Where to go on when what comes after the last `%` does not fit: one character later.
        let mut again: Option<(usize, std::str::Chars<'_>)> = None;
        let (mut at, mut rest) = (0, text.chars());
        loop {
            let before = rest.clone();
            let fits = match self.signs.get(at) {
                Some(Sign::Any) => {
                    again = Some((at + 1, rest.clone()));
                    at += 1;
                    continue;
                }
                Some(Sign::One) => rest.next().is_some(),
                Some(Sign::Is(character)) => rest.next() == Some(*character),
                None => {
                    if before.as_str().is_empty() {
                        return true;
                    }
                    false
                }
            };
            if fits {
                at += 1;
                continue;
            }
            let Some((sign, mut later)) = again else {
                return false;
            };
            if later.next().is_none() {
                return false;
            }
            again = Some((sign, later.clone()));
            (at, rest) = (sign, later);
        }
    }
}

#[cfg(test)]
mod tests {
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
            ("a%c", "abcbc", true),
            ("a%c", "abcb", false),
            ("%ab_", "aabab1", true),
            ("%b%d%", "abcde", true),
            ("%d%b%", "abcde", false),
            ("a\\%", "a%", true),
            ("a\\%", "ab", false),
            ("\\_\\\\\\x", "_\\x", true),
            ("a\\", "a", false),
            ("a\\", "a\\", false),
            ("%\\", "a", false),
        ] {
            let parsed = Pattern::parse(pattern);
            assert_eq!(parsed.matches(text), matches, "{pattern} {text}");
            if matches {
                assert!(text.contains(&parsed.longest_text()), "{pattern} {text}");
            }
        }
    }

    #[test]
    fn says_what_it_asks_for() {
        assert_eq!(Pattern::parse("a\\_b").text().as_deref(), Some("a_b"));
        assert_eq!(Pattern::parse("a_b").text(), None);
        assert_eq!(Pattern::parse("a\\").text(), None);
        assert_eq!(Pattern::parse("%ab_cde%").longest_text(), "cde");
        assert!(Pattern::parse("%a\\%%").is_contains());
        assert!(Pattern::parse("%").is_contains());
        for other in ["a%", "%a", "%a_%", "%a%b%", "%a%\\"] {
            assert!(!Pattern::parse(other).is_contains(), "{other}");
        }
    }
}
