//! Findings: false claims of a board.

use serde::Serialize;

/// A false claim of the board.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Its stable code.
    pub code: &'static str,
    /// The row or proof's owner: the id, and the name that the board shows.
    pub profile: String,
    pub name: String,
    /// The proof, when it is about one.
    pub proof: Option<String>,
    pub sentence: String,
}

impl Finding {
    /// About a row of this id and name.
    pub(super) fn of_row(
        code: &'static str,
        (profile, name): (&str, &str),
        sentence: String,
    ) -> Self {
        Self {
            code,
            profile: profile.to_owned(),
            name: name.to_owned(),
            proof: None,
            sentence,
        }
    }
}
