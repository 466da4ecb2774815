//! How a proof is bound to an account.

use sqlx::Type;
use strum::IntoStaticStr;

/// How a proof is bound to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Binding {
    /// It is signed, but does not name the account it was signed for.
    Unbound,
    /// It signs the account's statement as a message (BIP-0322).
    Message,
    /// It is a still transaction that carries the account's statement (proofs, section 2).
    Transaction,
}

impl Binding {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the file names the account it was signed for. Both ways of naming it are equally strong.
    pub fn is_bound(self) -> bool {
        self != Self::Unbound
    }
}
