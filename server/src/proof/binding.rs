//! What ties a proof to the account that sends it (decisions, D4).

use crate::verify::Verified;

/// How strongly a proof is tied to an account, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binding {
    /// Somebody signed; the file does not say for whom.
    Unbound,
}

impl Binding {
    /// The word in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unbound => "unbound",
        }
    }
}

/// How a verified file is bound. No method of binding is known yet, so none is.
#[must_use]
pub fn of(_verified: &Verified) -> Binding {
    Binding::Unbound
}
