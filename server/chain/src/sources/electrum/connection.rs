//! One connection: lines of limited length, and several requests at once.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_util::codec::{Framed, LinesCodec, LinesCodecError};
use tokio_util::either::Either;
use url::Url;

use crate::ChainError;
use crate::address::bare_host;
use crate::json_rpc::{Envelope, Reply};
use crate::service::{SMALL_ANSWER, Service};

/// The scheme of an address with TLS.
pub(super) const TLS: &str = "ssl";

/// The version of the protocol.
const PROTOCOL: &str = "1.4";

/// The server software that delays small responses.
const DELAYS_RESPONSES: &str = "ElectrumX";

/// How long an unused connection stays open: servers close theirs after ten minutes.
const IDLE: Duration = Duration::from_secs(300);

/// The time until the first nudge; the pauses between further ones quadruple.
const FIRST_NUDGE: Duration = Duration::from_millis(50);

/// The id of every nudge, whose responses are ignored. No connection has so many other requests.
const NUDGE: usize = u32::MAX as usize;

type Stream = Either<TlsStream<TcpStream>, TcpStream>;

/// An open connection, used by one caller at a time.
pub(super) struct Connection {
    service: Service,
    lines: Framed<Stream, LinesCodec>,
    /// Ids are never reused, so that a late response is never taken for another one.
    next_id: usize,
    /// Whether the server delays small responses.
    delays_responses: bool,
    /// Whether the server has closed it, as servers do after a while without use.
    pub(super) closed: bool,
    last_used: Instant,
}

impl Connection {
    /// Opens a connection and negotiates the protocol version.
    pub(super) async fn open(
        url: &Url,
        tls: &TlsConnector,
        service: &Service,
    ) -> Result<Self, ChainError> {
        let stream = timeout(service.timeout(), connect(url, tls)).await;
        let stream = stream.map_err(|_| service.late())?;
        let stream = stream.map_err(|error| service.unreachable(error.to_string()))?;
        let mut connection = Self {
            service: service.clone(),
            lines: Framed::new(stream, LinesCodec::new()),
            next_id: 0,
            delays_responses: false,
            closed: false,
            last_used: Instant::now(),
        };
        let hello = [json!(["proof-of-reserves", PROTOCOL])];
        let read = |_, reply: Reply<'_>| service.result::<(String, String)>(reply);
        let versions = connection.ask("server.version", &hello, SMALL_ANSWER, &read);
        match versions.await?.first() {
            Some((software, version)) if version.starts_with(PROTOCOL) => {
                connection.delays_responses = software.starts_with(DELAYS_RESPONSES);
                Ok(connection)
            }
            _ => Err(service.invalid("another version of the protocol")),
        }
    }

    /// Whether the connection was used recently enough that the server still has it open.
    pub(super) fn is_recent(&self) -> bool {
        self.last_used.elapsed() < IDLE
    }

    /// Calls `method` with each of `params`, all at once. Returns what `read` makes of each reply, in the
    /// order of the requests; `read` also gets the index of the request. A response has at most `limit` bytes.
    pub(super) async fn ask<T: Send>(
        &mut self,
        method: &str,
        params: &[Value],
        limit: usize,
        read: impl Fn(usize, Reply<'_>) -> Result<T, ChainError> + Send + Sync,
    ) -> Result<Vec<T>, ChainError> {
        let service = self.service.clone();
        let ids = self.next_id..self.next_id + params.len();
        self.next_id = ids.end;
        let requests = ids.clone().zip(params);
        let lines: Vec<String> = requests.map(|(id, it)| line(id, method, it)).collect();
        let written = timeout(service.timeout(), self.write(&lines.join("\n"))).await;
        written.map_err(|_| service.late())??;
        let mut results = BTreeMap::new();
        for _ in params {
            let take = |id: usize, reply: Reply<'_>| {
                if !ids.contains(&id) || results.contains_key(&id) {
                    return Err(service.invalid("an answer to no question"));
                }
                results.insert(id, read(id - ids.start, reply)?);
                Ok(())
            };
            let answer = timeout(service.timeout(), self.next_answer(limit, take));
            answer.await.map_err(|_| service.late())??;
        }
        self.last_used = Instant::now();
        Ok(results.into_values().collect())
    }

    /// Reads until a response comes, which `take` gets.
    ///
    /// ElectrumX (seen on 1.20) makes all its packets about the same size: it delays small responses for up to a
    /// second, in case more follow. That would be a second for each step of a look-up. A request with a long response flushes the others.
    async fn next_answer(
        &mut self,
        limit: usize,
        take: impl FnOnce(usize, Reply<'_>) -> Result<(), ChainError>,
    ) -> Result<(), ChainError> {
        let mut patience = match self.delays_responses {
            true => FIRST_NUDGE,
            false => self.service.timeout(),
        };
        loop {
            let Ok(line) = timeout(patience, self.read_line(limit)).await else {
                self.nudge().await?;
                patience *= 4;
                continue;
            };
            let line = line?;
            let envelope = serde_json::from_str::<Envelope<'_>>(&line).ok();
            match envelope.map(|it| (it.id, it.method.is_some(), it)) {
                Some((Some(NUDGE), ..)) => {}
                Some((Some(id), _, envelope)) => return take(id, envelope.reply()),
                // A new block. Ignored: asking for the newest block subscribes to new ones, and every look-up asks anyway.
                Some((None, true, _)) => {}
                _ => return Err(self.service.invalid("a line that is no JSON-RPC answer")),
            }
        }
    }

    /// Requests eight headers: a response longer than the kibibyte that the server waits for.
    async fn nudge(&mut self) -> Result<(), ChainError> {
        let headers = line(NUDGE, "blockchain.block.headers", &json!([0, 8]));
        self.write(&headers).await
    }

    /// Sends lines.
    async fn write(&mut self, lines: &str) -> Result<(), ChainError> {
        let sent = self.lines.send(lines).await;
        sent.map_err(|error| self.fail(&error))
    }

    /// Reads one line of at most `limit` bytes, without its newline. Cancel safe: data received so far stays in the buffer.
    async fn read_line(&mut self, limit: usize) -> Result<String, ChainError> {
        *self.lines.codec_mut() = LinesCodec::new_with_max_length(limit);
        match self.lines.next().await {
            Some(Ok(line)) => Ok(line),
            Some(Err(LinesCodecError::MaxLineLengthExceeded)) => {
                Err(self.service.invalid(format!("more than {limit} bytes")))
            }
            Some(Err(LinesCodecError::Io(error))) if error.kind() == io::ErrorKind::InvalidData => {
                Err(self.service.invalid("a line that is no text"))
            }
            Some(Err(LinesCodecError::Io(error))) => Err(self.fail(&error)),
            None => Err(self.fail(&"it closed the connection")),
        }
    }

    fn fail(&mut self, error: &dyn Display) -> ChainError {
        self.closed = true;
        self.service.unreachable(error.to_string())
    }
}

async fn connect(url: &Url, tls: &TlsConnector) -> io::Result<Stream> {
    let host = bare_host(url);
    let tcp = TcpStream::connect((host, url.port().unwrap_or_default())).await?;
    // Requests are short and must not wait for more data.
    tcp.set_nodelay(true)?;
    if url.scheme() == TLS {
        let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
        return Ok(Either::Left(tls.connect(name, tcp).await?));
    }
    Ok(Either::Right(tcp))
}

/// The line of a request, without its newline.
fn line(id: usize, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}
