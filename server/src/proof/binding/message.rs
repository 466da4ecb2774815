//! Binding by message: a BIP-0322 proof of funds over a message that this server asked for.

use crate::base::clock::DAY;
use crate::verify::bip322::Fault;

/// How long a message can be used, in seconds.
pub const LIFETIME: i64 = DAY;

/// Why a signed message does not bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// `to_sign` has not the form that BIP-0322 demands.
    #[error(
        "The file carries a signed message, but not in the form that BIP-322 demands of a proof of funds: {}.",
        describe(*.0)
    )]
    Form(Fault),
    /// The file commits to another message, or to one for somebody else.
    #[error(
        "The signed message is not one that was made for this account. Copy the whole message from the upload page, as it is, and sign it again."
    )]
    Mismatch,
    /// The message is too old, or has been used.
    #[error(
        "The signed message has expired or has been used before. Copy a new one from the upload page and sign it."
    )]
    Spent,
}

impl MessageError {
    /// The stable kebab-case name.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Form(_) => "message-form",
            Self::Mismatch => "message-mismatch",
            Self::Spent => "message-expired",
        }
    }
}

fn describe(fault: Fault) -> &'static str {
    match fault {
        Fault::Version => "its transaction version must be 0 or 2",
        Fault::OutputIndex => "its first input must spend output 0",
        Fault::Outputs => "its only output must be an OP_RETURN without value",
        Fault::NoCoins => "it needs a coin to prove beside the message",
    }
}

/// The message to sign. It is compared whole (rule C5), so nothing may be added to it.
#[must_use]
pub fn text(origin: &str, account: &str, nonce: &str) -> String {
    format!("Proof of Reserves\nServer: {origin}\nAccount: {account}\nNonce: {nonce}")
}
