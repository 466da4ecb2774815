//! The public board: rows and ranks, and the wording of names, tiers and amounts.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde::Serialize;
use tokio::sync::{Mutex, Semaphore, watch};
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use crate::jobs::JobStates;
use crate::limits::blocking::with_permit;
use crate::limits::permits::{Limits, Permits, network_of};
use crate::price::Price;
use chain::clock::{Clock, UnixTime};
use store::Store;

pub mod memory;
pub mod person;
pub mod refresh;
pub mod shared_row;

use person::Person;
use refresh::{BoardReceiver, NumberedBoard, Refresher};

/// How long a request waits for the first snapshot, for a change to be in the snapshot, or for a worker.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The most requests that wait for a worker, in total and from one address. Workers serve them first come, first served, so one
/// address must not fill the queue.
const QUEUE: Limits = Limits {
    total: 2_048,
    per_sender: 64,
};

/// The most downloads of the whole board at a time, in total and from one address. Each keeps its snapshot and a compressor in memory until
/// the client has read it all.
pub const DOWNLOADS: Limits = Limits {
    total: 64,
    per_sender: 4,
};

/// The board. It only shows proofs that have not expired.
#[derive(Debug)]
pub struct Board {
    store: Store,
    clock: Clock,
    price: Arc<Price>,
    refresher: Refresher,
    /// Locked while expired proofs are ended.
    ending: Mutex<()>,
    /// Permits for half of the processors, so that the others stay free.
    workers: Arc<Semaphore>,
    /// Permits to wait for a worker.
    pub queue: Permits,
    /// Permits to download the whole board.
    pub downloads: Permits,
}

/// The price shown on the board.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BoardPrice {
    /// US dollars for one bitcoin.
    pub price: Option<f64>,
    /// Whether the price is made up.
    pub stand_in: bool,
}

/// Why there is no board.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    #[error("the board has not been read from the database yet")]
    Unread,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl Board {
    /// Begins to read the board and keeps it up to date.
    pub fn start(
        (store, clock, price): (Store, Clock, Arc<Price>),
        states: &Arc<JobStates>,
    ) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            refresher: Refresher::start(&store, &clock, states),
            store,
            clock,
            price,
            ending: Mutex::default(),
            workers: Arc::new(Semaphore::new((processors / 2).max(1))),
            queue: Permits::new(QUEUE, network_of),
            downloads: Permits::new(DOWNLOADS, network_of),
        }
    }

    /// A receiver of every new snapshot.
    pub fn subscribe(&self) -> BoardReceiver {
        self.refresher.receiver.clone()
    }

    /// A receiver of the number of each snapshot, once that is there; none until the board has been read.
    pub fn numbers(&self) -> watch::Receiver<Option<i64>> {
        self.refresher.numbers.clone()
    }

    /// The newest snapshot, unless a proof in it has expired.
    fn current(&self) -> Option<Arc<NumberedBoard>> {
        let snapshot = self.refresher.receiver.borrow().clone()?;
        let is_over = snapshot.due.is_some_and(|due| due <= self.clock.now());
        (!is_over).then_some(snapshot)
    }

    /// The newest snapshot. Ends expired proofs first.
    ///
    /// # Errors
    /// When the board has not been read yet, or the database fails.
    pub async fn snapshot(&self) -> Result<Arc<NumberedBoard>, BoardError> {
        if let Some(snapshot) = self.current() {
            return Ok(snapshot);
        }
        self.catch_up().await?;
        let _ending = self.ending.lock().await;
        if let Some(snapshot) = self.current() {
            return Ok(snapshot);
        }
        self.settle().await?;
        // Has the board read again when the next proof expires, even if another replica has ended these.
        self.store.notify();
        self.catch_up().await
    }

    /// A snapshot that includes everything that this process has committed before.
    ///
    /// # Errors
    /// When that takes too long, because the database does not answer.
    pub async fn catch_up(&self) -> Result<Arc<NumberedBoard>, BoardError> {
        let changes = *self.store.subscribe().borrow();
        let mut receiver = self.subscribe();
        let includes_changes = |snapshot: &Option<Arc<NumberedBoard>>| {
            snapshot.as_ref().is_some_and(|it| it.changes >= changes)
        };
        let caught_up = timeout(TIMEOUT, receiver.wait_for(includes_changes)).await;
        let snapshot = caught_up.ok().and_then(Result::ok);
        snapshot.and_then(|it| it.clone()).ok_or(BoardError::Unread)
    }

    /// Ends expired proofs, before reading data that depends on them.
    pub async fn settle(&self) -> sqlx::Result<()> {
        self.store.expire_due(self.clock.now()).await?;
        Ok(())
    }

    /// Runs `work`, which finds and renders rows, on a thread of its own, as soon as a worker is free. A panic of it continues here.
    ///
    /// # Errors
    /// When that takes too long.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Elapsed> {
        let permit = timeout(TIMEOUT, Arc::clone(&self.workers).acquire_owned()).await?;
        let done = with_permit(permit, work).await;
        Ok(done.unwrap_or_else(|error| resume_unwind(error.into_panic())))
    }

    /// The profile that a link names, as `name`, `@name` or `provider:name`. A bare name is first of all an X name. `network` is the chain that is
    /// followed.
    ///
    /// # Errors
    /// When the board has not been read, or the database fails.
    pub async fn person(&self, network: &str, handle: &str) -> Result<Option<Person>, BoardError> {
        let snapshot = self.snapshot().await?;
        Ok(person::find(&snapshot, network, handle))
    }

    /// The price, if it is cached. If not, begins to fetch it.
    pub fn price(&self) -> BoardPrice {
        BoardPrice {
            price: self.price.usd().now_or_never().flatten(),
            stand_in: self.price.is_stand_in(),
        }
    }

    pub fn now(&self) -> UnixTime {
        self.clock.now()
    }
}
