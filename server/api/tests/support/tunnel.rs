//! A tunnel to another server that can be cut and reopened.

use std::net::SocketAddr;
use std::sync::Mutex;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Forwards connections to its own address.
#[derive(Debug)]
pub(crate) struct Tunnel {
    to: SocketAddr,
    pub(crate) address: SocketAddr,
    passing: Mutex<Option<JoinHandle<()>>>,
    silent: watch::Sender<bool>,
}

impl Tunnel {
    /// An open one to `to`.
    pub(crate) async fn start(to: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        let silent = watch::Sender::new(false);
        let passing = pass(listener, to, silent.subscribe());
        Self {
            to,
            address,
            passing: Mutex::new(Some(tokio::spawn(passing))),
            silent,
        }
    }

    /// Ends every connection and lets no new one in.
    pub(crate) fn cut(&self) {
        if let Some(passing) = self.passing.lock().expect("no panic").take() {
            passing.abort();
        }
    }

    /// Forwards nothing any more, and closes nothing: as when packets are lost.
    pub(crate) fn fall_silent(&self) {
        self.silent.send_replace(true);
    }

    /// Opens it again.
    pub(crate) async fn mend(&self) {
        let listener = super::until("the port", async || {
            TcpListener::bind(self.address).await.ok()
        })
        .await;
        *self.passing.lock().expect("no panic") = Some(tokio::spawn(pass(
            listener,
            self.to,
            self.silent.subscribe(),
        )));
    }
}

async fn pass(listener: TcpListener, to: SocketAddr, silent: watch::Receiver<bool>) {
    // Ended with this task.
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((mut from, _)) = listener.accept().await {
        let mut silent = silent.clone();
        connections.spawn(async move {
            let Ok(mut to) = TcpStream::connect(to).await else {
                return;
            };
            let fallen_silent = tokio::select! {
                biased;
                fallen = async { silent.wait_for(|silent| *silent).await.is_ok() } => fallen,
                _ = tokio::io::copy_bidirectional(&mut from, &mut to) => false,
            };
            if fallen_silent {
                std::future::pending().await
            }
        });
    }
}
