//! The board's notes on published proofs, signed with the log's key (proofs, section 4).

use super::error::HistoryError;
use super::room::History;
use super::write::PURPOSE;
use board_log::note::Signer;
use board_log::proof_note::ProofNote;

impl History {
    /// The note about a published proof, signed with the current key.
    ///
    /// # Errors
    /// When the database fails, or the key is missing.
    pub async fn sign(&self, said: &ProofNote) -> Result<String, HistoryError> {
        let origin = self.state().await?.origin;
        let key = self.store.newest_key(PURPOSE).await?;
        let signer = key.and_then(|key| Signer::read(&origin, &key));
        Ok(said.sign(&signer.ok_or(HistoryError::Key)?))
    }
}
