//! One connection, which sends and receives lines of limited length.

use std::collections::HashSet;
use std::io;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_util::codec::{Framed, LinesCodec, LinesCodecError};

use super::address::Address;
use crate::ChainError;
use crate::service::Service;

/// How long an unused connection stays open: servers close theirs after ten minutes.
const IDLE: Duration = Duration::from_secs(300);

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// An open connection, used by one caller at a time.
pub(super) struct Connection {
    pub(super) service: Service,
    lines: Framed<Box<dyn Stream>, LinesCodec>,
    /// Ids are never reused, so that a late response is never taken for another one.
    next_id: u64,
    /// Ids of nudges, whose responses are ignored.
    pub(super) nudges: HashSet<u64>,
    /// Whether the server delays small responses.
    pub(super) delays_responses: bool,
    last_used: Instant,
}

/// Why an exchange failed.
pub(super) struct Failure {
    pub(super) error: ChainError,
    /// Whether the connection was closed, as servers do after a while without use.
    pub(super) broken: bool,
}

impl From<ChainError> for Failure {
    fn from(error: ChainError) -> Self {
        Self {
            error,
            broken: false,
        }
    }
}

impl Connection {
    pub(super) async fn open(
        address: &Address,
        tls: &TlsConnector,
        service: Service,
    ) -> io::Result<Self> {
        let tcp = TcpStream::connect((address.host.as_str(), address.port)).await?;
        // Requests are short and must not wait for more data.
        tcp.set_nodelay(true)?;
        let stream: Box<dyn Stream> = if address.tls {
            let name = ServerName::try_from(address.host.clone()).map_err(io::Error::other)?;
            Box::new(tls.connect(name, tcp).await?)
        } else {
            Box::new(tcp)
        };
        Ok(Self {
            service,
            lines: Framed::new(stream, LinesCodec::new()),
            next_id: 0,
            nudges: HashSet::new(),
            delays_responses: false,
            last_used: Instant::now(),
        })
    }

    /// The first of `count` new ids.
    pub(super) fn take_ids(&mut self, count: usize) -> u64 {
        let first = self.next_id;
        self.next_id += count as u64;
        first
    }

    pub(super) fn touch(&mut self) {
        self.last_used = Instant::now();
    }

    /// Whether the connection was used recently enough that the server still has it open.
    pub(super) fn is_recent(&self) -> bool {
        self.last_used.elapsed() < IDLE
    }

    /// Sends lines, each with its newline.
    pub(super) async fn write(&mut self, lines: &str) -> Result<(), Failure> {
        let stream = self.lines.get_mut();
        let written = async {
            stream.write_all(lines.as_bytes()).await?;
            stream.flush().await
        };
        written.await.map_err(|error| self.broken(&error))
    }

    /// Reads one line of at most `limit` bytes, without its newline. Cancel safe: data received so far stays in the buffer.
    pub(super) async fn read_line(&mut self, limit: usize) -> Result<String, Failure> {
        *self.lines.codec_mut() = LinesCodec::new_with_max_length(limit);
        match self.lines.next().await {
            Some(line) => line.map_err(|error| self.failure(error, limit)),
            None => Err(self.broken(&io::Error::other("it closed the connection"))),
        }
    }

    fn failure(&self, error: LinesCodecError, limit: usize) -> Failure {
        match error {
            LinesCodecError::MaxLineLengthExceeded => {
                let reason = format!("more than {limit} bytes");
                self.service.invalid(reason).into()
            }
            LinesCodecError::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
                self.service.invalid("a line that is no text").into()
            }
            LinesCodecError::Io(error) => self.broken(&error),
        }
    }

    fn broken(&self, error: &io::Error) -> Failure {
        Failure {
            error: self.service.unreachable(error.to_string()),
            broken: true,
        }
    }
}
