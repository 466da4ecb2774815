//! Live updates: tells every open page, on every replica, that the board has changed.
//!
//! An event carries the number of a change and nothing else: pages fetch again. The number is the board's ([`crate::board::keeper`]), which
//! has the change before the event goes out. It comes from the database, so an event id means the same on every replica and after a
//! restart: a page that reconnects with an older one gets an event at once.
//!
//! **No reader holds memory.** A stream remembers only the number that it sent last; changes that happen while its reader is slow are one
//! event. No stream gets more than one event in [`PACE`].

use std::convert::Infallible;
use std::future::pending;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt, Stream, stream};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::board::keeper::{BoardReceiver, BoardSnapshot};
use crate::jobs::next::Next;
use crate::jobs::{self, Job, JobStates};
use crate::limits::permits::{Limits, Permit, Permits, TooMany};

/// The least time between two events of a stream.
const PACE: Duration = Duration::from_millis(250);

/// How often the job says that it works while there are no changes.
const QUIET: Duration = Duration::from_secs(10);

/// The time for one open page to fetch again: five thousand take two seconds.
const SPREAD: Duration = Duration::from_micros(400);

/// As many pages as take less time than this may fetch at once.
const LEAST_SPREAD: Duration = Duration::from_millis(10);

/// The live updates of this replica, until it is dropped.
#[derive(Debug)]
pub struct Live {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    sequence: watch::Sender<Option<i64>>,
    closed: watch::Sender<bool>,
    readers: Permits,
}

impl Live {
    /// Starts to send the changes of the board.
    pub fn start(snapshots: BoardReceiver, limits: Limits, states: &Arc<JobStates>) -> Self {
        let shared = Arc::new(Shared {
            sequence: watch::channel(None).0,
            closed: watch::channel(false).0,
            readers: Permits::by_address(limits),
        });
        let sender = Arc::new(Sender {
            shared: Arc::clone(&shared),
            snapshots: Mutex::new((snapshots, None)),
        });
        let job = Job::new("live", &sender, |sender| sender.step().boxed());
        let task = jobs::begin(job, states);
        Self { shared, task }
    }

    /// Ends every stream, so that open pages do not keep the server from stopping.
    pub fn close(&self) {
        self.shared.closed.send_replace(true);
    }

    /// The number of the newest change; none while the board has not been read.
    pub fn sequence(&self) -> Option<i64> {
        *self.shared.sequence.borrow()
    }

    pub fn open_streams(&self) -> usize {
        self.shared.readers.held()
    }

    /// The time over which open pages should spread their requests after a change; zero for a few pages.
    pub fn spread(&self) -> Duration {
        let readers = u32::try_from(self.open_streams()).unwrap_or(u32::MAX);
        let spread = Some(SPREAD.saturating_mul(readers));
        let spread = spread.filter(|spread| *spread >= LEAST_SPREAD);
        spread.unwrap_or_default()
    }

    /// The numbers of changes after `seen`, until the server stops: the newest at once if it differs, then each as it comes, except those
    /// that the reader was too slow for.
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
            _permit: self.shared.readers.acquire(address)?,
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
    _permit: Permit,
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
            // An error means that the sender is gone, so the server stops.
            tokio::select! {
                changed = self.sequence.changed() => changed.ok()?,
                closed = self.closed.changed() => closed.ok()?,
            }
        }
    }
}

/// The job that sends numbers to the streams of this replica.
struct Sender {
    shared: Arc<Shared>,
    /// With the number that was sent last to all streams: after a panic before that, the job sends it again.
    snapshots: Mutex<(BoardReceiver, Option<i64>)>,
}

impl Sender {
    /// Waits for another number, and sends it.
    async fn step(&self) -> Result<Next, Infallible> {
        let mut snapshots = self.snapshots.lock().await;
        let (snapshots, sent) = &mut *snapshots;
        let other = snapshots.wait_for(|snapshot| number(snapshot) != *sent);
        let other = async { Some(number(&*other.await.ok()?)) };
        let number = match timeout(QUIET, other).await {
            Ok(Some(number)) => number,
            Err(_) => return Ok(Next::AtOnce),
            // The board has stopped.
            Ok(None) => pending().await,
        };
        self.shared.sequence.send_replace(number);
        *sent = number;
        Ok(Next::After(PACE))
    }
}

fn number(snapshot: &Option<Arc<BoardSnapshot>>) -> Option<i64> {
    snapshot.as_ref().map(|snapshot| snapshot.number)
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::time::Instant;

    use chain::clock::Clock;
    use futures_util::StreamExt;

    use super::*;

    fn limits(most: usize) -> Limits {
        Limits {
            total: most,
            per_sender: most,
        }
    }

    /// The live updates of a board without rows, and where its snapshots come from.
    fn start(most: usize) -> (watch::Sender<Option<Arc<BoardSnapshot>>>, Live) {
        let (sender, receiver) = watch::channel(None);
        let states = Arc::new(JobStates::new(Clock::System));
        (sender, Live::start(receiver, limits(most), &states))
    }

    #[tokio::test]
    async fn a_reader_that_never_reads_holds_one_number() {
        let (sequence, watched) = watch::channel(None);
        let (closed, closing) = watch::channel(false);
        let mut reader = Reader {
            seen: None,
            sequence: watched,
            closed: closing,
            _permit: Permits::by_address(limits(1))
                .acquire(None)
                .expect("a permit"),
        };
        for number in 1..=1_000_000 {
            sequence.send_replace(Some(number));
        }
        // All of them are one event.
        assert_eq!(reader.next().await, Some(1_000_000));
        sequence.send_replace(Some(1_000_001));
        assert_eq!(reader.next().await, Some(1_000_001));
        closed.send_replace(true);
        assert_eq!(reader.next().await, None);
    }

    #[tokio::test]
    async fn two_events_are_a_pace_apart() {
        let (board, live) = start(1);
        let mut events = pin!(live.changes(None, None).expect("a stream"));
        // Before the first event, so that a slow machine only makes the time longer.
        let begin = Instant::now();
        for number in 1..=3 {
            board.send_replace(Some(BoardSnapshot::empty(number)));
            assert_eq!(events.next().await, Some(number));
        }
        let took = begin.elapsed();
        assert!(took >= 2 * PACE, "three events in {took:?}");
    }

    #[tokio::test]
    async fn the_more_pages_are_open_the_longer_they_spread_their_requests() {
        let (_board, live) = start(10_000);
        let mut pages = Vec::new();
        for (count, spread) in [
            (0, 0),
            (1, 0),
            (24, 0),
            (25, 10),
            (1_000, 400),
            (5_000, 2_000),
        ] {
            pages.resize_with(count, || live.changes(None, None).expect("a stream"));
            assert_eq!(
                live.spread(),
                Duration::from_millis(spread),
                "{count} pages"
            );
        }
    }
}
