//! Requests to an Esplora server: bytes, text or JSON, within limits.

use bitcoin::BlockHash;
use reqwest::{Client, StatusCode, Url};
use serde::de::DeserializeOwned;

use crate::ChainError;
use crate::http::send;
use crate::service::{SMALL_ANSWER, Service};

/// A server and the base URL of its API.
pub(super) struct Api {
    pub(super) service: Service,
    client: Client,
    base: Url,
}

impl Api {
    pub(super) fn new(mut base: Url, service: Service, client: Client) -> Self {
        // Joining a relative path replaces everything after the last slash.
        if !base.path().ends_with('/') {
            let path = format!("{}/", base.path());
            base.set_path(&path);
        }
        Self {
            service,
            client,
            base,
        }
    }

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
        let answer = send(&self.service, self.client.get(url), limit).await?;
        match answer.status {
            StatusCode::OK => Ok(Some(answer.body)),
            StatusCode::NOT_FOUND => Ok(None),
            status => Err(self
                .service
                .unreachable(format!("HTTP {}", status.as_u16()))),
        }
    }

    /// A small JSON object.
    pub(super) async fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, ChainError> {
        self.service.json(&self.small(path).await?)
    }

    /// A block hash as plain text.
    pub(super) async fn block_hash(&self, path: &str) -> Result<BlockHash, ChainError> {
        self.read_hash(&self.small(path).await?)
    }

    /// A block hash as plain text; `None` for 404.
    pub(super) async fn find_block_hash(
        &self,
        path: &str,
    ) -> Result<Option<BlockHash>, ChainError> {
        let body = self.get(path, SMALL_ANSWER).await?;
        body.map(|body| self.read_hash(&body)).transpose()
    }

    fn read_hash(&self, body: &[u8]) -> Result<BlockHash, ChainError> {
        self.service.block_hash(&String::from_utf8_lossy(body))
    }

    async fn small(&self, path: &str) -> Result<Vec<u8>, ChainError> {
        self.get(path, SMALL_ANSWER)
            .await?
            .ok_or_else(|| self.service.unreachable("HTTP 404"))
    }
}
