//! Compares signed messages with the account's statement before any coin is looked up.

use super::proving::Proving;
use super::statement::Statement;
use super::submission::SubmitError;
use store::binding::Binding;
use verify::binding::NotBound;
use verify::bip322::{Fault, is_later};
use verify::{Candidate, Refusal};

impl Proving {
    /// Refuses a signed message unless it is one of the account's lines. The lines are computed here; the message in the file is
    /// only a hint.
    ///
    /// A message that no longer counts passes if it belongs to an active proof of the account. The proof is found by the txid, which commits
    /// to the message, so nothing new can be proven with it (rule C3).
    ///
    /// # Errors
    /// When the file signs another message, or the database fails.
    pub(super) async fn check_message(
        &self,
        account: &str,
        statement: &Statement,
        candidate: &Candidate,
    ) -> Result<(), SubmitError> {
        let mut lines = statement.texts().map(str::as_bytes);
        let Some(signed) = candidate.kind.message() else {
            return Ok(());
        };
        if lines.any(|line| signed.signs(line)) {
            return Ok(());
        }
        let transaction = candidate.file.unsigned_transaction();
        let tx_hash = self.hasher.hash(transaction);
        let now = self.clock.now();
        let active = self.store.active_proof(account, &tx_hash, now).await?;
        if active.is_some_and(|active| active.binding == Binding::Message) {
            return Ok(());
        }
        let mut lines = statement.texts().map(str::as_bytes);
        if lines.any(|line| is_later(&candidate.file, line)) {
            return Err(Refusal::MessageForm(Fault::FirstInput).into());
        }
        let over = statement.over(|line| signed.signs(line.as_bytes()));
        Err(over.map_or(NotBound::OtherStatement, NotBound::from).into())
    }
}
