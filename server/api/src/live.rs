//! Changes to profiles, for every page that is open, on every replica.
//!
//! An event carries the number of a change and nothing else: readers fetch again. The number is the board's
//! ([`crate::board::keeper`]), which includes the change before the event is sent. It lives in the database, so an event id means
//! the same on every replica and after a restart: a page that reconnects with an older one gets an event at once.
//!
//! **No reader holds memory.** A stream remembers one number, the one it sent last; what happens while
//! its reader is slow is folded into the next event. No reader gets more than one event in [`PACE`].

use std::convert::Infallible;
use std::future::pending;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt, Stream, stream};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use crate::board::keeper::{Newest, Seen};
use crate::jobs::next::Next;
use crate::jobs::{self, Job, JobStates};
use crate::limits::places::{Limits, Place, Places, TooMany};

/// The least time between two events.
const PACE: Duration = Duration::from_millis(250);

/// The longest time between two signs that numbers are passed on, while there are none.
const QUIET: Duration = Duration::from_secs(10);

/// The time in which one open page asks again, so that five thousand take two seconds.
const SPREAD: Duration = Duration::from_micros(400);

/// Fewer pages than take this long may ask at once.
const LEAST_SPREAD: Duration = Duration::from_millis(10);

/// Tells open pages about changes, as long as it lives.
#[derive(Debug)]
pub struct Live {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    sequence: watch::Sender<Option<i64>>,
    closed: watch::Sender<bool>,
    readers: Places,
}

impl Live {
    /// Begins to tell of changes to the board.
    #[must_use]
    pub fn start(newest: Newest, limits: Limits, states: &Arc<JobStates>) -> Self {
        let shared = Arc::new(Shared {
            sequence: watch::channel(None).0,
            closed: watch::channel(false).0,
            readers: Places::by_address(limits),
        });
        let passing = Arc::new(Passing {
            shared: Arc::clone(&shared),
            newest: Mutex::new((newest, None)),
        });
        let job = Job::new("live", &passing, |passing| passing.step().boxed());
        let task = jobs::begin(job, states);
        Self { shared, task }
    }

    /// Ends every stream, so that open pages do not keep the server from stopping.
    pub fn close(&self) {
        self.shared.closed.send_replace(true);
    }

    /// The number of the newest change; none while the board has not been read.
    #[must_use]
    pub fn sequence(&self) -> Option<i64> {
        *self.shared.sequence.borrow()
    }

    #[must_use]
    pub fn open_streams(&self) -> usize {
        self.shared.readers.taken()
    }

    /// The time over which pages should spread the requests that follow an event: zero for a few pages.
    #[must_use]
    pub fn spread(&self) -> Duration {
        let readers = u32::try_from(self.open_streams()).unwrap_or(u32::MAX);
        let spread = SPREAD.saturating_mul(readers);
        if spread < LEAST_SPREAD {
            Duration::ZERO
        } else {
            spread
        }
    }

    /// The numbers of changes after `seen`, until the server stops: the newest at once when it is another
    /// one, then each as it comes, except those that the reader was too slow for.
    ///
    /// # Errors
    /// When too many streams are open, from this address or in all.
    pub fn changes(
        &self,
        seen: Option<i64>,
        address: Option<IpAddr>,
    ) -> Result<impl Stream<Item = i64> + Send + use<>, TooMany> {
        let reader = Reader {
            seen,
            sequence: self.shared.sequence.subscribe(),
            closed: self.shared.closed.subscribe(),
            _place: self.shared.readers.take(address)?,
        };
        Ok(Box::pin(stream::unfold(reader, async |mut reader| {
            let next = reader.next().await?;
            Some((next, reader))
        })))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Reader {
    seen: Option<i64>,
    sequence: watch::Receiver<Option<i64>>,
    closed: watch::Receiver<bool>,
    _place: Place,
}

impl Reader {
    async fn next(&mut self) -> Option<i64> {
        loop {
            if *self.closed.borrow() {
                return None;
            }
            let newest = *self.sequence.borrow_and_update();
            if newest.is_some() && newest != self.seen {
                self.seen = newest;
                return newest;
            }
            // An error means that the sender is gone, which is a stop as well.
            tokio::select! {
                changed = self.sequence.changed() => changed.ok()?,
                closed = self.closed.changed() => closed.ok()?,
            }
        }
    }
}

/// What it takes to pass numbers on to the streams of this replica.
struct Passing {
    shared: Arc<Shared>,
    /// The board's snapshot, and the number that was last sent to all streams: after a panic in between it is sent again.
    newest: Mutex<(Newest, Option<i64>)>,
}

impl Passing {
    /// Waits for a number, and passes it on.
    async fn step(&self) -> Result<Next, Infallible> {
        let mut kept = self.newest.lock().await;
        let (newest, told) = &mut *kept;
        let other = async {
            let seen = newest.wait_for(|seen| number(seen.as_deref()) != *told);
            let seen = seen.await.ok()?;
            Some(number(seen.as_deref()))
        };
        match tokio::time::timeout(QUIET, other).await {
            Ok(Some(number)) => {
                self.shared.sequence.send_replace(number);
                *told = number;
                Ok(Next::After(PACE))
            }
            Err(_) => Ok(Next::AtOnce),
            // Nobody keeps the board any more.
            Ok(None) => pending().await,
        }
    }
}

fn number(seen: Option<&Seen>) -> Option<i64> {
    seen.map(|seen| seen.number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reader_that_never_reads_holds_one_number() {
        let (sequence, watched) = watch::channel(None);
        let (closed, closing) = watch::channel(false);
        let limits = Limits {
            total: 1,
            per_sender: 1,
        };
        let mut reader = Reader {
            seen: None,
            sequence: watched,
            closed: closing,
            _place: Places::by_address(limits).take(None).expect("a place"),
        };
        for number in 1..=1_000_000 {
            sequence.send_replace(Some(number));
        }
        // All of them are one event, and nothing is left behind it.
        assert_eq!(reader.next().await, Some(1_000_000));
        sequence.send_replace(Some(1_000_001));
        assert_eq!(reader.next().await, Some(1_000_001));
        closed.send_replace(true);
        assert_eq!(reader.next().await, None);
    }
}
