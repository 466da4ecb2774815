//! Changes to profiles, for every page that is open.
//!
//! An event carries a sequence number and nothing else: readers fetch again, so a lost event costs
//! a moment of staleness and never truth.

use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::Stream;
use tokio::sync::{broadcast, watch};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::BroadcastStream;

/// How many events a slow reader may lag behind; the ones it misses are folded into the next.
const BACKLOG: usize = 64;

/// The channel that every change goes through.
#[derive(Debug)]
pub struct Live {
    sequence: AtomicU64,
    changes: broadcast::Sender<u64>,
    closed: watch::Sender<bool>,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            sequence: AtomicU64::new(0),
            changes: broadcast::channel(BACKLOG).0,
            closed: watch::channel(false).0,
        }
    }
}

impl Live {
    /// Says that something about profiles changed.
    pub fn changed(&self) {
        let sequence = self.sequence.fetch_add(1, Ordering::Relaxed) + 1;
        // That nobody listens is not an error.
        let _ = self.changes.send(sequence);
    }

    /// Ends every stream, so that open pages do not keep the server from stopping.
    pub fn close(&self) {
        self.closed.send_replace(true);
    }

    /// The sequence numbers of changes from now on, until the server stops.
    pub fn changes(&self) -> impl Stream<Item = u64> + Send + use<> {
        let mut closed = self.closed.subscribe();
        let stopped = async move {
            // An error means that the sender is gone, which is a stop as well.
            let _ = closed.wait_for(|closed| *closed).await;
        };
        let changes = BroadcastStream::new(self.changes.subscribe()).filter_map(Result::ok);
        futures_util::StreamExt::take_until(changes, Box::pin(stopped))
    }
}
