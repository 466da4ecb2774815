//! Client connections. Their number is limited, and so is the time that each may keep the server waiting: a half-open
//! one costs a place for a while, and nothing else.
//!
//! Three clocks run, each for a minute. The head of a request must be complete, counted from the connection's beginning or the response
//! before. A whole body must arrive, because a byte now and then would hold a place for ever. Some of a response must be taken. A live
//! stream, which may have nothing to say for hours, ends by itself (`http/rest/changes.rs`).

use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;

use axum::Router;
use axum::extract::connect_info::ConnectInfo;
use axum::http::Request;
use axum::serve::Listener;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::join;
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutWriter;
use tower::ServiceExt;

mod body;

use crate::config::{Config, ConnectionLimits};
use crate::limits::queue::{Queue, Size, customer_of};
pub use body::TooSlow;

/// The most that is kept of a request before its handler has it, and of an answer before the client takes it, in bytes.
const BUFFER: usize = 64 * 1024;

/// Lets clients in. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Connections {
    queue: Queue,
    config: Arc<Config>,
}

impl Connections {
    pub fn new(config: Arc<Config>) -> Self {
        let limits = config.connections;
        let size = Size::without_waiting(limits.total, limits.per_network);
        let queue = Queue::new(size);
        Self { queue, config }
    }

    /// How many are open.
    pub fn open(&self) -> usize {
        self.queue.len()
    }

    /// Serves every connection until `stop`; then accepts no more, and ends when the running requests are answered.
    pub async fn serve(
        &self,
        mut listener: TcpListener,
        app: Router,
        stop: impl Future<Output = ()>,
    ) {
        let mut stop = pin!(stop);
        let stopping = GracefulShutdown::new();
        loop {
            let (stream, peer) = tokio::select! {
                // Waits a moment when the process has no file descriptor left.
                accepted = Listener::accept(&mut listener) => accepted,
                () = &mut stop => break,
            };
            let counted = self.address_to_count(peer.ip()).map(customer_of);
            let Ok(turn) = self.queue.turn_at_once(counted) else {
                // Closed at once, which a balancer understands.
                continue;
            };
            let (app, config) = (app.clone(), Arc::clone(&self.config));
            let watcher = stopping.watcher();
            tokio::spawn(async move {
                let _turn = turn;
                serve_connection(stream, peer, app, &config.connections, watcher).await;
            });
        }
        drop(listener);
        stopping.shutdown().await;
    }

    /// The address that a connection counts for; none for proxies, behind which there are many clients.
    fn address_to_count(&self, peer: IpAddr) -> Option<IpAddr> {
        let peer = peer.to_canonical();
        let trusted = self.config.proxies.trusts(peer) || peer.is_loopback();
        (!trusted).then_some(peer)
    }
}

/// Answers one connection's requests, as long as its client keeps up.
async fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    app: Router,
    limits: &ConnectionLimits,
    stopping: Watcher,
) {
    // Small answers and events need not wait for each other. A socket that refuses this is gone, and reading says so.
    let _ = stream.set_nodelay(true);
    let (reader, writer) = stream.into_split();
    let mut writer = TimeoutWriter::new(writer);
    writer.set_timeout(Some(limits.transfer));
    let transfer = limits.transfer;
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(|body| body::with_deadline(transfer, body));
        request.extensions_mut().insert(ConnectInfo(peer));
        app.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(join(reader, Box::pin(writer))), service);
    // An error means that the client is gone or does not keep up: there is no one to report it to.
    let _ = stopping.watch(connection).await;
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn a_stranger_counts_for_the_address_and_a_proxy_for_none() {
        let settings = ["server", "--trusted-proxies=192.0.2.0/24"];
        let connections = Connections::new(Arc::new(Config::parse_from(settings)));
        for (peer, counted) in [
            ("198.51.100.7", Some("198.51.100.7")),
            ("::ffff:198.51.100.7", Some("198.51.100.7")),
            ("2001:db8::7", Some("2001:db8::7")),
            ("192.0.2.7", None),
            ("::ffff:192.0.2.7", None),
            ("127.0.0.1", None),
            ("::1", None),
        ] {
            let address = |text: &str| text.parse::<IpAddr>().expect("an address");
            let found = connections.address_to_count(address(peer));
            assert_eq!(found, counted.map(address), "{peer}");
        }
    }
}
