//! Something false, and whose it is.

use serde::Serialize;

/// Something false.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// A stable word for it.
    pub code: &'static str,
    /// Whose row or proof it is: the id, and the name that the board shows.
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
