//! How commands name a user.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::providers;

/// A user, as an operator names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Person {
    /// The id in the address of the profile.
    Id(String),
    /// The name as the board shows it. A name without a provider is an X handle.
    Named {
        provider: Option<String>,
        name: String,
    },
    /// The hash that `block` has printed, 64 hexadecimal digits.
    BlockedHash(String),
}

/// Text that is not a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither an id nor a name as the board shows it, such as @satoshi or github:satoshi")]
pub struct PersonError;

impl FromStr for Person {
    type Err = PersonError;

    fn from_str(text: &str) -> Result<Self, PersonError> {
        let text = text.trim();
        if let Ok(id) = Uuid::try_parse(text) {
            return Ok(Self::Id(id.to_string()));
        }
        if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(Self::BlockedHash(text.to_ascii_lowercase()));
        }
        let (provider, name) = providers::parse_name(text);
        // An X handle has no colon.
        if name.is_empty() || (provider.is_none() && name.contains(':')) {
            return Err(PersonError);
        }
        Ok(Self::Named {
            provider: provider.map(str::to_owned),
            name: name.to_owned(),
        })
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(text) | Self::BlockedHash(text) => f.write_str(text),
            Self::Named {
                provider: Some(provider),
                name,
            } => write!(f, "{provider}:{name}"),
            Self::Named {
                provider: None,
                name,
            } => write!(f, "@{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_named_as_the_board_does_and_by_id() {
        let read = |text: &str| text.parse::<Person>();
        let id = "0b0e4a52-5f6f-4b1e-9c39-2d5d4a8f6a11";
        assert_eq!(read(id), Ok(Person::Id(id.to_owned())));
        assert_eq!(read(&id.to_uppercase()), Ok(Person::Id(id.to_owned())));
        for (text, shown) in [
            ("@satoshi", "@satoshi"),
            ("satoshi", "@satoshi"),
            ("github:satoshi", "github:satoshi"),
            (&"AB".repeat(32), &"ab".repeat(32)),
        ] {
            assert_eq!(read(text).map(|it| it.to_string()), Ok(shown.to_owned()));
        }
        for text in ["", "@", "github:", "elsewhere:satoshi"] {
            assert_eq!(read(text), Err(PersonError), "{text}");
        }
    }
}
