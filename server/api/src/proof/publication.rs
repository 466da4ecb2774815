//! What publishing a proof stores (proofs, section 4).

use bitcoin::consensus::encode::serialize_hex;
use bitcoin::{Transaction, TxOut};
use psbt_wasm::statement;

use super::proving::Proving;
use super::statement::Line;
use super::submission::{NotPublishable, SubmitError};
use chain::clock::UnixTime;
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
        let dated = line.dated.as_ref();
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
            statement_name: dated.map(|(name, _)| name.clone()),
            block_height: dated.map(|(_, block)| block.height.into()),
            block_header: dated.map(|(_, block)| hex::encode(block.header)),
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
        let line = match (active.statement_height, &active.statement_name) {
            (Some(height), Some(name)) => {
                let blocks = self.blocks_at(height).await?;
                let lines = blocks.iter();
                let mut lines = lines.map(|block| self.statements.line(account, name, block));
                lines.find(|line| binding::says(verified, &line.text))
            }
            _ => self.undated_line_of(account, verified, active.created_at),
        };
        Ok(line.ok_or(NotPublishable::Statement)?)
    }

    /// The line of the first version in a file.
    fn undated_line_of(
        &self,
        account: &Profile,
        verified: &Verified,
        made_at: UnixTime,
    ) -> Option<Line> {
        let said = match verified.kind.message() {
            Some(signed) => {
                let lines = self.statements.undated_lines(account, made_at);
                let lines = lines.iter().map(String::as_bytes);
                let mut lines = lines.chain(signed.stated.as_deref());
                lines.find(|line| signed.signs(line)).map(<[u8]>::to_vec)
            }
            None => statement_in(&verified.transaction),
        };
        let said = String::from_utf8(said?).ok()?;
        self.statements.undated(account, said, made_at)
    }
}

/// The text of the output of a still transaction that carries its statement.
fn statement_in(transaction: &Transaction) -> Option<Vec<u8>> {
    let mut scripts = transaction.output.iter().map(|it| &it.script_pubkey);
    scripts.find_map(|script| {
        let text = script.as_bytes().get(2..)?;
        let written = std::str::from_utf8(text).ok().and_then(statement::script)?;
        (written == script.as_bytes()).then(|| text.to_vec())
    })
}
