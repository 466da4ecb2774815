//! Calls, on connections that are used again.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Electrum;
use super::connection::Connection;
use crate::ChainError;
use crate::json_rpc::Reply;
use crate::service::IN_FLIGHT;

/// The most idle connections.
const MAX_IDLE: usize = 4;

impl Electrum {
    /// What `read` makes of the reply to one request.
    pub(super) async fn one<T: Send>(
        &self,
        method: &str,
        params: Value,
        limit: usize,
        read: impl Fn(Reply<'_>) -> Result<T, ChainError> + Send + Sync,
    ) -> Result<T, ChainError> {
        let read = |_, reply: Reply<'_>| read(reply);
        let mut results = self.each(method, &[params], limit, read).await?;
        results.pop().ok_or_else(|| self.service.invalid("nothing"))
    }

    /// Calls `method` with each of `params`, a few at a time, see [`Connection::ask`]. A caller that is dropped closes the
    /// connection, with the responses still to come.
    pub(super) async fn each<T: Send>(
        &self,
        method: &str,
        params: &[Value],
        limit: usize,
        read: impl Fn(usize, Reply<'_>) -> Result<T, ChainError> + Send + Sync,
    ) -> Result<Vec<T>, ChainError> {
        let mut results = Vec::with_capacity(params.len());
        for (number, part) in params.chunks(IN_FLIGHT).enumerate() {
            let first = number * IN_FLIGHT;
            let read = |index: usize, reply: Reply<'_>| read(first + index, reply);
            // For each part, so that other look-ups do not wait for all requests of this one.
            let _permit = self.service.permit(limit).await?;
            results.extend(self.some(method, part, limit, read).await?);
        }
        Ok(results)
    }

    /// As [`each`](Self::each), for the requests of one permit.
    async fn some<T: Send>(
        &self,
        method: &str,
        params: &[Value],
        limit: usize,
        read: impl Fn(usize, Reply<'_>) -> Result<T, ChainError> + Send + Sync,
    ) -> Result<Vec<T>, ChainError> {
        if let Some(mut idle) = self.take_idle() {
            let results = idle.ask(method, params, limit, &read).await;
            // The server may have closed it meanwhile. The requests only read, so they are sent again.
            if !idle.closed {
                return self.keep(idle, results);
            }
        }
        let mut new = Connection::open(&self.url, &self.tls, &self.service).await?;
        let results = new.ask(method, params, limit, &read).await;
        self.keep(new, results)
    }

    fn take_idle(&self) -> Option<Connection> {
        let mut idle = self.idle.lock();
        idle.retain(Connection::is_recent);
        idle.pop()
    }

    /// Keeps a connection that has just given these results.
    fn keep<T>(
        &self,
        connection: Connection,
        results: Result<T, ChainError>,
    ) -> Result<T, ChainError> {
        let mut idle = self.idle.lock();
        if results.is_ok() && idle.len() < MAX_IDLE {
            idle.push(connection);
        }
        results
    }

    /// Reads a reply about one script; none when the server refuses it, for example because the history is too long. It may still
    /// answer about other scripts.
    pub(super) fn unless_refused<T: DeserializeOwned>(
        &self,
        reply: Reply<'_>,
    ) -> Result<Option<T>, ChainError> {
        if let Err(refusal) = &reply {
            let refused = self.service.refusal(refusal);
            tracing::warn!(%refused, "a chain source refuses to answer about a script");
            return Ok(None);
        }
        self.service.result(reply).map(Some)
    }
}
