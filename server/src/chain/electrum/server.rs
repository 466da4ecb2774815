//! Asking a server: several questions at once on one connection, which is kept for the next time.

use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::super::ChainError;
use super::super::service::{SMALL_ANSWER, Service};
use super::address::Address;
use super::connection::Connection;
use super::pipeline::Failure;
use super::wire::{Call, Reply, RpcError};

/// The version of the protocol that this client speaks, and every server of these years.
const PROTOCOL: &str = "1.4";

/// The software that holds small answers back for a while.
const HOLDS_BACK: &str = "ElectrumX";

/// How many unused connections are kept.
const KEPT: usize = 4;

/// A server and the connections to it that nobody uses at the moment.
pub(super) struct Server {
    pub(super) service: Service,
    address: Address,
    tls: TlsConnector,
    kept: Mutex<Vec<Connection>>,
}

impl Server {
    pub(super) fn new(address: Address, tls: TlsConnector, service: Service) -> Self {
        Self {
            service,
            address,
            tls,
            kept: Mutex::default(),
        }
    }

    /// One call whose refusal is an error.
    pub(super) async fn call<T>(&self, call: Call, limit: usize) -> Result<T, ChainError>
    where
        T: DeserializeOwned + Send,
    {
        let read = |_, reply| self.result(reply);
        let mut results = self.exchange(&[call], limit, read).await?;
        results.pop().ok_or_else(|| self.service.invalid("nothing"))
    }

    /// Many calls, a bounded number of them under way at once; what `read` makes of each reply, which it
    /// is given with the index of its call, is in the order of the calls. An answer has at most
    /// `limit` bytes.
    pub(super) async fn exchange<T, R>(
        &self,
        calls: &[Call],
        limit: usize,
        read: R,
    ) -> Result<Vec<T>, ChainError>
    where
        T: Send,
        R: Fn(usize, Reply) -> Result<T, ChainError> + Send + Sync,
    {
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(connection) = self.take_kept() {
            match self.run(connection, calls, limit, &read).await {
                // The server had closed it meanwhile: the questions only read, so they are asked again.
                Err(Failure { broken: true, .. }) => {}
                results => return results.map_err(|failure| failure.error),
            }
        }
        let connection = self.open().await?;
        let results = self.run(connection, calls, limit, &read).await;
        results.map_err(|failure| failure.error)
    }

    /// Opens a connection and agrees on the version of the protocol.
    async fn open(&self) -> Result<Connection, ChainError> {
        let connection = timeout(
            self.service.timeout(),
            Connection::open(&self.address, &self.tls),
        );
        let mut connection = connection
            .await
            .map_err(|_| self.service.late())?
            .map_err(|error| self.service.unreachable(error.to_string()))?;
        let hello = Call::new("server.version", json!(["proof-of-reserves", PROTOCOL]));
        let read = |_, reply| self.result::<(String, String)>(reply);
        let versions = self
            .pipeline(&mut connection, &[hello], SMALL_ANSWER, &read)
            .await
            .map_err(|failure| failure.error)?;
        match versions.first() {
            Some((software, version)) if version.starts_with(PROTOCOL) => {
                connection.holds_back = software.starts_with(HOLDS_BACK);
                Ok(connection)
            }
            _ => Err(self.service.invalid("another version of the protocol")),
        }
    }

    /// Puts the calls through and keeps the connection if all went well. Whoever stops waiting drops the
    /// connection with all that is still on its way.
    async fn run<T, R>(
        &self,
        mut connection: Connection,
        calls: &[Call],
        limit: usize,
        read: &R,
    ) -> Result<Vec<T>, Failure>
    where
        T: Send,
        R: Fn(usize, Reply) -> Result<T, ChainError> + Send + Sync,
    {
        let results = self.pipeline(&mut connection, calls, limit, read).await?;
        connection.touch();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < KEPT {
            kept.push(connection);
        }
        Ok(results)
    }

    fn take_kept(&self) -> Option<Connection> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(Connection::is_recent);
        kept.pop()
    }

    /// Reads a reply that must be a result.
    pub(super) fn result<T: DeserializeOwned>(&self, reply: Reply) -> Result<T, ChainError> {
        self.decode(&reply.map_err(|error| self.refused(&error))?)
    }

    /// Reads a result.
    fn decode<T: DeserializeOwned>(&self, result: &RawValue) -> Result<T, ChainError> {
        serde_json::from_str(result.get())
            .map_err(|_| self.service.invalid("a result of another shape"))
    }

    /// A refusal that cannot be worked with: a history that is too long for this server, …
    fn refused(&self, error: &RpcError) -> ChainError {
        self.service.unreachable(error.told())
    }
}
