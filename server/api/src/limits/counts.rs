//! Counts in memory: of so many senders, until their windows are over.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chain::clock::UnixTime;
use store::rate_limits::Count;

/// How many senders are counted. More at a time are let in uncounted here: they are not one that sends too much.
const SENDERS: usize = 100_000;

/// What one process has let in lately.
#[derive(Debug, Default)]
pub(super) struct Counts(Mutex<Senders>);

#[derive(Debug, Default)]
struct Senders {
    /// How many requests of a sender were let in, and until when that counts.
    used: HashMap<String, (i64, UnixTime)>,
    /// When the first window is over that was open when this was last cleared, unix seconds.
    clear_at: UnixTime,
}

impl Counts {
    /// Counts a request; false, and not counted, when its sender is over the limit.
    pub(super) fn add(&self, count: &Count, now: UnixTime) -> bool {
        let mut senders = self.senders();
        senders.clear(now);
        let room = senders.used.len() < SENDERS;
        match senders.used.get_mut(&count.keyed_hash) {
            Some((used, _)) if *used >= count.most => false,
            Some((used, _)) => {
                *used += 1;
                true
            }
            None if room => {
                senders.keep(count, 1);
                true
            }
            None => true,
        }
    }

    /// Nobody else of this sender is let in until the window is over.
    pub(super) fn fill(&self, count: &Count) {
        let mut senders = self.senders();
        if senders.used.len() < SENDERS || senders.used.contains_key(&count.keyed_hash) {
            senders.keep(count, count.most);
        }
    }

    fn senders(&self) -> MutexGuard<'_, Senders> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Senders {
    fn keep(&mut self, count: &Count, used: i64) {
        let entry = (used, count.ends_at);
        self.used.insert(count.keyed_hash.clone(), entry);
        self.clear_at = self.clear_at.min(count.ends_at);
    }

    /// Forgets everybody whose window is over.
    fn clear(&mut self, now: UnixTime) {
        if now < self.clear_at {
            return;
        }
        self.used.retain(|_, (_, ends_at)| *ends_at > now);
        let next = self.used.values().map(|(_, ends_at)| *ends_at).min();
        self.clear_at = next.unwrap_or(UnixTime::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(sender: usize, most: i64, ends_at: UnixTime) -> Count {
        Count {
            keyed_hash: sender.to_string(),
            most,
            ends_at,
        }
    }

    #[test]
    fn a_sender_is_forgotten_when_its_window_is_over() {
        let counts = Counts::default();
        assert!(counts.add(&count(1, 1, 60), 0));
        assert!(!counts.add(&count(1, 1, 60), 59));
        assert!(counts.add(&count(2, 1, 300), 59));
        assert!(counts.add(&count(1, 1, 120), 60));
        assert_eq!(counts.senders().used.len(), 2);
        assert!(!counts.add(&count(1, 1, 120), 119));
        assert!(!counts.add(&count(2, 1, 300), 299));
        assert!(counts.add(&count(3, 1, 360), 300));
        assert_eq!(counts.senders().used.len(), 1);
    }

    #[test]
    fn who_is_full_elsewhere_is_full_here() {
        let counts = Counts::default();
        assert!(counts.add(&count(1, 5, 60), 0));
        counts.fill(&count(1, 5, 60));
        assert!(!counts.add(&count(1, 5, 60), 1));
    }

    #[test]
    fn memory_is_bounded_and_nobody_new_is_refused() {
        let counts = Counts::default();
        for sender in 0..SENDERS + 10 {
            assert!(counts.add(&count(sender, 1, 60), 0));
        }
        assert_eq!(counts.senders().used.len(), SENDERS);
        assert!(!counts.add(&count(0, 1, 60), 0));
        assert!(counts.add(&count(SENDERS + 1, 1, 60), 0));
    }
}
