//! A cheap load generator that measures response times.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// A keep-alive connection.
pub(crate) struct Connection {
    stream: TcpStream,
    arrived: Vec<u8>,
}

/// A response.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// The bytes of a request.
pub(crate) fn get(path: &str, headers: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: bench\r\n{headers}\r\n").into_bytes()
}

/// The bytes of a request whose body is a response as it was received.
pub(crate) fn post(path: &str, head: &[u8], body: &[u8]) -> Vec<u8> {
    let length = head.len() + body.len();
    let line = format!("POST {path} HTTP/1.1\r\nhost: bench\r\ncontent-length: {length}\r\n\r\n");
    [line.as_bytes(), head, body].concat()
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            arrived: Vec::with_capacity(64 * 1024),
        })
    }

    pub(crate) async fn ask(&mut self, request: &[u8]) -> io::Result<Answer> {
        let (status, head, body) = self.exchange(request).await?;
        let answer = Answer {
            status,
            head: String::from_utf8_lossy(&self.arrived[..head]).into_owned(),
            body: self.arrived[head..head + body].to_vec(),
        };
        Ok(answer)
    }

    /// Sends a request and reads the response: its status, and the lengths of its head and body.
    async fn exchange(&mut self, request: &[u8]) -> io::Result<(u16, usize, usize)> {
        self.arrived.clear();
        self.stream.write_all(request).await?;
        let head = loop {
            self.read().await?;
            if let Some(end) = find(&self.arrived, b"\r\n\r\n") {
                break end + 4;
            }
        };
        let status = status(&self.arrived[..head]).ok_or(io::ErrorKind::InvalidData)?;
        let length = length(&self.arrived[..head]);
        match length {
            Some(length) => {
                while self.arrived.len() < head + length {
                    self.read().await?;
                }
            }
            None if status == 304 || status == 204 => {}
            None => {
                while !self.arrived.ends_with(b"0\r\n\r\n") {
                    self.read().await?;
                }
            }
        }
        Ok((status, head, self.arrived.len() - head))
    }

    /// Reads the next bytes of a stream.
    pub(crate) async fn next(&mut self) -> io::Result<&[u8]> {
        self.arrived.clear();
        self.read().await?;
        Ok(&self.arrived)
    }

    pub(crate) async fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.stream.write_all(request).await
    }

    async fn read(&mut self) -> io::Result<()> {
        if self.stream.read_buf(&mut self.arrived).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }
}

/// The position of `wanted`. Fast, because the load generator shares the processors with the server.
pub(crate) fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, wanted)
}

fn status(head: &[u8]) -> Option<u16> {
    std::str::from_utf8(head.get(9..12)?).ok()?.parse().ok()
}

fn length(head: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length: ";
    let value = &head[find(head, NAME)? + NAME.len()..];
    let end = memchr::memchr(b'\r', value)?;
    std::str::from_utf8(&value[..end]).ok()?.parse().ok()
}

/// The result of a load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) per_second: f64,
    pub(crate) p99: Duration,
    /// Responses with a status of 400 or more.
    pub(crate) failed: usize,
}

/// Sends one request after another over each connection. `requests` makes the request of a number.
pub(crate) async fn load<F>(
    address: SocketAddr,
    connections: usize,
    duration: Duration,
    requests: F,
) -> io::Result<Load>
where
    F: Fn(usize) -> Vec<u8> + Clone + Send + 'static,
{
    let mut clients = JoinSet::new();
    let begin = Instant::now();
    for number in 0..connections {
        let requests = requests.clone();
        clients.spawn(async move {
            let mut times = Vec::new();
            let mut failed = 0;
            let mut connection = Connection::open(address).await?;
            let mut next = number;
            while begin.elapsed() < duration {
                let request = requests(next);
                next += connections;
                let asked = Instant::now();
                let (status, _, _) = connection.exchange(&request).await?;
                times.push(asked.elapsed());
                failed += usize::from(status >= 400);
            }
            Ok::<_, io::Error>((times, failed))
        });
    }
    let (mut times, mut failed) = (Vec::new(), 0);
    while let Some(client) = clients.join_next().await {
        let (some, wrong) = client.map_err(io::Error::other)??;
        times.extend(some);
        failed += wrong;
    }
    let took = begin.elapsed();
    times.sort_unstable();
    let p99 = times.get(times.len() * 99 / 100).copied();
    Ok(Load {
        per_second: times.len() as f64 / took.as_secs_f64(),
        p99: p99.unwrap_or_default(),
        failed,
    })
}
