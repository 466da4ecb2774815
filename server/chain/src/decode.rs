//! Decodes responses of sources. Recomputes the hashes of transactions and blocks, so that a source cannot substitute another one.

use bitcoin::block::Header;
use bitcoin::{Block, BlockHash, Transaction, Txid, consensus};
use serde::de::DeserializeOwned;

use super::service::Service;
use super::{ChainError, Spends};

impl Service {
    /// Decodes JSON.
    pub(super) fn json<T: DeserializeOwned>(&self, text: &[u8]) -> Result<T, ChainError> {
        serde_json::from_slice(text).map_err(|_| self.invalid("a result of another shape"))
    }

    /// The header in hex, if it is that of the block `hash`.
    pub(super) fn header(&self, hash: BlockHash, hex: &str) -> Result<Header, ChainError> {
        let header = consensus::encode::deserialize_hex::<Header>(hex.trim()).ok();
        let header = header.filter(|header| header.block_hash() == hash);
        header.ok_or_else(|| self.invalid(format!("no header of the block {hash}")))
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
}
