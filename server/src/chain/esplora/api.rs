//! Reading from an Esplora server: bytes, text or JSON, within limits.

use bitcoin::BlockHash;
use reqwest::{StatusCode, Url};
use serde::de::DeserializeOwned;

use super::super::ChainError;
use super::super::http::Service;

/// Limit in bytes for an answer that is a few fields.
const SMALL_ANSWER: usize = 64 * 1024;

/// A server and where its API begins.
pub(super) struct Api {
    pub(super) service: Service,
    base: Url,
}

impl Api {
    pub(super) fn new(mut base: Url, service: Service) -> Self {
        // Joining a relative path replaces whatever follows the last slash.
        if !base.path().ends_with('/') {
            let path = format!("{}/", base.path());
            base.set_path(&path);
        }
        Self { service, base }
    }

    /// The body at `path`; `None` when the server does not know what is asked for.
    pub(super) async fn get(
        &self,
        path: &str,
        limit: usize,
    ) -> Result<Option<Vec<u8>>, ChainError> {
        let url = self
            .base
            .join(path)
            .map_err(|_| self.service.invalid("an address that cannot be joined"))?;
        let request = self.service.client().get(url);
        let answer = self.service.send(request, limit).await?;
        match answer.status {
            StatusCode::OK => Ok(Some(answer.body)),
            StatusCode::NOT_FOUND => Ok(None),
            status => Err(self
                .service
                .unreachable(format!("HTTP {}", status.as_u16()))),
        }
    }

    /// A few fields of JSON that must be there.
    pub(super) async fn json<T: DeserializeOwned>(&self, path: &str) -> Result<T, ChainError> {
        let body = self.small(path).await?;
        serde_json::from_slice(&body)
            .map_err(|_| self.service.invalid("an answer of another shape"))
    }

    /// A block hash as plain text.
    pub(super) async fn block_hash(&self, path: &str) -> Result<BlockHash, ChainError> {
        let body = self.small(path).await?;
        std::str::from_utf8(&body)
            .ok()
            .and_then(|text| text.trim().parse().ok())
            .ok_or_else(|| self.service.invalid("a block hash that is none"))
    }

    async fn small(&self, path: &str) -> Result<Vec<u8>, ChainError> {
        self.get(path, SMALL_ANSWER)
            .await?
            .ok_or_else(|| self.service.unreachable("HTTP 404"))
    }
}
