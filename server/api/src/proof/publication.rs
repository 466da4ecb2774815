//! What publishing a proof stores (proofs, section 4).

use bitcoin::TxOut;
use bitcoin::consensus::encode::serialize_hex;

use super::proving::Proving;
use super::statement::Line;
use super::submission::{NotPublishable, SubmitError};
use store::claims::ActiveProof;
use store::profiles::Profile;
use store::published::Publication;
use store::records::Time;
use verify::{Verified, binding};

impl Proving {
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
            statement_name: Some(line.name.clone()),
            block_height: Some(line.block.height.into()),
            block_header: Some(hex::encode(line.block.header)),
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
