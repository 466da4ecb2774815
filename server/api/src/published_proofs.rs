//! Published proofs (proofs, section 4): all of them, and one with all that it takes to check it.

use std::collections::HashSet;
use std::sync::Arc;

use bitcoin::consensus::encode::deserialize_hex;
use bitcoin::{Network, OutPoint, Transaction, TxOut};

use crate::board::Board;
use crate::board_log::{BoardLog, BoardLogError};
use board_log::published::{Owner, PublishedInput, PublishedProof, Statement, StatementBlock};
use board_log::units::iso;
use chain::network_in_json;
use store::Store;
use store::profiles::is_named;
use store::published_proofs::{ListedProof, PublishedProof as Row};

/// The published proofs of this board.
#[derive(Debug)]
pub struct Published {
    pub store: Store,
    pub board: Arc<Board>,
    pub board_log: Arc<BoardLog>,
}

/// Why a published proof cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum PublishedError {
    #[error("the published proof {0} cannot be read")]
    Malformed(String),
    #[error(transparent)]
    Log(#[from] BoardLogError),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl Published {
    /// At most `limit` proofs with ids after `after`, by their ids, and whether any follow: all, or those of one user.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list(
        &self,
        owner: Option<&str>,
        after: &str,
        limit: usize,
    ) -> sqlx::Result<(Vec<ListedProof>, bool)> {
        self.board.settle().await?;
        // One more than is shown says whether any follow.
        let count = i64::try_from(limit + 1).unwrap_or(i64::MAX);
        let mut proofs = self.store.published_proofs(owner, after, count).await?;
        let more = proofs.len() > limit;
        proofs.truncate(limit);
        Ok((proofs, more))
    }

    /// A proof with everything that it takes to check it, and a note about it that the board has signed; none when it is not published.
    ///
    /// # Errors
    /// When it is malformed, the database fails, or the log has no key.
    pub async fn proof(&self, id: &str) -> Result<Option<PublishedProof>, PublishedError> {
        self.board.settle().await?;
        let Some(row) = self.store.published_proof(id).await? else {
            return Ok(None);
        };
        let coins = self.store.counting_coins(id).await?;
        let malformed = || PublishedError::Malformed(id.to_owned());
        let proof = from_row(row, &coins.into_iter().collect());
        let mut proof = proof.ok_or_else(malformed)?;
        let content = proof.content_of_note().ok_or_else(malformed)?;
        proof.note = self.board_log.sign(&content).await?;
        Ok(Some(proof))
    }

    /// Whether there is a published proof with this id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_published(&self, id: &str) -> sqlx::Result<bool> {
        Ok(self.store.published_proof(id).await?.is_some())
    }
}

/// With an empty note. `None` when the row is malformed.
fn from_row(row: Row, counting: &HashSet<(String, i64)>) -> Option<PublishedProof> {
    let inputs = inputs(&row, counting)?;
    let signed = row.publication;
    Some(PublishedProof {
        note: String::new(),
        inputs,
        network: network_in_json(Network::from_core_arg(&signed.network).ok()?).to_owned(),
        created_at: iso(row.created_at),
        expires_at: iso(row.expires_at),
        published_at: iso(signed.published_at.0),
        profile: Owner {
            named: is_named(&row.user_id, &row.username),
            id: row.user_id.clone(),
            username: row.username,
            provider: row.profile_provider,
        },
        statement: Statement {
            text: signed.statement,
            origin: signed.origin,
            provider: signed.provider,
            subject: signed.subject,
            account_id: row.user_id,
            name: signed.statement_name,
            nonce: signed.nonce,
            block: StatementBlock {
                height: signed.block_height.try_into().ok()?,
                header: signed.block_header,
            },
        },
        id: row.id,
        binding: row.binding,
        transaction: signed.transaction,
    })
}

fn inputs(row: &Row, counting: &HashSet<(String, i64)>) -> Option<Vec<PublishedInput>> {
    let transaction: Transaction = deserialize_hex(&row.publication.transaction).ok()?;
    let spent: Vec<TxOut> = deserialize_hex(&row.publication.previous_outputs).ok()?;
    let inputs = transaction.input.iter().zip(&spent).enumerate();
    let inputs = inputs.map(|(index, (input, spent))| {
        let is_coin = index > 0 || row.binding != "message";
        let OutPoint { txid, vout } = input.previous_output;
        let coin = (txid.to_string(), vout.into());
        PublishedInput {
            counts: is_coin.then(|| counting.contains(&coin)),
            txid: coin.0,
            vout,
            value_sats: spent.value.to_sat(),
            script_pubkey: spent.script_pubkey.to_hex_string(),
        }
    });
    Some(inputs.collect())
}
