//! How a proof is bound to an account.

/// How a proof is bound to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// It is signed, but does not name the account it was signed for.
    Unbound,
    /// It signs the account's statement as a message (BIP-0322).
    Message,
    /// It is a still transaction that carries the account's statement (proofs, section 2).
    Transaction,
}

/// A word in the database that is no binding.
#[derive(Debug, thiserror::Error)]
#[error("'{0}' is no binding")]
pub struct UnknownBinding(String);

impl Binding {
    /// The word in the database and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unbound => "unbound",
            Self::Message => "message",
            Self::Transaction => "transaction",
        }
    }

    /// Whether the file names the account it was signed for. Both ways of naming it are equally strong.
    #[must_use]
    pub fn is_bound(self) -> bool {
        self != Self::Unbound
    }
}

impl TryFrom<String> for Binding {
    type Error = UnknownBinding;

    fn try_from(word: String) -> Result<Self, UnknownBinding> {
        match word.as_str() {
            "unbound" => Ok(Self::Unbound),
            "message" => Ok(Self::Message),
            "transaction" => Ok(Self::Transaction),
            _ => Err(UnknownBinding(word)),
        }
    }
}
