//! Compares a signed message with the account's statement, before any coin is looked up.

use super::proving::Proving;
use super::statement::Statement;
use super::submission::SubmitError;
use store::binding::Binding;
use verify::bip322::{Fault, is_later};
use verify::{Candidate, Refusal};

impl Proving {
    /// Refuses a signed message unless it is one of the account's lines. The lines are computed here; a message that the file states is
    /// only a hint.
    ///
    /// A message that no longer counts passes if the file is an active proof of the account. That is found by the transaction, whose id commits
    /// to the message, and it proves nothing new (rule C3).
    ///
    /// # Errors
    /// When the file signs another message, or the database fails.
    pub(super) async fn check_message(
        &self,
        account: &str,
        statement: &Statement,
        candidate: &Candidate,
    ) -> Result<(), SubmitError> {
        let Some(signed) = candidate.kind.message() else {
            return Ok(());
        };
        let is_signed = |line: &str| signed.signs(line.as_bytes());
        if statement.texts().any(is_signed) {
            return Ok(());
        }
        let transaction = candidate.file.unsigned_transaction();
        let tx_hash = self.hash_of(transaction);
        let now = self.clock.now();
        let active = self.store.active_proof(account, &tx_hash, now).await?;
        if active.is_some_and(|active| active.binding == Binding::Message) {
            return Ok(());
        }
        let mut lines = statement.texts().map(str::as_bytes);
        if lines.any(|line| is_later(&candidate.file, line)) {
            return Err(Refusal::MessageForm(Fault::FirstInput).into());
        }
        Err(statement.why_not_bound(is_signed).into())
    }
}
