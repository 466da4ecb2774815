//! Turns at work that keeps a processor busy. However many want one, most of the time is left to everybody else.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Those in a crowd work for so long one after another, and then rest for as long as they have worked.
const STRETCH: Duration = Duration::from_millis(2);

/// Turns of one kind of work.
#[derive(Debug)]
pub(super) struct Turns {
    room: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// How long they have worked since the last rest.
    worked: Mutex<Duration>,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    turn: Option<OwnedSemaphorePermit>,
    begun: Instant,
    turns: Arc<Turns>,
}

/// Somebody who waits, or has gone away waiting.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Turns {
    /// So many at a time.
    pub(super) fn new(at_once: usize) -> Arc<Self> {
        Arc::new(Self {
            room: Arc::new(Semaphore::new(at_once)),
            waiting: AtomicUsize::new(0),
            worked: Mutex::default(),
        })
    }

    /// Waits for a turn, first come, first served. How many may wait from one address is for the caller to limit.
    pub(super) async fn take(self: &Arc<Self>) -> Turn {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting(&self.waiting);
        let turn = Arc::clone(&self.room).acquire_owned().await.ok();
        drop(waiting);
        Turn {
            turn,
            begun: Instant::now(),
            turns: Arc::clone(self),
        }
    }

    /// How long to rest after so much more work; somebody alone never does.
    fn rest(&self, took: Duration) -> Option<Duration> {
        let mut worked = self.worked.lock().unwrap_or_else(PoisonError::into_inner);
        *worked += took;
        if self.waiting.load(Ordering::Relaxed) == 0 {
            *worked = Duration::ZERO;
        }
        (*worked >= STRETCH).then(|| std::mem::take(&mut *worked))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (turn, rest) = (self.turn.take(), self.turns.rest(self.begun.elapsed()));
        if let (Some(rest), Ok(runtime)) = (rest, Handle::try_current()) {
            runtime.spawn(async move {
                tokio::time::sleep(rest).await;
                drop(turn);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_crowd_rests_and_somebody_alone_does_not() {
        let turns = Turns::new(1);
        for _ in 0..3 {
            let mut turn = turns.take().await;
            turn.begun -= 2 * STRETCH;
            drop(turn);
            assert!(turns.room.try_acquire().is_ok());
        }
        let mut turn = turns.take().await;
        turn.begun -= 10 * STRETCH;
        let next = tokio::spawn({
            let turns = Arc::clone(&turns);
            async move {
                let _turn = turns.take().await;
                Instant::now()
            }
        });
        while turns.waiting.load(Ordering::Relaxed) == 0 {
            tokio::task::yield_now().await;
        }
        let dropped = Instant::now();
        drop(turn);
        let begun = next.await.unwrap();
        assert!(begun - dropped >= 10 * STRETCH);
    }

    #[tokio::test]
    async fn who_goes_away_waiting_waits_no_longer() {
        let turns = Turns::new(1);
        let turn = turns.take().await;
        {
            let mut next = Box::pin(turns.take());
            assert!(futures_util::poll!(&mut next).is_pending());
            assert_eq!(turns.waiting.load(Ordering::Relaxed), 1);
        }
        assert_eq!(turns.waiting.load(Ordering::Relaxed), 0);
        drop(turn);
    }
}
