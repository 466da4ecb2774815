//! Findings: false claims of a board.

use serde::Serialize;

/// A false claim of the board.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Finding {
    /// Its stable code.
    pub code: &'static str,
    /// The row or proof's owner: the id, and the name that the board shows. Empty for the board as a whole.
    pub profile: String,
    pub name: String,
    /// The proof, when it is about one.
    pub proof: Option<String>,
    pub sentence: String,
}

impl Finding {
    /// About the board as a whole.
    pub(super) fn for_board(code: &'static str, sentence: impl Into<String>) -> Self {
        Self {
            code,
            sentence: sentence.into(),
            ..Self::default()
        }
    }

    /// About a row of this id and name.
    pub(super) fn for_row(
        code: &'static str,
        (profile, name): (&str, &str),
        sentence: String,
    ) -> Self {
        Self {
            profile: profile.to_owned(),
            name: name.to_owned(),
            ..Self::for_board(code, sentence)
        }
    }
}
