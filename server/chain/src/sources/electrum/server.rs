//! Asking a server: several questions at once on one connection, which is kept for the next time.

use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::address::Address;
use super::connection::{Connection, Failure};
use super::wire::Reply;
use crate::ChainError;
use crate::service::{SMALL_ANSWER, Service};

/// The version of the protocol that this client speaks, and every server of these years.
const PROTOCOL: &str = "1.4";

/// The software that holds small answers back for a while.
const HOLDS_BACK: &str = "ElectrumX";

/// The most questions that are asked before others have their turn.
const AT_A_TURN: usize = 64;

/// The most unused connections that are kept.
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

    /// One question whose refusal is an error.
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

    /// The same question with each of `params`, as [`Connection::ask`] says. Whoever stops waiting drops the
    /// connection with all that is still on its way.
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
        for (number, part) in params.chunks(AT_A_TURN).enumerate() {
            let first = number * AT_A_TURN;
            let read = |index: usize, reply| read(first + index, reply);
            let _turn = self.service.turn(limit).await?;
            results.extend(self.some(method, part, limit, &read).await?);
        }
        Ok(results)
    }

    /// The same for as many questions as fit into one turn.
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
        let mut kept = self.take_kept();
        loop {
            let is_new = kept.is_none();
            let mut connection = match kept.take() {
                Some(connection) => connection,
                None => self.open().await?,
            };
            match connection.ask(method, params, limit, read).await {
                Ok(results) => {
                    self.keep(connection);
                    return Ok(results);
                }
                // The server had closed it meanwhile: the questions only read, so they are asked again.
                Err(Failure { broken: true, .. }) if !is_new => {}
                Err(failure) => return Err(failure.error),
            }
        }
    }

    /// Opens a connection and agrees on the version of the protocol.
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
                connection.holds_back = software.starts_with(HOLDS_BACK);
                Ok(connection)
            }
            _ => Err(self.service.invalid("another version of the protocol")),
        }
    }

    fn take_kept(&self) -> Option<Connection> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(Connection::is_recent);
        kept.pop()
    }

    fn keep(&self, mut connection: Connection) {
        connection.touch();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < KEPT {
            kept.push(connection);
        }
    }

    /// Reads a reply about one script. A server that refuses it, because the history is too long for it, …, may well
    /// answer about others.
    pub(super) fn unless_refused<T: DeserializeOwned>(
        &self,
        reply: Reply,
    ) -> Result<Option<T>, ChainError> {
        match reply {
            Ok(result) => self.service.json(result.get().as_bytes()).map(Some),
            Err(refusal) => {
                let refused = self.service.refused(refusal.code(), refusal.message());
                tracing::warn!(%refused, "a chain source does not answer about a script");
                Ok(None)
            }
        }
    }

    /// Reads a reply that must be a result. A refusal cannot be worked with.
    pub(super) fn result<T: DeserializeOwned>(&self, reply: Reply) -> Result<T, ChainError> {
        let result = reply.map_err(|error| self.service.refused(error.code(), error.message()))?;
        self.service.json(result.get().as_bytes())
    }
}
