//! The public board: rows and ranks, and the wording of names, tiers and amounts.

use std::net::IpAddr;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, watch};
use tokio::time::timeout;

use crate::jobs::JobStates;
use crate::limits::queue::{Full, Queue, Size, network_of};
use chain::clock::Clock;
use store::Store;

pub mod memory;
pub mod person;
pub mod refresh;

use person::Person;
use refresh::{BoardReceiver, NumberedBoard, Refresher};

/// How long a request waits for the first board, for a change to be on it, or for its turn to read it.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The most requests that read the board or wait for it: in total, and of one network.
const PLACES: usize = 2_048;
const PLACES_PER_NETWORK: usize = 64;

/// The board. It only shows proofs that have not expired.
#[derive(Debug)]
pub struct Board {
    store: Store,
    clock: Clock,
    refresher: Refresher,
    /// Locked while expired proofs are ended.
    ending: Mutex<()>,
    /// Requests that find and render rows, on half of the processors, so that the others stay free.
    pub queue: Queue,
}

/// Why there is no board.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    #[error("the board has not been read from the database yet")]
    Unread,
    #[error(transparent)]
    Full(#[from] Full),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl Board {
    /// Begins to read the board and keeps it up to date.
    pub fn start(store: Store, clock: Clock, states: &Arc<JobStates>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            refresher: Refresher::start(&store, &clock, states),
            store,
            clock,
            ending: Mutex::default(),
            queue: Queue::new(Size::waiting(
                (processors / 2).max(1),
                PLACES,
                PLACES_PER_NETWORK,
                TIMEOUT,
            )),
        }
    }

    /// A receiver of every new board.
    pub fn subscribe(&self) -> BoardReceiver {
        self.refresher.receiver.clone()
    }

    /// A receiver of the number of each board, once that is there; none until the board has been read.
    pub fn numbers(&self) -> watch::Receiver<Option<i64>> {
        self.refresher.numbers.clone()
    }

    /// The newest board, unless a proof in it has expired.
    fn unexpired(&self) -> Option<Arc<NumberedBoard>> {
        let board = self.refresher.receiver.borrow().clone()?;
        let is_over = board.due.is_some_and(|due| due <= self.clock.now());
        (!is_over).then_some(board)
    }

    /// The newest board. Ends expired proofs first.
    ///
    /// # Errors
    /// When the board has not been read yet, or the database fails.
    pub async fn current(&self) -> Result<Arc<NumberedBoard>, BoardError> {
        if let Some(board) = self.unexpired() {
            return Ok(board);
        }
        self.catch_up().await?;
        let _ending = self.ending.lock().await;
        if let Some(board) = self.unexpired() {
            return Ok(board);
        }
        self.settle().await?;
        // Has the board read again when the next proof expires, even if another replica has ended these.
        self.store.notify();
        self.catch_up().await
    }

    /// A board that includes everything that this process has committed before.
    ///
    /// # Errors
    /// When that takes too long, because the database does not answer.
    pub async fn catch_up(&self) -> Result<Arc<NumberedBoard>, BoardError> {
        let changes = *self.store.subscribe().borrow();
        let mut receiver = self.subscribe();
        let includes_changes = |board: &Option<Arc<NumberedBoard>>| {
            board.as_ref().is_some_and(|it| it.changes >= changes)
        };
        let caught_up = timeout(TIMEOUT, receiver.wait_for(includes_changes)).await;
        let board = caught_up.ok().and_then(Result::ok);
        board.and_then(|it| it.clone()).ok_or(BoardError::Unread)
    }

    /// Ends expired proofs, before reading data that depends on them.
    pub async fn settle(&self) -> sqlx::Result<()> {
        self.store.expire_due(self.clock.now()).await?;
        Ok(())
    }

    /// Runs `read`, which finds and renders rows of the newest board, on a thread of its own, in the turn of a client at this address. A panic
    /// of it continues here.
    ///
    /// # Errors
    /// When the board has not been read yet, the queue is full, or the database fails.
    pub async fn read<T: Send + 'static>(
        &self,
        address: Option<IpAddr>,
        read: impl FnOnce(&NumberedBoard) -> T + Send + 'static,
    ) -> Result<T, BoardError> {
        let board = self.current().await?;
        let turn = self.queue.turn(address.map(network_of)).await?;
        let done = turn.run(move || read(&board)).await;
        Ok(done.unwrap_or_else(|error| resume_unwind(error.into_panic())))
    }

    /// The profile that a link names, as `name`, `@name` or `provider:name`. A bare name is first of all an X name. `network` is the chain that is
    /// followed.
    ///
    /// # Errors
    /// When the board has not been read, or the database fails.
    pub async fn person(&self, network: &str, handle: &str) -> Result<Option<Person>, BoardError> {
        let board = self.current().await?;
        Ok(person::find(&board, network, handle))
    }
}
