//! A tunnel to another server that can be cut and reopened.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Open,
    /// Every connection is closed, and every new one is refused.
    Cut,
    /// Every connection is closed after the first bytes, as by a pooler that has lost its database.
    Closing,
    /// Each statement is forwarded a second late.
    Slow,
    /// Nothing is forwarded any more, and nothing closed: as when packets are lost.
    Silent,
}

/// Forwards connections to its own address.
pub(crate) struct Tunnel {
    pub(crate) address: SocketAddr,
    state: watch::Sender<State>,
}

impl Tunnel {
    /// Opens a tunnel to `to`.
    pub(crate) async fn start(to: SocketAddr) -> Self {
        let (listener, _) = port().await;
        let address = listener.local_addr().unwrap();
        let state = watch::Sender::new(State::Open);
        tokio::spawn(listen(listener, to, state.subscribe()));
        Self { address, state }
    }

    pub(crate) fn set(&self, state: State) {
        self.state.send_replace(state);
    }
}

/// Passes connections on, except while it is cut.
async fn listen(mut listener: TcpListener, to: SocketAddr, mut states: watch::Receiver<State>) {
    let (address, of_connections) = (listener.local_addr().unwrap(), states.clone());
    loop {
        tokio::select! {
            Ok((from, _)) = listener.accept() => {
                tokio::spawn(pass(from, to, of_connections.clone()));
                continue;
            }
            cut = states.wait_for(|state| *state == State::Cut) => drop(cut),
        }
        drop(listener);
        let open = states.wait_for(|state| *state != State::Cut).await;
        if open.map(drop).is_err() {
            return;
        }
        listener = TcpListener::bind(address).await.expect("its port");
    }
}

async fn pass(mut from: TcpStream, to: SocketAddr, mut states: watch::Receiver<State>) {
    let now = states.clone();
    let passing = async {
        if let Ok(mut to) = TcpStream::connect(to).await {
            let (mut client, mut to_client) = from.split();
            let (mut server, mut to_server) = to.split();
            tokio::select! {
                _ended = statements(&mut client, &mut to_server, &now) => {}
                _ended = tokio::io::copy(&mut server, &mut to_client) => {}
            }
        }
    };
    let closed = async {
        let state = states
            .wait_for(|state| !matches!(state, State::Open | State::Slow))
            .await;
        state.map_or(State::Cut, |state| *state)
    };
    let state = tokio::select! {
        biased;
        state = closed => state,
        () = passing => State::Cut,
    };
    match state {
        State::Silent => std::future::pending().await,
        // A connection with unread bytes would be reset.
        State::Closing => drop(from.read(&mut [0; 1024]).await),
        State::Open | State::Slow | State::Cut => {}
    }
}

/// Passes on what a client sends. In PostgreSQL's protocol a statement that runs begins with Bind or Query.
async fn statements(
    client: &mut ReadHalf<'_>,
    server: &mut WriteHalf<'_>,
    state: &watch::Receiver<State>,
) -> std::io::Result<()> {
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let read = client.read(&mut bytes).await?;
        if read == 0 {
            return Ok(());
        }
        let slow = *state.borrow() == State::Slow;
        if slow && matches!(bytes[0], b'B' | b'Q') {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        server.write_all(&bytes[..read]).await?;
    }
}
