//! How a proof is tied to an account.

/// How a proof is tied to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Somebody signed; the file does not say for whom.
    Unbound,
    /// It signs the account's statement as a message (BIP-0322).
    Message,
    /// It is a still transaction that carries the account's statement (proofs, section 2).
    Transaction,
}

impl Binding {
    const ALL: [Self; 3] = [Self::Unbound, Self::Message, Self::Transaction];

    /// The word in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unbound => "unbound",
            Self::Message => "message",
            Self::Transaction => "transaction",
        }
    }

    /// The binding of this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|binding| binding.as_str() == word)
    }

    /// Whether the file says for whom it was signed. Both ways of saying it are equally strong.
    #[must_use]
    pub fn is_bound(self) -> bool {
        self != Self::Unbound
    }
}
