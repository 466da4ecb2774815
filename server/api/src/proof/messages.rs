//! Signed messages, recognised when they come back.

use super::proving::Proving;
use super::statement::Statement;
use super::submission::SubmitError;
use store::binding::Binding;
use verify::binding::NotBound;
use verify::bip322::{Fault, SignedMessage, is_later};
use verify::{Candidate, Refusal};

impl Proving {
    /// Recognises a file that signs the statement as a message, and lets its first input spend what the message stands for.
    /// An ordinary file stays as it is.
    ///
    /// The message is rebuilt from the account's own lines, so the one that the file carries, if any, is only a
    /// hint. A message that no longer counts is recognised in an active proof of the account: by the transaction, whose
    /// id commits to it. Nothing new can come of that one (rule C3).
    ///
    /// # Errors
    /// When the file signs something else, or the database fails.
    pub(super) async fn recognise_message(
        &self,
        account: &str,
        statement: &Statement,
        candidate: &mut Candidate,
    ) -> Result<(), SubmitError> {
        let Some(signed) = SignedMessage::recognise(&candidate.file) else {
            return Ok(());
        };
        let lines = || statement.lines().map(str::as_bytes);
        let mut output = lines().find_map(|line| signed.output_for(line));
        if output.is_none() {
            let transaction = candidate.file.unsigned_transaction();
            let tx_hash = self.hasher.hash(transaction);
            let now = self.clock.now();
            let active = self.store.active_proof(account, &tx_hash, now).await?;
            output = active
                .filter(|active| active.binding == Binding::Message)
                .map(|_| signed.output());
        }
        if output.is_none() && lines().any(|line| is_later(&candidate.file, line)) {
            return Err(Refusal::MessageForm(Fault::FirstInput).into());
        }
        candidate.virtual_output = Some(output.ok_or(NotBound::OtherStatement)?);
        Ok(())
    }
}
