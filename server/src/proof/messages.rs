//! Messages that accounts sign: made here, and recognised when they come back.

use super::binding::message::{LIFETIME, MessageError, text};
use super::proving::Proving;
use super::submission::SubmitError;
use crate::base::clock::UnixTime;
use crate::store::nonces::MessageNonce;
use crate::verify::Candidate;
use crate::verify::bip322::SignedMessage;

impl Proving {
    /// A new message for an account, and until when it can be used, unix seconds.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn issue_message(&self, account: &str) -> Result<(String, UnixTime), sqlx::Error> {
        let now = self.clock.now();
        let nonce = MessageNonce {
            nonce: hex::encode(rand::random::<[u8; 16]>()),
            user_id: account.to_owned(),
            created_at: now,
            expires_at: now + LIFETIME,
        };
        self.store.add_message_nonce(&nonce).await?;
        let text = text(&self.settings.origin, account, &nonce.nonce);
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
    pub(super) async fn recognise_message(
        &self,
        account: &str,
        candidate: &mut Candidate,
    ) -> Result<Option<String>, SubmitError> {
        let Some(signed) = SignedMessage::recognise(&candidate.file) else {
            return Ok(None);
        };
        if let Some(fault) = signed.fault {
            return Err(MessageError::Form(fault).into());
        }
        for nonce in self.store.message_nonces(account).await? {
            let message = text(&self.settings.origin, account, &nonce);
            if let Some(output) = signed.output_for(message.as_bytes()) {
                candidate.virtual_output = Some(output);
                return Ok(Some(nonce));
            }
        }
        Err(MessageError::Mismatch.into())
    }
}
