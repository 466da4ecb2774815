//! Requests to a server: several at once on one connection, which stays open for the next ones.

use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::address::Address;
use super::connection::{Connection, Failure};
use super::messages::Reply;
use crate::ChainError;
use crate::service::{SMALL_ANSWER, Service};

/// The version of the protocol.
const PROTOCOL: &str = "1.4";

/// The server software that delays small responses.
const DELAYS_RESPONSES: &str = "ElectrumX";

/// The most requests with one permit, so that other look-ups do not wait for all requests of this one.
const PER_PERMIT: usize = 64;

/// The most idle connections.
const MAX_IDLE: usize = 4;

/// A server and its idle connections.
pub(super) struct Server {
    pub(super) service: Service,
    address: Address,
    tls: TlsConnector,
    idle: Mutex<Vec<Connection>>,
}

impl Server {
    pub(super) fn new(address: Address, tls: TlsConnector, service: Service) -> Self {
        Self {
            service,
            address,
            tls,
            idle: Mutex::default(),
        }
    }

    /// One request. A refusal is an error.
    pub(super) async fn call<T>(
        &self,
        method: &str,
        params: Value,
        limit: usize,
    ) -> Result<T, ChainError>
    where
        T: DeserializeOwned + Send,
    {
        let read = |_, reply| self.result(reply);
        let mut results = self.each(method, &[params], limit, read).await?;
        results.pop().ok_or_else(|| self.service.invalid("nothing"))
    }

    /// Calls `method` with each of `params`, see [`Connection::ask`]. A caller that is dropped closes the
    /// connection, with the responses still to come.
    pub(super) async fn each<T, R>(
        &self,
        method: &str,
        params: &[Value],
        limit: usize,
        read: R,
    ) -> Result<Vec<T>, ChainError>
    where
        T: Send,
        R: Fn(usize, Reply) -> Result<T, ChainError> + Send + Sync,
    {
        let mut results = Vec::with_capacity(params.len());
        for (number, part) in params.chunks(PER_PERMIT).enumerate() {
            let first = number * PER_PERMIT;
            let read = |index: usize, reply| read(first + index, reply);
            let _permit = self.service.permit(limit).await?;
            results.extend(self.some(method, part, limit, &read).await?);
        }
        Ok(results)
    }

    /// As [`Server::each`], for the requests of one permit.
    async fn some<T, R>(
        &self,
        method: &str,
        params: &[Value],
        limit: usize,
        read: &R,
    ) -> Result<Vec<T>, ChainError>
    where
        T: Send,
        R: Fn(usize, Reply) -> Result<T, ChainError> + Send + Sync,
    {
        let mut idle = self.take_idle();
        loop {
            let is_new = idle.is_none();
            let mut connection = match idle.take() {
                Some(connection) => connection,
                None => self.open().await?,
            };
            match connection.ask(method, params, limit, read).await {
                Ok(results) => {
                    self.keep(connection);
                    return Ok(results);
                }
                // The server had closed it meanwhile. The requests only read, so they are sent again.
                Err(Failure { broken: true, .. }) if !is_new => {}
                Err(failure) => return Err(failure.error),
            }
        }
    }

    /// Opens a connection and negotiates the protocol version.
    async fn open(&self) -> Result<Connection, ChainError> {
        let connection = Connection::open(&self.address, &self.tls, self.service.clone());
        let mut connection = timeout(self.service.timeout(), connection)
            .await
            .map_err(|_| self.service.late())?
            .map_err(|error| self.service.unreachable(error.to_string()))?;
        let hello = json!(["proof-of-reserves", PROTOCOL]);
        let read = |_, reply| self.result::<(String, String)>(reply);
        let versions = connection
            .ask("server.version", &[hello], SMALL_ANSWER, &read)
            .await
            .map_err(|failure| failure.error)?;
        match versions.first() {
            Some((software, version)) if version.starts_with(PROTOCOL) => {
                connection.delays_responses = software.starts_with(DELAYS_RESPONSES);
                Ok(connection)
            }
            _ => Err(self.service.invalid("another version of the protocol")),
        }
    }

    fn take_idle(&self) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(Connection::is_recent);
        idle.pop()
    }

    fn keep(&self, mut connection: Connection) {
        connection.touch();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE {
            idle.push(connection);
        }
    }

    /// Reads a reply about one script; none when the server refuses it, for example because the history is too long. It may still
    /// answer about other scripts.
    pub(super) fn unless_refused<T: DeserializeOwned>(
        &self,
        reply: Reply,
    ) -> Result<Option<T>, ChainError> {
        match reply {
            Ok(result) => self.service.json(result.get().as_bytes()).map(Some),
            Err(refusal) => {
                let refused = self.service.refusal(refusal.code(), refusal.message());
                tracing::warn!(%refused, "a chain source refuses to answer about a script");
                Ok(None)
            }
        }
    }

    /// Reads a reply that must be a result. A refusal is an error.
    pub(super) fn result<T: DeserializeOwned>(&self, reply: Reply) -> Result<T, ChainError> {
        let result = reply.map_err(|error| self.service.refusal(error.code(), error.message()))?;
        self.service.json(result.get().as_bytes())
    }
}
