//! Binding by message: a BIP-0322 proof of funds over a message that this server asked for.

use crate::clock::{DAY, UnixTime};
use crate::proof::SubmitError;
use crate::state::AppState;
use crate::store::nonces::MessageNonce;
use crate::verify::Candidate;
use crate::verify::bip322::{Fault, SignedMessage};

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

/// A new message for an account, and until when it can be used, unix seconds.
///
/// # Errors
/// When the database fails.
pub async fn issue(state: &AppState, account: &str) -> Result<(String, UnixTime), sqlx::Error> {
    let now = state.clock.now();
    let nonce = MessageNonce {
        nonce: hex::encode(rand::random::<[u8; 16]>()),
        user_id: account.to_owned(),
        created_at: now,
        expires_at: now + LIFETIME,
    };
    state.store.add_message_nonce(&nonce).await?;
    let text = text(&state.config.origin(), account, &nonce.nonce);
    Ok((text, nonce.expires_at))
}

/// Recognises a file that signs a message, and lets its first input spend what the message stands
/// for. Answers the nonce of that message; none for an ordinary file.
///
/// The messages are rebuilt from what this server has issued to this account, so the one that the
/// file carries, if any, is only a hint. A nonce that is over still answers here: its transaction
/// may be the account's active proof, and whether it can prove anything new is decided with the
/// claims.
///
/// # Errors
/// When the file signs something else, or the database fails.
pub async fn recognise(
    state: &AppState,
    account: &str,
    candidate: &mut Candidate,
) -> Result<Option<String>, SubmitError> {
    let Some(signed) = SignedMessage::recognise(&candidate.file) else {
        return Ok(None);
    };
    if let Some(fault) = signed.fault {
        return Err(MessageError::Form(fault).into());
    }
    let origin = state.config.origin();
    for nonce in state.store.message_nonces(account).await? {
        let message = text(&origin, account, &nonce);
        if let Some(output) = signed.output_for(message.as_bytes()) {
            candidate.virtual_output = Some(output);
            return Ok(Some(nonce));
        }
    }
    Err(MessageError::Mismatch.into())
}
