//! Binds a file to the account that sends it, by the account's statement, and says what publishing it stores (proofs, sections 1 and 4).

use bitcoin::TxOut;

use bitcoin::consensus::encode::serialize_hex;
use psbt_wasm::Carrier;

use super::proving::Proving;
use super::statement::{Line, Statement};
use super::submission::{NotPublishable, SubmitError};
use crate::config::ProofBinding;
use store::binding::Binding;
use store::claims::ActiveProof;
use store::claims::Publication;
use store::profiles::Profile;
use store::values::Time;
use verify::binding::NotBound;
use verify::bip322::{Fault, is_later};
use verify::{Candidate, Refusal, Verified, binding};

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

    /// The binding of a verified file to the account with this statement. A file without a statement may stay unbound, if the settings
    /// allow that, and must then be a transaction that could be sent (rule B4).
    pub(super) fn bind<'a>(
        &self,
        verified: &Verified,
        statement: &'a Statement,
    ) -> Result<(Binding, Option<&'a Line>), SubmitError> {
        let is_said = |line: &str| binding::says(verified, line);
        let carrier = match binding::carrier(verified, &statement.texts().collect::<Vec<_>>()) {
            Err(NotBound::NoStatement) if self.settings.binding == ProofBinding::Optional => {
                verified.final_at_next_block()?;
                return Ok((Binding::Unbound, None));
            }
            Err(NotBound::OtherStatement) => return Err(statement.why_not_bound(is_said).into()),
            carrier => carrier?,
        };
        let binding = match carrier {
            Carrier::Message => Binding::Message,
            Carrier::Transaction => Binding::Transaction,
        };
        let line = statement.lines.iter().find(|line| is_said(&line.text));
        Ok((binding, line))
    }

    /// The publication of a verified file that is bound to an account by this line.
    ///
    /// # Errors
    /// When its owner shows a range.
    pub(super) fn publication(
        &self,
        account: &Profile,
        verified: &Verified,
        line: &Line,
    ) -> Result<Publication, NotPublishable> {
        if account.shown_as.is_range() {
            return Err(NotPublishable::Range);
        }
        let coins = verified.coins.iter();
        let outputs: Vec<TxOut> = coins.map(|coin| coin.output.clone()).collect();
        Ok(Publication {
            published_at: Time(self.clock.now()),
            network: self.chain.network_name().to_owned(),
            transaction: serialize_hex(&verified.transaction),
            previous_outputs: serialize_hex(&outputs),
            statement: line.text.clone(),
            origin: self.statements.origin().to_owned(),
            provider: account.provider.clone(),
            subject: account.subject.clone(),
            nonce: hex::encode(line.nonce),
            statement_name: line.name.clone(),
            block_height: line.block.height.into(),
            block_header: hex::encode(line.block.header),
        })
    }

    /// The line that binds a file which is an active proof, even if that line no longer counts.
    ///
    /// # Errors
    /// When the file is unbound, or its line cannot be shown to be the account's.
    pub(super) async fn line_of(
        &self,
        account: &Profile,
        verified: &Verified,
        active: &ActiveProof,
    ) -> Result<Line, SubmitError> {
        if !active.binding.is_bound() {
            return Err(NotPublishable::Unbound.into());
        }
        let (Some(height), Some(name)) = (active.statement_height, &active.statement_name) else {
            return Err(NotPublishable::Statement.into());
        };
        let blocks = self.blocks_at(height).await?;
        let lines = blocks.iter();
        let mut lines = lines.map(|block| self.statements.line(account, name, block));
        let line = lines.find(|line| binding::says(verified, &line.text));
        Ok(line.ok_or(NotPublishable::Statement)?)
    }
}
