//! Requests to an Esplora server: bytes, text or JSON, within limits.

use bitcoin::BlockHash;
use serde::de::DeserializeOwned;

use super::Esplora;
use crate::ChainError;
use crate::http::send;
use crate::service::SMALL_ANSWER;

impl Esplora {
    /// The body at `path`; `None` for 404.
    pub(super) async fn get(
        &self,
        path: &str,
        limit: usize,
    ) -> Result<Option<Vec<u8>>, ChainError> {
        let url = self
            .base
            .join(path)
            .map_err(|_| self.service.invalid("an address that cannot be joined"))?;
        send(&self.service, self.client.get(url), limit).await
    }

    /// A small JSON object.
    pub(super) async fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, ChainError> {
        self.service.json(&self.small(path).await?)
    }

    /// A block hash as plain text.
    pub(super) async fn read_block_hash(&self, path: &str) -> Result<BlockHash, ChainError> {
        self.hash(&self.small(path).await?)
    }

    /// A block hash as plain text; `None` for 404.
    pub(super) async fn find_block_hash(
        &self,
        path: &str,
    ) -> Result<Option<BlockHash>, ChainError> {
        let body = self.get(path, SMALL_ANSWER).await?;
        body.map(|body| self.hash(&body)).transpose()
    }

    fn hash(&self, body: &[u8]) -> Result<BlockHash, ChainError> {
        self.service.block_hash(&String::from_utf8_lossy(body))
    }

    async fn small(&self, path: &str) -> Result<Vec<u8>, ChainError> {
        self.get(path, SMALL_ANSWER)
            .await?
            .ok_or_else(|| self.service.unreachable("HTTP 404"))
    }
}
