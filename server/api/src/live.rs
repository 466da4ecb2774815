//! Live updates: tells every open page, on every replica, that the board has changed.
//!
//! An event carries the number of a change and nothing else: pages fetch again. The number is the board's ([`crate::board::refresh`]), which
//! has the change before the event goes out. It comes from the database, so an event id means the same on every replica and after a
//! restart: a page that reconnects with an older one gets an event at once.
//!
//! **No reader holds memory.** A stream remembers only the number that it sent last; changes that happen while its reader is slow are one
//! event. No stream gets more than one event in [`PACE`].

use std::net::IpAddr;
use std::time::Duration;

use futures_util::{Stream, StreamExt, stream};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::limits::queue::{Full, Queue, Size, customer_of};

/// The least time between two events of a stream.
const PACE: Duration = Duration::from_millis(250);

/// The time for one open page to fetch again: five thousand take two seconds.
const SPREAD: Duration = Duration::from_micros(400);

/// As many pages as take less time than this may fetch at once.
const LEAST_SPREAD: Duration = Duration::from_millis(10);

/// The live updates of this replica.
#[derive(Debug)]
pub struct Live {
    /// The board's.
    numbers: watch::Receiver<Option<i64>>,
    readers: Queue,
    /// Ends every stream, so that open pages do not keep the server from stopping.
    stopping: CancellationToken,
}

impl Live {
    pub fn new(
        numbers: watch::Receiver<Option<i64>>,
        size: Size,
        stopping: CancellationToken,
    ) -> Self {
        Self {
            numbers,
            readers: Queue::new(size),
            stopping,
        }
    }

    /// The number of the newest change; none while the board has not been read.
    pub fn sequence(&self) -> Option<i64> {
        *self.numbers.borrow()
    }

    pub fn open_streams(&self) -> usize {
        self.readers.len()
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
    /// When too many streams are open, from this address or in total.
    pub fn changes(
        &self,
        seen: Option<i64>,
        address: Option<IpAddr>,
    ) -> Result<impl Stream<Item = i64> + Send + use<>, Full> {
        let turn = self.readers.turn_at_once(address.map(customer_of))?;
        let reader = (self.numbers.clone(), seen, turn);
        let numbers = stream::unfold(reader, async |(mut numbers, seen, turn)| {
            let is_other = |number: &Option<i64>| number.is_some() && *number != seen;
            // An error means that the board is gone, so the server stops.
            let number = *numbers.wait_for(is_other).await.ok()?;
            Some((number?, (numbers, number, turn)))
        });
        let stopped = self.stopping.clone().cancelled_owned();
        let paced = tokio_stream::StreamExt::throttle(numbers, PACE);
        Ok(Box::pin(paced.take_until(stopped)))
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::time::Instant;

    use super::*;

    /// Live updates, where their numbers come from, and how they are stopped.
    fn start(most: usize) -> (watch::Sender<Option<i64>>, Live, CancellationToken) {
        let (numbers, receiver) = watch::channel(None);
        let stop = CancellationToken::new();
        (
            numbers,
            Live::new(receiver, Size::without_waiting(most, most), stop.clone()),
            stop,
        )
    }

    #[tokio::test]
    async fn a_reader_that_never_reads_holds_one_number() {
        let (board, live, stop) = start(1);
        let mut events = pin!(live.changes(None, None).expect("a stream"));
        for number in 1..=1_000_000 {
            board.send_replace(Some(number));
        }
        // All of them are one event.
        assert_eq!(events.next().await, Some(1_000_000));
        board.send_replace(Some(1_000_001));
        assert_eq!(events.next().await, Some(1_000_001));
        stop.cancel();
        assert_eq!(events.next().await, None);
    }

    #[tokio::test]
    async fn two_events_are_a_pace_apart() {
        let (board, live, _) = start(1);
        let mut events = pin!(live.changes(None, None).expect("a stream"));
        // Before the first event, so that a slow machine only makes the time longer.
        let begin = Instant::now();
        for number in 1..=3 {
            board.send_replace(Some(number));
            assert_eq!(events.next().await, Some(number));
        }
        let took = begin.elapsed();
        assert!(took >= 2 * PACE, "three events in {took:?}");
    }

    #[tokio::test]
    async fn the_more_pages_are_open_the_longer_they_spread_their_requests() {
        let (_board, live, _) = start(10_000);
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
