//! Turns at something scarce, address by address: whoever asks for a lot waits behind what they have asked for themselves, and
//! everybody else for one turn of theirs.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::network::network_of;

/// So many turns at a time. How many may wait is for others to say ([`super::places`]). Cheap to clone.
#[derive(Clone, Debug)]
pub struct Fair(Arc<Mutex<Line>>);

/// Who waits together: a network, or all whose address is not known.
type Network = Option<Vec<u8>>;

#[derive(Debug)]
struct Line {
    free: usize,
    /// Each network with somebody who waits, in the order of their turns.
    order: VecDeque<Network>,
    waiting: HashMap<Network, VecDeque<oneshot::Sender<Turn>>>,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub struct Turn(Option<Arc<Mutex<Line>>>);

impl Fair {
    #[must_use]
    pub fn new(at_once: usize) -> Self {
        Self(Arc::new(Mutex::new(Line {
            free: at_once,
            order: VecDeque::new(),
            waiting: HashMap::new(),
        })))
    }

    /// Waits for a turn. Of an address whoever has waited longest is next, and the addresses take turns.
    pub async fn take(&self, address: Option<IpAddr>) -> Turn {
        let next = {
            let mut line = lock(&self.0);
            if line.free > 0 {
                line.free -= 1;
                return Turn(Some(Arc::clone(&self.0)));
            }
            line.wait(address.map(network_of))
        };
        // Whoever is last gives a turn to the next: the sender is never just dropped while somebody waits.
        next.await.unwrap_or(Turn(None))
    }
}

impl Line {
    fn wait(&mut self, network: Network) -> oneshot::Receiver<Turn> {
        let (told, next) = oneshot::channel();
        let of_network = self.waiting.entry(network.clone()).or_default();
        if of_network.is_empty() {
            self.order.push_back(network);
        }
        // Those who went away waiting are not kept for as long as they would have waited.
        of_network.retain(|other| !other.is_closed());
        of_network.push_back(told);
        next
    }

    /// Whose turn it is; the turn is free when nobody waits.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        while let Some(network) = self.order.pop_front() {
            let Some(of_network) = self.waiting.get_mut(&network) else {
                continue;
            };
            let next = of_network.pop_front();
            if of_network.is_empty() {
                self.waiting.remove(&network);
            } else {
                self.order.push_back(network);
            }
            if next.is_some() {
                return next;
            }
        }
        self.free += 1;
        None
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(line) = self.0.take() else { return };
        loop {
            let Some(next) = lock(&line).next() else {
                return;
            };
            match next.send(Self(Some(Arc::clone(&line)))) {
                Ok(()) => return,
                // Gone meanwhile.
                Err(mut turn) => turn.0 = None,
            }
        }
    }
}

fn lock(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::poll;

    use super::*;

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    #[tokio::test]
    async fn who_asks_for_a_lot_is_not_before_everybody_else() {
        let fair = Fair::new(1);
        let first = fair.take(None).await;
        let mut crowd = Vec::new();
        for _ in 0..100 {
            let mut one = Box::pin(fair.take(address("192.0.2.7")));
            assert!(poll!(&mut one).is_pending());
            crowd.push(one);
        }
        let mut other = Box::pin(fair.take(address("192.0.2.8")));
        assert!(poll!(&mut other).is_pending());
        drop(first);
        // In the order in which they came, one of each address at a time.
        let of_crowd = crowd.remove(0).await;
        assert!(poll!(&mut other).is_pending());
        drop(of_crowd);
        let other = other.await;
        assert!(poll!(&mut crowd[0]).is_pending());
        drop(other);
        for one in crowd {
            one.await;
        }
        assert_eq!(lock(&fair.0).free, 1);
    }

    #[tokio::test]
    async fn who_goes_away_waiting_takes_no_turn_along_and_no_memory() {
        let fair = Fair::new(2);
        let turns = (fair.take(None).await, fair.take(None).await);
        for _ in 0..1_000 {
            let mut gone = Box::pin(fair.take(address("2001:db8::1")));
            assert!(poll!(&mut gone).is_pending());
        }
        let mut told = Box::pin(fair.take(address("192.0.2.7")));
        assert!(poll!(&mut told).is_pending());
        {
            let line = lock(&fair.0);
            assert_eq!(line.order.len(), 2);
            assert!(line.waiting.values().all(|of| of.len() == 1));
        }
        drop(turns);
        // It has a turn, and goes away without having looked.
        drop(told);
        let line = lock(&fair.0);
        assert!(line.free == 2 && line.order.is_empty() && line.waiting.is_empty());
    }
}
