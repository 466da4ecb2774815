//! What a proof leaves behind when its owner publishes it (proofs, section 4).

use bitcoin::consensus::encode::serialize_hex;
use bitcoin::{Transaction, TxOut};
use psbt_wasm::statement;

use super::proving::Proving;
use super::statement::Said;
use store::binding::Binding;
use store::claims::ActiveProof;
use store::profiles::Profile;
use store::published::Publication;
use verify::Verified;

/// Why a proof cannot be published. Nothing is recorded then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPublishable {
    /// Somebody could broadcast it.
    #[error(
        "Only a proof that carries your statement can be published: this file could be one that somebody broadcasts. The upload page \
         makes a file over the same coins that carries it; sign and publish that one, or send this one without publishing it. Nothing \
         was recorded."
    )]
    Unbound,
    /// Its owner shows a range, and it shows its coins.
    #[error(
        "A published proof shows its coins, and you have chosen that others see only a range of your total. Show the exact total, or send \
         this file without publishing it. Nothing was recorded."
    )]
    Range,
    /// Its code cannot be computed again.
    #[error(
        "The statement in this file can no longer be shown to be yours: it was made under another name or address of the site. To \
         publish a proof of these coins, make a new file on the upload page and sign that one."
    )]
    Statement,
}

impl NotPublishable {
    /// The stable kebab-case name.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Unbound => "not-bound",
            Self::Range => "range-shown",
            Self::Statement => "other-statement",
        }
    }
}

impl Proving {
    /// What is published of a verified file that is bound to an account. `active` is the proof that it is already.
    ///
    /// # Errors
    /// When its owner shows a range, it is not bound, or it cannot be shown that the statement is of this account.
    pub(super) fn publication(
        &self,
        account: &Profile,
        verified: &Verified,
        binding: Binding,
        active: Option<&ActiveProof>,
    ) -> Result<Publication, NotPublishable> {
        if account.shown_as.is_range() {
            return Err(NotPublishable::Range);
        }
        let binding = active.map_or(binding, |active| active.binding);
        if !binding.is_bound() {
            return Err(NotPublishable::Unbound);
        }
        let made_at = active.map_or_else(|| self.clock.now(), |active| active.created_at);
        let said = match verified.kind.message() {
            Some(signed) => {
                let statement = self.statements.of(account, made_at);
                let lines = statement.lines().map(str::as_bytes);
                let mut lines = lines.chain(signed.stated.as_deref());
                lines.find(|line| signed.signs(line)).map(<[u8]>::to_vec)
            }
            None => statement_in(&verified.transaction),
        };
        let said = said.and_then(|said| String::from_utf8(said).ok());
        let said = said.and_then(|line| self.statements.said(account, line, made_at));
        let Said {
            line,
            nonce,
            origin,
        } = said.ok_or(NotPublishable::Statement)?;
        let coins = verified.coins.iter();
        let outputs: Vec<TxOut> = coins.map(|coin| coin.output.clone()).collect();
        Ok(Publication {
            network: self.chain.network_name(),
            transaction: serialize_hex(&verified.transaction),
            previous_outputs: serialize_hex(&outputs),
            statement: line,
            origin,
            provider: account.provider.clone(),
            subject: account.subject.clone(),
            nonce: hex::encode(nonce),
        })
    }
}

/// What the output of a still transaction says that carries its statement.
fn statement_in(transaction: &Transaction) -> Option<Vec<u8>> {
    let mut scripts = transaction.output.iter().map(|it| &it.script_pubkey);
    scripts.find_map(|script| {
        let text = script.as_bytes().get(2..)?;
        let written = std::str::from_utf8(text).ok().and_then(statement::script)?;
        (written == script.as_bytes()).then(|| text.to_vec())
    })
}
