//! The board as people see it: rows and ranks, and how names, tiers and amounts are worded.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde::Serialize;
use tokio::sync::{Mutex, Semaphore};

use crate::jobs::JobStates;
use crate::limits::blocking::{WorkError, when_free};
use crate::limits::permits::{Limits, Permit, Permits, TooMany};
use crate::price::Price;
use chain::clock::{Clock, UnixTime};
use store::Store;
use store::shown_as::{ShowError, ShownAs};

pub mod keeper;
pub mod memory;
pub mod person;
pub mod totals;

use keeper::{Keeper, Newest, Seen};
use person::Person;

/// How long somebody waits for a board that has not been read yet, or for a change to be on it.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many visitors' questions may wait for their turn, in all and from one address. Turns are first come, first served, so an
/// address that asks for a lot must not fill the queue.
const QUESTIONS: Limits = Limits {
    total: 2_048,
    per_sender: 64,
};

/// How many may take all of the board at a time: each keeps the board as it was, and what compresses it, for as long as its reader
/// takes.
pub const DOWNLOADS: Limits = Limits {
    total: 64,
    per_sender: 4,
};

/// Who is on the board. Whatever it says is of proofs whose time is not over.
#[derive(Debug)]
pub struct Board {
    store: Store,
    clock: Clock,
    price: Arc<Price>,
    keeper: Keeper,
    /// Held by whoever ends proofs whose time is over.
    ending: Mutex<()>,
    /// Keeps processors free for everything else.
    workers: Arc<Semaphore>,
    questions: Permits,
    downloads: Permits,
}

/// The price beside the board.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BoardPrice {
    /// US dollars for one bitcoin.
    pub price: Option<f64>,
    /// Whether that is made up.
    pub stand_in: bool,
}

/// Why the board says nothing.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    /// It has not been read from the database yet.
    #[error("the board has not been read yet")]
    Unread,
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl Board {
    /// Begins to read the board, and keeps it as the database has it from then on.
    #[must_use]
    pub fn start(
        (store, clock, price): (Store, Clock, Arc<Price>),
        states: &Arc<JobStates>,
    ) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            keeper: Keeper::start(&store, &clock, states),
            store,
            clock,
            price,
            ending: Mutex::default(),
            workers: Arc::new(Semaphore::new((processors / 2).max(1))),
            questions: Permits::by_network(QUESTIONS),
            downloads: Permits::by_network(DOWNLOADS),
        }
    }

    /// A receiver of every new board.
    #[must_use]
    pub fn newest(&self) -> Newest {
        self.keeper.newest().clone()
    }

    /// The newest board, when it can be shown right now: it has been read, and no proof in it has ended since.
    #[must_use]
    pub fn at_hand(&self) -> Option<Arc<Seen>> {
        let seen = self.keeper.newest().borrow().clone()?;
        let over = seen.due.is_some_and(|due| due <= self.clock.now());
        (!over).then_some(seen)
    }

    /// The newest board. Ends proofs whose time is over first.
    ///
    /// # Errors
    /// When it has not been read, or the database fails.
    pub async fn seen(&self) -> Result<Arc<Seen>, BoardError> {
        if let Some(seen) = self.at_hand() {
            return Ok(seen);
        }
        self.caught_up().await?;
        let _ending = self.ending.lock().await;
        if let Some(seen) = self.at_hand() {
            return Ok(seen);
        }
        self.settle().await?;
        // Whoever has ended them, when the next one ends is to be asked again.
        self.store.ring();
        self.caught_up().await
    }

    /// The board, with everything on it that was committed here before.
    ///
    /// # Errors
    /// When that takes too long: the database does not answer.
    pub async fn caught_up(&self) -> Result<Arc<Seen>, BoardError> {
        let rung = *self.store.bell().borrow();
        let mut newest = self.newest();
        let has = |seen: &Option<Arc<Seen>>| seen.as_ref().is_some_and(|seen| seen.rung >= rung);
        let caught_up = tokio::time::timeout(PATIENCE, newest.wait_for(has)).await;
        let seen = caught_up.ok().and_then(Result::ok);
        seen.and_then(|seen| seen.clone()).ok_or(BoardError::Unread)
    }

    /// Ends proofs whose time is over, before anything is read that depends on them.
    pub async fn settle(&self) -> sqlx::Result<()> {
        self.store.expire_due(self.clock.now()).await?;
        Ok(())
    }

    /// Finds and writes rows on a thread of its own, as soon as a worker is free.
    ///
    /// # Errors
    /// When that takes too long, or the work panics.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        when_free(&self.workers, PATIENCE, work).await
    }

    /// A place among those whose questions wait for a worker.
    ///
    /// # Errors
    /// When as many wait as may.
    pub fn question(&self, address: Option<IpAddr>) -> Result<Permit, TooMany> {
        self.questions.acquire(address)
    }

    /// A place among those who take all of the board.
    ///
    /// # Errors
    /// When as many do as may.
    pub fn download(&self, address: Option<IpAddr>) -> Result<Permit, TooMany> {
        self.downloads.acquire(address)
    }

    /// The rank of somebody, which is none when nothing is proven; none when there is no such profile.
    ///
    /// # Errors
    /// When the board has not been read, or the database fails.
    pub async fn rank(&self, profile_id: &str) -> Result<Option<Option<i64>>, BoardError> {
        let seen = self.seen().await?;
        Ok(seen.board.profile(profile_id).map(|row| row.rank))
    }

    /// Shows the total of somebody like this from now on.
    ///
    /// # Errors
    /// [`ShowError::Published`] when a range is chosen while proofs are published; when the database fails.
    pub async fn show_as(&self, profile_id: &str, shown_as: ShownAs) -> Result<(), ShowError> {
        let now = self.clock.now();
        self.store.show_as(profile_id, shown_as, now).await
    }

    /// The profile that a link names, as `name`, `@name` or `provider:name`. A bare name is an X name first of all.
    ///
    /// # Errors
    /// When the board has not been read, or the database fails.
    pub async fn person(&self, handle: &str) -> Result<Option<Person>, BoardError> {
        let seen = self.seen().await?;
        Ok(person::find(&seen.board, handle))
    }

    /// The price, when that is known without waiting. What is not known yet is asked for.
    #[must_use]
    pub fn price(&self) -> BoardPrice {
        BoardPrice {
            price: self.price.usd().now_or_never().flatten(),
            stand_in: self.price.is_stand_in(),
        }
    }

    #[must_use]
    pub fn now(&self) -> UnixTime {
        self.clock.now()
    }
}
