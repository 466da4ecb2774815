//! A tunnel to another server that can be cut and reopened.

use std::net::SocketAddr;

use tokio::net::TcpStream;
use tokio::sync::watch;

use super::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Open,
    /// Every connection is closed, and so is every new one.
    Cut,
    /// Nothing is forwarded any more, and nothing closed: as when packets are lost.
    Silent,
}

/// Forwards connections to its own address.
#[derive(Debug)]
pub(crate) struct Tunnel {
    pub(crate) address: SocketAddr,
    state: watch::Sender<State>,
}

impl Tunnel {
    /// An open one to `to`.
    pub(crate) async fn start(to: SocketAddr) -> Self {
        let (listener, _) = port().await;
        let address = listener.local_addr().unwrap();
        let state = watch::Sender::new(State::Open);
        let states = state.subscribe();
        tokio::spawn(async move {
            while let Ok((from, _)) = listener.accept().await {
                tokio::spawn(pass(from, to, states.clone()));
            }
        });
        Self { address, state }
    }

    pub(crate) fn set(&self, state: State) {
        self.state.send_replace(state);
    }
}

async fn pass(mut from: TcpStream, to: SocketAddr, mut states: watch::Receiver<State>) {
    let passing = async {
        if let Ok(mut to) = TcpStream::connect(to).await {
            let _ended = tokio::io::copy_bidirectional(&mut from, &mut to).await;
        }
    };
    let closed = async {
        let state = states.wait_for(|state| *state != State::Open).await;
        state.map_or(State::Cut, |state| *state)
    };
    let state = tokio::select! {
        biased;
        state = closed => state,
        () = passing => State::Cut,
    };
    if state == State::Silent {
        std::future::pending().await
    }
}
