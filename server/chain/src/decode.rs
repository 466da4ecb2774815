//! Decodes responses of sources. Recomputes the hashes of transactions and blocks, so that a source cannot substitute another one.

use bitcoin::{Block, BlockHash, Transaction, Txid};
use serde::de::DeserializeOwned;

use super::service::Service;
use super::{ChainError, Spends};

/// The most characters of a source's message that an error repeats.
const MESSAGE_CHARS: usize = 200;

impl Service {
    /// Decodes JSON.
    pub(super) fn json<T: DeserializeOwned>(&self, text: &[u8]) -> Result<T, ChainError> {
        serde_json::from_slice(text).map_err(|_| self.invalid("a result of another shape"))
    }

    pub(super) fn block_hash(&self, text: &str) -> Result<BlockHash, ChainError> {
        text.trim()
            .parse()
            .map_err(|_| self.invalid("a block hash that is none"))
    }

    /// The decoded transaction, if it is the one with `txid`.
    pub(super) fn transaction<E>(
        &self,
        txid: Txid,
        decoded: Result<Transaction, E>,
    ) -> Result<Transaction, ChainError> {
        let transaction =
            decoded.map_err(|_| self.invalid("a transaction that cannot be decoded"))?;
        if transaction.compute_txid() != txid {
            return Err(self.invalid("another transaction than asked for"));
        }
        Ok(transaction)
    }

    /// The outpoints that the decoded block spends, if it is the one with `hash`.
    pub(super) fn spends<E>(
        &self,
        hash: BlockHash,
        decoded: Result<Block, E>,
    ) -> Result<Spends, ChainError> {
        let block = decoded.map_err(|_| self.invalid("a block that cannot be decoded"))?;
        if block.block_hash() != hash {
            return Err(self.invalid("another block than asked for"));
        }
        if !block.check_merkle_root() {
            return Err(self.invalid("a block that is not what its header says"));
        }
        let spending = block
            .txdata
            .iter()
            .filter(|transaction| !transaction.is_coinbase());
        Ok(Spends {
            previous: block.header.prev_blockhash,
            outpoints: spending
                .flat_map(|transaction| transaction.input.iter().map(|input| input.previous_output))
                .collect(),
        })
    }

    /// The error for a request that a source refuses, with the source's message.
    pub(super) fn refusal(&self, code: Option<i64>, message: &str) -> ChainError {
        let message: String = message.chars().take(MESSAGE_CHARS).collect();
        self.unreachable(match code {
            Some(code) => format!("error {code}: {message}"),
            None => format!("error: {message}"),
        })
    }
}
